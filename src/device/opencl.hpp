#pragma once

#include "device/memory.hpp"

#include <knossos/core/device_lost.hpp>
#include <knossos/device/devices.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace knossos::device {

/// Memory of a device.
class Buffer {
  public:
    Buffer() = default;
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    friend class Queue;
    friend class Kernel;
    Buffer(std::shared_ptr<void> handle, std::size_t bytes) : handle_{std::move(handle)}, bytes_{bytes} {}

    std::shared_ptr<void> handle_{};
    std::size_t bytes_ = 0;
};

/// Memory of the host that a device reads and writes at the full speed of the bus.
class HostMemory {
  public:
    HostMemory() = default;
    [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

  private:
    friend class Queue;
    std::shared_ptr<void> handle_{};
    std::span<std::byte> bytes_{};
};

/// A function that runs on a device, with its arguments.
class Kernel {
  public:
    Kernel() = default;
    /// All arguments, in their order: buffers, and numbers of as many bytes as the kernel's.
    template <class... Arguments>
    Kernel& with(const Arguments&... arguments) {
        unsigned index = 0;
        (set(index++, arguments), ...);
        return *this;
    }

  private:
    friend class Queue;
    Kernel(std::shared_ptr<void> handle, std::string whose)
        : handle_{std::move(handle)}, whose_{std::move(whose)} {}
    void set(unsigned index, const Buffer& buffer);
    template <class Number>
        requires std::is_trivially_copyable_v<Number>
    void set(unsigned index, const Number& number) {
        set_bytes(index, sizeof number, &number);
    }
    void set_bytes(unsigned index, std::size_t bytes, const void* value);

    std::shared_ptr<void> handle_{};
    std::string whose_{}; ///< its name and that of its device, for messages
};

/// Commands for one device, one after the other. What goes wrong while kernels run, or when memory is taken,
/// is thrown as DeviceLost; what can't even begin as InvalidInput. Not to be used by two threads at once.
class Queue {
  public:
    explicit Queue(const Device& device);

    [[nodiscard]] const Device& device() const { return device_; }
    /// Never takes more than is usable of the device's memory, whatever its driver would give: what is
    /// counted before a run is what there is in it.
    [[nodiscard]] Buffer make_buffer(std::size_t bytes) const;
    template <class T>
    [[nodiscard]] Buffer make_buffer_of(const std::vector<T>& content) const {
        Buffer buffer = make_buffer(content.size() * sizeof(T));
        if (!content.empty()) write(buffer, std::as_bytes(std::span{content}));
        return buffer;
    }
    [[nodiscard]] HostMemory make_host_memory(std::size_t bytes) const;
    /// Takes so much, so many times, and gives it back: whether it is there, which others may have taken.
    void try_memory(const MemoryNeed& need, std::size_t times = 1) const;
    void write(const Buffer& buffer, std::span<const std::byte> content, std::size_t first_byte = 0) const;
    void read(const Buffer& buffer, std::span<std::byte> content, std::size_t first_byte = 0) const;
    template <class T>
    void read_into(const Buffer& buffer, std::span<T> content) const {
        read(buffer, std::as_writable_bytes(content));
    }
    /// The kernels of a source, in the order of their names. What the compiler says if it refuses goes to a
    /// file, which the message names.
    [[nodiscard]] std::vector<Kernel> build(const std::string& source,
                                            std::span<const std::string_view> names) const;
    /// Lets it run for 0 .. items − 1, in groups of so many. Returns before it has ended.
    void run(const Kernel& kernel, std::size_t items, std::size_t together = 64) const;
    void finish() const;

  private:
    [[nodiscard]] std::shared_ptr<void> take(std::size_t bytes, const std::string& what) const;

    Device device_;
    std::shared_ptr<std::atomic<std::uint64_t>> taken_; ///< bytes of its memory
    std::shared_ptr<void> context_;
    std::shared_ptr<void> queue_;
};

} // namespace knossos::device
