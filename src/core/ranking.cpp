#include <knossos/core/fronts.hpp>
#include <knossos/core/ranking.hpp>

#include <algorithm>
#include <vector>

namespace knossos {

namespace {

// A record whose violation is known.
struct Rated {
    RecordView record;
    double violation;
};

// Whether a is at least as good everywhere and better somewhere. Among those who violate, less is better.
bool dominates(const Schema& schema, const Rated& a, const Rated& b) {
    if (a.violation != b.violation) return a.violation < b.violation;
    if (a.violation > 0.0) return false;
    bool is_better = false;
    for (const std::size_t objective : schema.objectives()) {
        const Column& column = schema.columns()[objective];
        const double of_a = lower_is_better(column, a.record[objective]);
        const double of_b = lower_is_better(column, b.record[objective]);
        if (of_a > of_b) return false;
        is_better = is_better || of_a < of_b;
    }
    return is_better;
}

} // namespace

void rate(const Schema& schema, Population& population, std::size_t individual) {
    if (population.plain()) return;
    const Record record = population.record(individual);
    const Quality quality = schema.quality(record);
    population.fitness()[individual] = quality.fitness;
    population.violations()[individual] = quality.violation;
    population.keys()[individual] = schema.violation(record);
    population.ties()[individual] = schema.preference(record);
}

void detail::rank_by_fronts(const Schema& schema, Population& first, Population* second) {
    std::vector<Population*> populations{&first};
    if (second != nullptr) populations.push_back(second);
    Points points{.objectives = schema.objectives().size()};
    for (const std::size_t objective : schema.objectives())
        for (const Population* one : populations)
            for (const double value : one->column(objective))
                points.values.push_back(lower_is_better(schema.columns()[objective], value));
    if (schema.has_violations())
        for (const Population* one : populations)
            points.violations.insert(points.violations.end(), one->violations().begin(),
                                     one->violations().end());
    const Fronts fronts = sort_into_fronts(points);
    std::size_t who = 0;
    for (Population* one : populations)
        for (std::size_t i = 0; i < one->size(); ++i, ++who) {
            one->keys()[i] = static_cast<double>(fronts.ranks[who]);
            one->ties()[i] = -fronts.distances[who];
        }
}

bool dominates(const Schema& schema, RecordView a, RecordView b) {
    return dominates(schema, Rated{a, schema.violation(a)}, Rated{b, schema.violation(b)});
}

bool same_objectives(const Schema& schema, RecordView a, RecordView b) {
    return schema.violation(a) == schema.violation(b) &&
           std::ranges::all_of(schema.objectives(), [&](std::size_t i) { return a[i] == b[i]; });
}

double loss(const Schema& schema, const Population& population, std::size_t a, std::size_t b) {
    if (population.plain()) {
        const auto fitness = population.fitness();
        const double worse =
            schema.objective() == Objective::maximise ? fitness[a] - fitness[b] : fitness[b] - fitness[a];
        return worse / schema.preference_scale();
    }
    const auto keys = population.keys();
    if (keys[a] != keys[b]) return keys[b] - keys[a];
    return (population.ties()[b] - population.ties()[a]) / schema.preference_scale();
}

} // namespace knossos
