#include "device/opencl.hpp"

#include "core/faults.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <fmt/format.h>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>

namespace knossos::device {

namespace {

constexpr std::string_view how_to_install =
    "on Debian, 'apt-get install ocl-icd-libopencl1' and a driver: nvidia-opencl-icd, mesa-opencl-icd, "
    "intel-opencl-icd, or pocl-opencl-icd, which runs kernels on the processor";

// The functions of the library, which is opened when somebody asks for a device: whoever does not, needs
// none.
struct Library {
#define KNOSSOS_OPENCL_FUNCTIONS(use)                                                                        \
    use(clGetPlatformIDs) use(clGetPlatformInfo) use(clGetDeviceIDs) use(clGetDeviceInfo)                    \
        use(clCreateContext) use(clReleaseContext) use(clCreateCommandQueue) use(clReleaseCommandQueue)      \
            use(clCreateBuffer) use(clReleaseMemObject) use(clCreateProgramWithSource) use(clReleaseProgram) \
                use(clBuildProgram) use(clGetProgramBuildInfo) use(clCreateKernel) use(clReleaseKernel)      \
                    use(clSetKernelArg) use(clEnqueueNDRangeKernel) use(clEnqueueReadBuffer)                 \
                        use(clEnqueueWriteBuffer) use(clFinish) use(clEnqueueMapBuffer)                      \
                            use(clEnqueueUnmapMemObject)
// NOLINTNEXTLINE(bugprone-macro-parentheses): it is the name of a member, too
#define KNOSSOS_OPENCL_DECLARE(function) decltype(&::function) function = nullptr;
    KNOSSOS_OPENCL_FUNCTIONS(KNOSSOS_OPENCL_DECLARE)
#undef KNOSSOS_OPENCL_DECLARE

    Library() {
        void* handle = nullptr;
        for (const char* const name : {"libOpenCL.so.1", "libOpenCL.so"})
            if (handle == nullptr) handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr)
            throw InvalidInput{
                fmt::format("devices need the OpenCL library libOpenCL.so.1, which is not installed here; {}",
                            how_to_install)};
#define KNOSSOS_OPENCL_FIND(function) find(handle, function, #function);
        KNOSSOS_OPENCL_FUNCTIONS(KNOSSOS_OPENCL_FIND)
#undef KNOSSOS_OPENCL_FIND
#undef KNOSSOS_OPENCL_FUNCTIONS
    }

    template <class Function>
    static void find(void* handle, Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(handle, name));
        if (function == nullptr)
            throw InvalidInput{
                fmt::format("the OpenCL library here has no {}, so it is older than OpenCL 1.2", name)};
    }
};

const Library& library() {
    static const Library its;
    return its;
}

std::string error_text(cl_int code) {
    switch (code) {
    case CL_DEVICE_NOT_AVAILABLE:
        return "the device is not available";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        return "its memory is used up";
    case CL_OUT_OF_RESOURCES:
        return "it is out of resources";
    case CL_OUT_OF_HOST_MEMORY:
        return "the host's memory is used up";
    default:
        return fmt::format("OpenCL says {}", code);
    }
}

// While a run is being prepared.
void require(cl_int code, const Device& device, std::string_view what) {
    if (code != CL_SUCCESS)
        throw InvalidInput{fmt::format("device '{}': {} failed: {}", device.name, what, error_text(code))};
}

// While it goes on.
void expect(cl_int code, const std::string& name, std::string_view what) {
    if (code != CL_SUCCESS)
        throw DeviceLost{fmt::format("device '{}' was lost: {} failed: {}", name, what, error_text(code))};
}

