#pragma once

#include <knossos/render/formats.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::render {

/// Files in one ZIP, under their names, in their order. The same files give the same bytes, whatever time it
/// is. Throws InputOutputError if that fails.
std::string to_zip(std::span<const NamedBytes> files);

/// What `write` gives for each of the formats but zip, all with names; what several give alike is there once.
std::vector<NamedBytes> files_of_formats(std::span<const Format> formats, std::string_view stem,
                                         const std::function<std::vector<NamedBytes>(const Format&)>& write);

} // namespace knossos::render
