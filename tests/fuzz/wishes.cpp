// Wishes for mazes are read or refused with InvalidInput; what is read is the same when written and read
// again, and can be scored.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/maze/fitness.hpp>

#include <cmath>

using namespace knossos;

namespace {

int read_wishes(std::string_view text) {
    try {
        const maze::Fitness fitness{.terms = maze::parse_terms(text)};
        fitness.check(0);
        std::string written;
        for (const maze::Term& term : fitness.terms) written += maze::to_text(term) + ", ";
        fuzz::require(maze::parse_terms(written) == fitness.terms,
                      "wishes are the same when written and read again");
        const maze::Score score = fitness.score(maze::Measures{});
        fuzz::require(!std::isnan(score.total.value_or(0.0)), "a score is a number");
        fuzz::require(score.violation >= 0.0, "what is missed is a number");
        const Schema schema{fitness.columns(400)};
        std::vector<double> values(schema.size());
        fitness.evaluate(maze::Measures{}, Record{values.data(), 1});
        const Quality quality = schema.quality(values);
        fuzz::require(!std::isnan(quality.fitness) && !std::isnan(quality.violation), "so is a record");
        return 0;
    } catch (const InvalidInput&) {
        return 0;
    }
}

} // namespace

// A goal is the name of one of the five functions, or wishes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    try {
        (void)maze::parse_fitness_function(text);
        return 0;
    } catch (const InvalidInput&) {
        return read_wishes(text);
    }
}