std::string text_of(cl_device_id id, cl_device_info what) {
    std::size_t bytes = 0;
    if (library().clGetDeviceInfo(id, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return {};
    std::string text(bytes, '\0');
    library().clGetDeviceInfo(id, what, bytes, text.data(), nullptr);
    text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
    while (text.ends_with(' ')) text.pop_back();
    while (text.starts_with(' ')) text.erase(0, 1);
    return text;
}

template <class Number>
Number number_of(cl_device_id id, cl_device_info what) {
    Number number{};
    library().clGetDeviceInfo(id, what, sizeof number, &number, nullptr);
    return number;
}

// "OpenCL 1.2 CUDA"
bool is_at_least_1_2(std::string_view version) {
    constexpr std::string_view prefix = "OpenCL ";
    if (!version.starts_with(prefix)) return false;
    version.remove_prefix(prefix.size());
    int major = 0;
    int minor = 0;
    const char* const end = version.data() + version.size();
    const auto read = std::from_chars(version.data(), end, major);
    if (read.ec != std::errc{} || read.ptr == end || *read.ptr != '.') return false;
    std::from_chars(read.ptr + 1, end, minor);
    return major > 1 || (major == 1 && minor >= 2);
}

Device described(cl_device_id id, const std::string& platform) {
    Device device{.name = text_of(id, CL_DEVICE_NAME),
                  .platform = platform,
                  .version = text_of(id, CL_DEVICE_VERSION),
                  .kind = "accelerator",
                  .units = number_of<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS),
                  .memory = number_of<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE),
                  .largest_block = number_of<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
                  .shared_memory = number_of<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE),
                  .has_host_memory = number_of<cl_bool>(id, CL_DEVICE_HOST_UNIFIED_MEMORY) != CL_FALSE,
                  .id = id};
    const auto type = number_of<cl_device_type>(id, CL_DEVICE_TYPE);
    if ((type & CL_DEVICE_TYPE_GPU) != 0) device.kind = "gpu";
    if ((type & CL_DEVICE_TYPE_CPU) != 0) device.kind = "cpu";
    if (!is_at_least_1_2(device.version))
        device.unfit = fmt::format("its driver has {}; OpenCL 1.2 or newer is needed", device.version);
    else if (number_of<cl_bool>(id, CL_DEVICE_AVAILABLE) == CL_FALSE)
        device.unfit = "it is not available";
    else if (number_of<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE)
        device.unfit = "its driver has no compiler";
    else if (number_of<cl_bool>(id, CL_DEVICE_ENDIAN_LITTLE) == CL_FALSE)
        device.unfit = "it keeps numbers with the highest byte first";
    return device;
}

std::string lower(std::string_view text) {
    std::string low{text};
    std::ranges::transform(low, low.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return low;
}

cl_mem memory_of(const std::shared_ptr<void>& handle) { return static_cast<cl_mem>(handle.get()); }

// Where what a compiler said is kept.
std::filesystem::path log_file() {
    std::error_code ignored;
    std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
    if (folder.empty()) folder = ".";
    return folder / fmt::format("knossos-kernel-{}.log", getpid());
}

// The beginning of it, for where it can't be kept.
std::string first_lines(std::string_view log) {
    constexpr std::size_t most_bytes = 600;
    constexpr int most_lines = 5;
    log = log.substr(0, std::min(log.find('\0'), most_bytes));
    std::size_t end = 0;
    for (int line = 0; line < most_lines && end < log.size(); ++line)
        end = std::min(log.find('\n', end), log.size() - 1) + 1;
    log = log.substr(0, end);
    while (log.ends_with('\n')) log.remove_suffix(1);
    return std::string{log.empty() ? "nothing" : log};
}

// What a compiler says goes to a file, as kernels are long.
[[noreturn]] void refuse_kernels(const Device& device, const std::string& log, const std::string& source) {
    const std::filesystem::path file = log_file();
    const std::string refusal = fmt::format("device '{}': its driver can't build the kernels; ", device.name);
    try {
        write_file(file, fmt::format("{}\n{}\n\n{}", device.name, log.c_str(), source));
    } catch (const InputOutputError& error) {
        throw InvalidInput{fmt::format("{}what it says could not be kept ({}):\n{}", refusal, error.what(),
                                       first_lines(log))};
    }
    throw InvalidInput{fmt::format("{}what it says is in {}", refusal, file.string())};
}

} // namespace

std::vector<Device> devices() {
    cl_uint count = 0;
    library().clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    if (count != 0) library().clGetPlatformIDs(count, platforms.data(), nullptr);
    std::vector<Device> all;
    for (cl_platform_id platform : platforms) {
        std::array<char, 256> name{};
        library().clGetPlatformInfo(platform, CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr);
        cl_uint found = 0;
        if (library().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &found) != CL_SUCCESS)
            continue;
        std::vector<cl_device_id> ids(found);
        library().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, found, ids.data(), nullptr);
        for (cl_device_id id : ids) all.push_back(described(id, name.data()));
    }
    if (all.empty())
        throw InvalidInput{
            fmt::format("OpenCL is installed here, but no driver that has a device; {}", how_to_install)};
    return all;
}

