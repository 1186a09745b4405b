#include <knossos/core/text.hpp>
#include <knossos/maze/view/level_members.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace knossos::maze {

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

template <class Each>
void for_each_member(std::uint64_t members, Each each) {
    for (std::size_t i = 0; i < most_checkpoints; ++i)
        if ((members >> i & 1U) != 0) each(i + 1);
}

std::vector<std::string> names_of(std::uint64_t members) {
    std::vector<std::string> names;
    for_each_member(members, [&](std::size_t number) { names.push_back(fmt::format("C{}", number)); });
    return names;
}

// Words behind a head, in as many lines as they take; the lines after the first begin under the first word.
std::string listed(const std::string& head, const std::vector<std::string>& words, std::size_t columns) {
    std::string text = head;
    std::size_t used = head.size();
    bool begins = true;
    for (const std::string& word : words) {
        if (!begins && used + 1 + word.size() > columns) {
            text += '\n' + std::string(head.size(), ' ');
            used = head.size();
            begins = true;
        }
        text += (begins ? "" : " ") + word;
        used += word.size() + (begins ? 0 : 1);
        begins = false;
    }
    return text + '\n';
}

// The sets of members that occur, the small ones first, with how many cells have each.
struct MemberSet {
    std::uint64_t members;
    std::size_t cells;
};

std::vector<MemberSet> sets_of(const Survey& survey) {
    std::map<std::uint64_t, std::size_t> cells;
    for (const std::uint64_t members : survey.members)
        if (members != 0) ++cells[members];
    std::vector<MemberSet> sets;
    for (const auto& [members, count] : cells) sets.push_back({members, count});
    std::ranges::sort(
        sets, {}, [](const MemberSet& set) { return std::pair{std::popcount(set.members), set.members}; });
    return sets;
}

std::string member_map(const Level& level, const Survey& survey, const std::vector<MemberSet>& sets) {
    std::string text;
    for (std::size_t i = 0; i < survey.members.size(); ++i) {
        if (i % survey.width == 0) text += i == 0 ? "  " : "\n  ";
        if (level.grid.is_rock(level.grid.cell(i)))
            text += '#';
        else if (survey.distance[i] < 0)
            text += '?';
        else if (survey.members[i] == 0)
            text += '.';
        else
            text += letters[static_cast<std::size_t>(
                std::ranges::find(sets, survey.members[i], &MemberSet::members) - sets.begin())];
    }
    return text + '\n';
}

template <class Write>
std::string joined(std::size_t count, Write write) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + write(i);
    return text + "]";
}

} // namespace

std::string pairs_text(const Survey& survey, std::size_t columns) {
    if (survey.checkpoints < 2) return "  no pair of checkpoints\n";
    std::string text = "  pair         prc    iprc  witnesses\n";
    for (std::size_t i = 0; i < survey.checkpoints; ++i)
        for (std::size_t j = i + 1; j < survey.checkpoints; ++j) {
            std::vector<std::string> cells;
            for (const Cell cell : survey.witnesses(i, j))
                cells.push_back(fmt::format("{},{}", cell.x, cell.y));
            if (cells.empty()) cells.emplace_back("none");
            text += listed(fmt::format("  {:<8} {:>7} {:>7}  ", fmt::format("C{} C{}", i + 1, j + 1),
                                       survey.prc(i, j), survey.iprc(i, j)),
                           cells, columns);
        }
    return text;
}

std::string pairs_json(const Survey& survey) {
    std::string text = "[";
    for (std::size_t i = 0; i < survey.checkpoints; ++i)
        for (std::size_t j = i + 1; j < survey.checkpoints; ++j) {
            const std::vector<Cell> cells = survey.witnesses(i, j);
            fmt::format_to(std::back_inserter(text),
                           "{}{{\"pair\":[\"C{}\",\"C{}\"],\"prc\":{},\"iprc\":{},\"witnesses\":{}}}",
                           text.size() == 1 ? "" : ",", i + 1, j + 1, survey.prc(i, j), survey.iprc(i, j),
                           joined(cells.size(), [&](std::size_t at) {
                               return fmt::format("[{},{}]", cells[at].x, cells[at].y);
                           }));
        }
    return text + "]";
}

std::string members_text(const Level& level, const Survey& survey, std::size_t columns) {
    const std::vector<MemberSet> sets = sets_of(survey);
    const bool is_drawn = survey.width + 2 <= columns && sets.size() <= letters.size();
    std::string text = is_drawn ? member_map(level, survey, sets) + '\n'
                                : fmt::format("  {}; --json has the members of every cell\n\n",
                                              survey.width + 2 > columns
                                                  ? fmt::format("{} columns don't fit here", survey.width)
                                                  : fmt::format("{} different sets of members are more than "
                                                                "there are letters",
                                                                thousands(sets.size())));
    std::size_t without = survey.measures.reachable_cells;
    for (const MemberSet& set : sets) without -= set.cells;
    const auto line = [&](char letter, std::size_t cells, const std::vector<std::string>& names) {
        return listed(fmt::format("  {} {:>14}  ", letter, counted(cells, "cell", "cells")), names, columns);
    };
    text += line(is_drawn ? '.' : ' ', without, {"no members"});
    for (std::size_t i = 0; i < sets.size(); ++i)
        text += line(is_drawn ? letters[i] : ' ', sets[i].cells, names_of(sets[i].members));
    return text;
}

std::string members_json(const Survey& survey) {
    return joined(survey.members.size() / survey.width, [&](std::size_t row) {
        return joined(survey.width, [&](std::size_t column) -> std::string {
            const std::size_t index = row * survey.width + column;
            if (survey.distance[index] < 0) return "null";
            const std::vector<std::string> names = names_of(survey.members[index]);
            return joined(names.size(), [&](std::size_t i) { return '"' + names[i] + '"'; });
        });
    });
}

} // namespace knossos::maze
