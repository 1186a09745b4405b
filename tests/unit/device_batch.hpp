#pragma once

#include "device/kernels.hpp"
#include "device/opencl.hpp"

#include <knossos/core/population.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/recipe.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace knossos::test {

/// Genomes in the memory of a device, to be evaluated by the kernels that evaluate generations there.
class DeviceBatch {
  public:
    /// As the recipe's problem evaluates them.
    DeviceBatch(const device::Device& device, const Recipe& recipe, const Population& genomes)
        : queue_{device}, kernel_{domain_of(recipe).device_kernel(recipe.choice("problem")->values)},
          count_{genomes.size()}, genomes_{queue_.make_buffer(genomes.bytes().size())},
          evaluated_{queue_.make_buffer_of(std::vector<std::uint8_t>(count_, 1))},
          table_{queue_.make_buffer_of(kernel_.table)}, nobody_{queue_.make_buffer(sizeof(std::int32_t))},
          out_{queue_.make_buffer(count_ * (kernel_.numbers == 0 ? sizeof(std::int32_t)
                                                                 : kernel_.numbers * sizeof(std::int16_t)))} {
        queue_.write(genomes_, genomes.bytes());
        device::Variation variation{.recombine = "clone",
                                    .mutate = "bit-flip",
                                    .genes = genomes.space().length,
                                    .genome_bytes = genomes.stride()};
        if (genomes.space().kind == GenomeKind::permutation) {
            variation.mutate = "swap";
            variation.is_permutation = true;
        }
        variation.group = group_ = device::group_of(variation, device.shared_memory);
        const std::array<std::string_view, 1> name{kernel_.numbers == 0 ? "evaluate_all" : "measure_all"};
        evaluation_ = queue_.build(device::generation_source(variation, kernel_), name).front();
        const auto children = static_cast<std::uint32_t>(count_);
        if (kernel_.numbers == 0)
            evaluation_.with(genomes_, evaluated_, nobody_, nobody_, std::uint32_t{1}, children, children,
                             out_, table_);
        else
            evaluation_.with(genomes_, evaluated_, children, out_, table_);
    }

    void evaluate() const {
        queue_.run(evaluation_, count_, group_);
        queue_.finish();
    }
    /// The fitness of each.
    [[nodiscard]] std::vector<std::int32_t> values() const {
        std::vector<std::int32_t> values(count_);
        queue_.read_into(out_, std::span{values});
        return values;
    }
    /// The record of each, column after column.
    [[nodiscard]] std::vector<double> records(std::size_t columns) const {
        std::vector<std::int16_t> numbers(count_ * kernel_.numbers);
        queue_.read_into(out_, std::span{numbers});
        std::vector<std::uint32_t> rows(count_);
        for (std::uint32_t row = 0; row < count_; ++row) rows[row] = row;
        std::vector<double> records(count_ * columns);
        kernel_.records(numbers, rows, records);
        return records;
    }

  private:
    device::Queue queue_;
    DeviceKernel kernel_;
    std::size_t count_;
    device::Buffer genomes_;
    device::Buffer evaluated_;
    device::Buffer table_;
    device::Buffer nobody_; ///< parents, whom nobody asks for where all are evaluated
    device::Buffer out_;
    device::Kernel evaluation_{};
    std::uint32_t group_ = 64;
};

} // namespace knossos::test
