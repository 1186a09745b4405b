#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::device {

/// Something that OpenCL runs kernels on.
struct Device {
    std::string name;     ///< "NVIDIA H200"
    std::string platform; ///< whose driver it is
    std::string version;  ///< "OpenCL 3.0 CUDA"
    std::string kind;     ///< "gpu", "cpu" or "accelerator"
    std::uint32_t units = 0;
    std::uint64_t memory = 0;        ///< bytes
    std::uint64_t largest_block = 0; ///< bytes that one allocation may have
    std::uint64_t shared_memory = 0; ///< bytes that the members of a group have together
    bool has_host_memory = false;    ///< its memory is the host's, as that of processors is
    std::string unfit{};             ///< why it can't be used; empty if it can
    void* id = nullptr;              ///< OpenCL's own
};

/// All there are. The OpenCL library is opened for it. Throws InvalidInput that says what is missing if there
/// is none.
std::vector<Device> devices();

/// The device of a name, or of a part of one that no other has, in either case. Of several of one name it is
/// the nth that can be used, counted round: processes that share a machine take one each. Throws InvalidInput
/// that lists those there are.
Device device_named(std::string_view name, std::size_t nth = 0);

/// What a device did in a measurement.
struct Speed {
    double random_numbers = 0.0; ///< Philox4x32-10, of 32 bits, a second
    double bytes = 0.0;          ///< copied from its memory to its memory, a second
};

/// Lets a device work for about so many seconds, after having checked that its numbers are ours. Throws
/// InvalidInput if they are not, or it can't be used.
Speed measure(const Device& device, double seconds);

} // namespace knossos::device
