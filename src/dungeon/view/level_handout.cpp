#include <knossos/core/text.hpp>
#include <knossos/dungeon/view/level.hpp>

#include <fmt/format.h>

namespace knossos::dungeon {

namespace {

void add_lines(std::vector<std::string>& lines, std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

} // namespace

render::Handout level_handout(const Level& level, const render::FormatOptions& options) {
    Judge judge;
    const Judgement judgement = judge.judge(level);
    render::FormatOptions unsolved = options;
    unsolved.switches["solution"] = false;
    render::Handout handout{.title = "Dungeon",
                            .caption = level_caption(level, judgement),
                            .picture = level_picture(level, unsolved),
                            .theme = options.theme};
    if (!options.is_on("solution", true)) return handout;
    const Walk solution = judge.solution(level);
    if (!solution.empty()) {
        handout.answers_title = "Walkthrough";
        handout.answers = level_picture(level, options);
        handout.lines.push_back(
            fmt::format("In {}; x,y counts from the upper left corner, from 0. After so many steps:",
                        counted(solution.size() - 1, "step", "steps")));
        add_lines(handout.lines, walk_text(level, solution));
    } else {
        handout.answers_title = "Nobody gets out";
        handout.lines.emplace_back("No walk leads to the exit.");
    }
    if (judgement.solvable && !judgement.unlosable) {
        handout.lines.emplace_back("");
        handout.lines.emplace_back("It can be lost. The shortest walk to where the exit is out of reach:");
        add_lines(handout.lines, walk_text(level, judge.losing_walk(level)));
    }
    for (const std::string& remark : remarks_on(level)) handout.lines.push_back("Remark: " + remark);
    return handout;
}

} // namespace knossos::dungeon