Device device_named(std::string_view name, std::size_t nth) {
    const std::vector<Device> all = devices();
    const std::string wanted = lower(name);
    std::vector<const Device*> fitting;
    for (const Device& one : all)
        if (lower(one.name) == wanted) fitting.push_back(&one);
    // A blank is a part of nearly every name.
    if (fitting.empty() && wanted.find_first_not_of(' ') != std::string::npos)
        for (const Device& one : all)
            if (lower(one.name).find(wanted) != std::string::npos) fitting.push_back(&one);
    std::string list;
    for (const Device& one : all) list += fmt::format("{}'{}'", list.empty() ? "" : ", ", one.name);
    if (fitting.empty())
        throw InvalidInput{
            fmt::format("there is no device '{}'; there is {}, and 'cpu' and 'auto'", name, list)};
    // Several of one name are alike: any will do.
    if (std::ranges::any_of(fitting, [&](const Device* one) { return one->name != fitting.front()->name; }))
        throw InvalidInput{fmt::format("'{}' may be several devices; there is {}", name, list)};
    const Device first = *fitting.front();
    std::erase_if(fitting, [](const Device* one) { return !one->unfit.empty(); });
    if (fitting.empty())
        throw InvalidInput{fmt::format("device '{}' can't be used: {}", first.name, first.unfit)};
    return *fitting[nth % fitting.size()];
}

void Kernel::set(unsigned index, const Buffer& buffer) {
    cl_mem memory = memory_of(buffer.handle_);
    // The handle itself is what OpenCL wants.
    set_bytes(index, sizeof(cl_mem), static_cast<const void*>(&memory));
}

void Kernel::set_bytes(unsigned index, std::size_t bytes, const void* value) {
    if (library().clSetKernelArg(static_cast<cl_kernel>(handle_.get()), index, bytes, value) != CL_SUCCESS)
        throw DeviceLost{fmt::format("{}: its argument {} was refused", whose_, index)};
}

Queue::Queue(const Device& device)
    : device_{device}, taken_{std::make_shared<std::atomic<std::uint64_t>>(0)} {
    auto* const id = static_cast<cl_device_id>(device.id);
    cl_int code = CL_SUCCESS;
    cl_context context = library().clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code);
    require(code, device_, "opening it");
    context_ = {context, [](void* its) { library().clReleaseContext(static_cast<cl_context>(its)); }};
    cl_command_queue queue = library().clCreateCommandQueue(context, id, 0, &code);
    require(code, device_, "making a queue");
    queue_ = {queue, [](void* its) { library().clReleaseCommandQueue(static_cast<cl_command_queue>(its)); }};
}

// Notes that so much of its memory is taken, until nobody has what is returned any more.
std::shared_ptr<void> Queue::take(std::size_t bytes, const std::string& what) const {
    const std::uint64_t before = taken_->fetch_add(bytes);
    std::shared_ptr<void> noted{taken_.get(), [taken = taken_, bytes](void* /*its*/) { *taken -= bytes; }};
    if (before + bytes > usable_memory_of(device_) || bytes > device_.largest_block)
        expect(CL_MEM_OBJECT_ALLOCATION_FAILURE, device_.name, what);
    return noted;
}

Buffer Queue::make_buffer(std::size_t bytes) const {
    bytes = std::max<std::size_t>(bytes, smallest_block);
    const std::string what = fmt::format("taking {} bytes of its memory", bytes);
    if (fault("device.memory") != 0) expect(CL_MEM_OBJECT_ALLOCATION_FAILURE, device_.name, what);
    std::shared_ptr<void> noted = take(bytes, what);
    cl_int code = CL_SUCCESS;
    cl_mem memory = library().clCreateBuffer(static_cast<cl_context>(context_.get()), CL_MEM_READ_WRITE,
                                             bytes, nullptr, &code);
    expect(code, device_.name, what);
    return {{memory, [noted = std::move(noted)](
                         void* its) { library().clReleaseMemObject(static_cast<cl_mem>(its)); }},
            bytes};
}

void Queue::try_memory(const MemoryNeed& need, std::size_t times) const {
    std::vector<Buffer> taken;
    for (const auto& [bytes, count] : need.blocks()) {
        // Many small ones are as good as a large one.
        const std::uint64_t together = std::max<std::uint64_t>(1, device_.largest_block / bytes);
        for (std::uint64_t left = count * times; left > 0; left -= std::min(left, together)) {
            taken.push_back(make_buffer(bytes * std::min(left, together)));
            // Drivers may take memory only when somebody uses it.
            constexpr std::array<std::byte, smallest_block> some{};
            write(taken.back(), some);
        }
    }
}

