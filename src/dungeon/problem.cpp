#include <knossos/dungeon/problem.hpp>

namespace knossos::dungeon {

namespace {

// What a thread keeps between evaluations. Only memory: nothing in it changes what is computed.
struct Bench {
    Judge judge;
    Level level;
};

Bench& bench() {
    thread_local Bench its;
    return its;
}

} // namespace

Level& decoding_level() { return bench().level; }

void evaluate_level(const Goal& goal, const Level& level, Record out) {
    Judgement judgement = bench().judge.judge(level, goal.needs());
    if (!goal.start.empty())
        judgement.measures[Measure::changes] = static_cast<double>(changes(goal.start, level));
    goal.evaluate(judgement, out);
}

} // namespace knossos::dungeon
