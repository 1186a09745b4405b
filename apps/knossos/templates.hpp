#pragma once

#include <string_view>
#include <vector>

namespace knossos::app {

/// A file that `knossos new` writes. In it, @name@ stands for what the problem is called and @version@ for
/// the version that it is made for.
struct Template {
    std::string_view file;
    std::string_view text;
};

/// The files of apps/knossos/templates.
const std::vector<Template>& templates();

} // namespace knossos::app