HostMemory Queue::make_host_memory(std::size_t bytes) const {
    bytes = std::max<std::size_t>(bytes, smallest_block);
    const std::string what = fmt::format("taking {} bytes that it shares with the host", bytes);
    std::shared_ptr<void> noted = device_.has_host_memory ? take(bytes, what) : nullptr;
    cl_int code = CL_SUCCESS;
    cl_mem memory =
        library().clCreateBuffer(static_cast<cl_context>(context_.get()),
                                 CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code);
    expect(code, device_.name, what);
    auto* const queue = static_cast<cl_command_queue>(queue_.get());
    void* const mapped = library().clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                                      bytes, 0, nullptr, nullptr, &code);
    HostMemory made;
    made.handle_ = {memory, [held = queue_, mapped, noted = std::move(noted)](void* its) {
                        auto* const shared = static_cast<cl_mem>(its);
                        if (mapped != nullptr)
                            library().clEnqueueUnmapMemObject(static_cast<cl_command_queue>(held.get()),
                                                              shared, mapped, 0, nullptr, nullptr);
                        library().clReleaseMemObject(shared);
                    }};
    expect(code, device_.name, what);
    made.bytes_ = {static_cast<std::byte*>(mapped), bytes};
    return made;
}

void Queue::write(const Buffer& buffer, std::span<const std::byte> content, std::size_t first_byte) const {
    if (content.empty()) return;
    expect(library().clEnqueueWriteBuffer(static_cast<cl_command_queue>(queue_.get()),
                                          memory_of(buffer.handle_), CL_TRUE, first_byte, content.size(),
                                          content.data(), 0, nullptr, nullptr),
           device_.name, "writing to it");
}

void Queue::read(const Buffer& buffer, std::span<std::byte> content, std::size_t first_byte) const {
    if (content.empty()) return;
    if (fault("device.read") != 0) expect(CL_OUT_OF_RESOURCES, device_.name, "reading from it");
    expect(library().clEnqueueReadBuffer(static_cast<cl_command_queue>(queue_.get()),
                                         memory_of(buffer.handle_), CL_TRUE, first_byte, content.size(),
                                         content.data(), 0, nullptr, nullptr),
           device_.name, "reading from it");
}

std::vector<Kernel> Queue::build(const std::string& source, std::span<const std::string_view> names) const {
    auto* const id = static_cast<cl_device_id>(device_.id);
    const char* text = source.c_str();
    cl_int code = CL_SUCCESS;
    cl_program made = library().clCreateProgramWithSource(static_cast<cl_context>(context_.get()), 1, &text,
                                                          nullptr, &code);
    require(code, device_, "reading the kernels");
    const std::shared_ptr<void> program{
        made, [](void* its) { library().clReleaseProgram(static_cast<cl_program>(its)); }};
    // No options that let a compiler take liberties: results must be those of the processor.
    if (library().clBuildProgram(made, 1, &id, "-cl-std=CL1.2", nullptr, nullptr) != CL_SUCCESS) {
        std::size_t bytes = 0;
        library().clGetProgramBuildInfo(made, id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
        std::string log(bytes, '\0');
        library().clGetProgramBuildInfo(made, id, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
        refuse_kernels(device_, log, source);
    }
    std::vector<Kernel> kernels;
    for (const std::string_view name : names) {
        cl_kernel kernel = library().clCreateKernel(made, std::string{name}.c_str(), &code);
        require(code, device_, fmt::format("making the kernel {}", name));
        kernels.push_back(
            Kernel{{kernel, [program](void* its) { library().clReleaseKernel(static_cast<cl_kernel>(its)); }},
                   fmt::format("device '{}' was lost: the kernel {}", device_.name, name)});
    }
    return kernels;
}

void Queue::run(const Kernel& kernel, std::size_t items, std::size_t together) const {
    if (items == 0) return;
    const std::size_t all = (items + together - 1) / together * together;
    expect(library().clEnqueueNDRangeKernel(static_cast<cl_command_queue>(queue_.get()),
                                            static_cast<cl_kernel>(kernel.handle_.get()), 1, nullptr, &all,
                                            &together, 0, nullptr, nullptr),
           device_.name, "starting a kernel");
}

void Queue::finish() const {
    expect(library().clFinish(static_cast<cl_command_queue>(queue_.get())), device_.name, "running a kernel");
}

} // namespace knossos::device
