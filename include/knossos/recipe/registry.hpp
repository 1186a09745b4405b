#pragma once

#include <knossos/core/values.hpp>
#include <knossos/run/run.hpp>

#include <functional>
#include <vector>

namespace knossos {

/// A part that can be made by name.
template <class Part>
struct Entry {
    PartInfo info;
    std::function<Part(const Values&)> make;
};

const std::vector<Entry<Selection>>& selections();
const std::vector<Entry<Recombination>>& recombinations();
const std::vector<Entry<Mutation>>& mutations();
const std::vector<Entry<Improvement>>& improvements();
const std::vector<Entry<Replacement>>& replacements();
const std::vector<Entry<Algorithm>>& algorithms();

} // namespace knossos
