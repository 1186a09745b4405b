#include <knossos/render/formats.hpp>

namespace knossos::render {

const std::vector<std::string>& left_out_formats() {
    static const std::vector<std::string> none;
    return none;
}

} // namespace knossos::render
