#include <knossos/core/device_lost.hpp>

#include <exception>
#include <new>

namespace knossos {

std::string evaluation_fault() {
    try {
        throw;
    } catch (const InvalidInput&) {
        throw;
    } catch (const InputOutputError&) {
        throw;
    } catch (const DeviceLost&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        return *error.what() != '\0' ? error.what() : "the evaluation threw an exception without words";
    } catch (...) {
        return "the evaluation threw something that is no std::exception";
    }
}

} // namespace knossos
