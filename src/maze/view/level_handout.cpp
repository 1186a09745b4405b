#include <knossos/core/text.hpp>
#include <knossos/maze/view/level.hpp>
#include <knossos/render/steps.hpp>

#include <fmt/format.h>

namespace knossos::maze {

namespace {

std::string steps_of(const std::vector<Cell>& path) {
    std::string steps;
    for (std::size_t i = 1; i < path.size(); ++i)
        steps += path[i].x > path[i - 1].x   ? 'e'
                 : path[i].x < path[i - 1].x ? 'w'
                 : path[i].y > path[i - 1].y ? 's'
                                             : 'n';
    return steps;
}

} // namespace

render::Handout level_handout(const Level& level, const LevelOptions& options) {
    const Survey survey = maze::survey(level);
    LevelOptions unsolved = options;
    unsolved.solution = false;
    render::Handout handout{.title = "Maze",
                            .caption = level_caption(level, survey.measures),
                            .picture = level_picture(level, unsolved),
                            .theme = options.theme};
    if (!options.solution) return handout;
    handout.answers_title = survey.path.empty() ? "There is no way to the exit" : "The shortest way";
    LevelOptions solved = options;
    solved.solution = true;
    handout.answers = level_picture(level, solved);
    if (survey.path.size() > 1)
        handout.lines = {fmt::format("In {}, to the north, west, east and south:",
                                     counted(survey.path.size() - 1, "step", "steps")),
                         render::step_runs(steps_of(survey.path))};
    return handout;
}

} // namespace knossos::maze
