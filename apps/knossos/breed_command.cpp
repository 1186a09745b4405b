#include "commands.hpp"
#include "outputs.hpp"
#include "terminal.hpp"

#include <knossos/core/text.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/run_folder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include <unistd.h>

namespace knossos::app {

namespace {

// Columns that a line takes on a terminal: colours take none.
std::size_t shown_width(std::string_view line) {
    std::string plain;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\033')
            i = std::min(line.find('m', i), line.size() - 1);
        else
            plain += line[i];
    }
    return width_of(plain);
}

// Up to the first empty line, behind which it is said how it scored; sentences in as many lines as they take.
std::vector<std::string> lines_of(const std::string& text, std::size_t columns) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line) && !line.empty();) {
        std::istringstream parts{shown_width(line) > columns ? wrapped(line, "", columns) : line};
        for (std::string part; std::getline(parts, part);) lines.push_back(part);
    }
    return lines;
}

// Texts beside each other, each in so many columns.
std::string side_by_side(const std::vector<std::vector<std::string>>& texts, std::size_t columns) {
    std::size_t height = 0;
    for (const auto& lines : texts) height = std::max(height, lines.size());
    std::string all;
    for (std::size_t row = 0; row < height; ++row) {
        std::string line;
        for (const auto& lines : texts) {
            const std::string part = row < lines.size() ? lines[row] : "";
            line += part + std::string(columns + 2 - std::min(columns, shown_width(part)), ' ');
        }
        line.resize(line.find_last_not_of(' ') + 1);
        all += line + "\n";
    }
    return all;
}

// Whether what is answered, and the end of its line, is seen on standard output.
bool echoes() { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }

class Breeding {
  public:
    Breeding(Recipe recipe, const BreedOptions& options)
        : recipe_{std::move(recipe)}, options_{options}, outputs_{options.outputs} {
        check_outputs(recipe_, outputs_);
    }

    int begin_anew() {
        if (!options_.folder.empty()) {
            folder_ = RunFolder::create(options_.folder, recipe_);
            lock_.emplace(folder_->claim());
        }
        run_.emplace(recipe_.problem(), recipe_.settings());
        return go_on();
    }

    int take_up(RunFolder folder) {
        folder_ = std::move(folder);
        lock_.emplace(folder_->claim());
        std::string remark;
        run_.emplace(folder_->resume(recipe_.settings(), remark));
        run_->finish(); // a choice that was made and not carried out yet
        return go_on();
    }

  private:
    int go_on() {
        save();
        while (true) {
            show();
            fmt::print("who goes on? (numbers; or end, with those to keep) ");
            (void)std::fflush(stdout);
            std::string answer;
            const bool is_asked = static_cast<bool>(std::getline(std::cin, answer));
            if (!is_asked) answer = "end";
            if (!is_asked || !echoes()) fmt::print("\n");
            try {
                if (answer.starts_with("end")) return end(answer.substr(3));
                choose(answer);
            } catch (const InvalidInput& error) {
                fmt::print("{}\n", error.what());
            }
        }
    }

    [[nodiscard]] const Population& population() const { return run_->islands().front().current; }

    [[nodiscard]] ArtefactPtr artefact(std::size_t individual) const {
        return recipe_.decoder()(population().space(), population().genome(individual));
    }

    void show() const {
        constexpr std::size_t beside = 3;
        const std::size_t width = std::max<std::size_t>((output_width() - 2 * (beside - 1)) / beside, 10);
        render::TerminalOptions terminal = terminal_options(options_.ascii);
        terminal.columns = static_cast<std::uint32_t>(width);
        fmt::print("\ngeneration {}\n\n", run_->status().statistics.generation);
        for (std::size_t first = 0; first < population().size(); first += beside) {
            std::vector<std::vector<std::string>> texts;
            for (std::size_t i = first; i < std::min(first + beside, population().size()); ++i) {
                auto& lines = texts.emplace_back(lines_of(artefact(i)->text(terminal), width));
                lines.insert(lines.begin(),
                             fmt::format("{}  fitness {:.6g}", i + 1, population().fitness()[i]));
            }
            fmt::print("{}\n", side_by_side(texts, width));
        }
    }

    void choose(const std::string& answer) {
        const auto chosen = chosen_in(answer, population().size());
        std::vector<std::uint32_t> numbers;
        for (const std::uint32_t one : chosen) numbers.push_back(one + 1);
        auto choices = std::get<std::string>(recipe_.choice("algorithm")->values.at("choices"));
        choices += fmt::format("{}{}", choices.empty() ? "" : "; ", fmt::join(numbers, " "));
        recipe_ = Recipe::parse(recipe_.to_toml(), recipe_.name(),
                                {fmt::format("algorithm.choices='{}'", choices)}, recipe_.registry());
        // The choice first: a kill between the two loses nothing.
        if (folder_) folder_->change_recipe(recipe_);
        run_.emplace(recipe_.problem(), recipe_.settings(), run_->snapshot());
        run_->finish();
        save();
        last_chosen_ = chosen.size();
    }

    void save() const {
        if (folder_) folder_->save(*run_);
    }

    // Those named, else those that were chosen last, which stand in front.
    int end(const std::string& named) {
        std::vector<std::uint32_t> kept;
        if (named.find_first_not_of(' ') != std::string::npos)
            kept = chosen_in(named, population().size());
        else
            for (std::uint32_t i = 0; i < last_chosen_; ++i) kept.push_back(i);
        for (std::size_t i = 0; i < kept.size(); ++i)
            for (const std::string& output : outputs_) {
                const std::string file = kept.size() == 1 ? output : numbered(output, i + 1, kept.size());
                write_artefact(file, *artefact(kept[i]), knossos::format_of(output, recipe_.registry()));
                fmt::print("individual {} is in {}\n", kept[i] + 1, file);
            }
        const std::string& program = recipe_.registry().program();
        if (folder_) {
            folder_->finish(*run_);
            fmt::print("go on with: {} breed {}\n", program, folder_->path().string());
        } else if (run_->status().statistics.generation > 0) {
            std::vector<std::string> parts{fmt::format("{} run {}", program, shell_word(options_.recipe)),
                                           fmt::format("--seed {}", recipe_.seed())};
            for (const std::string& one : breeding_overrides(options_))
                parts.push_back("--set " + shell_word(one));
            parts.push_back("--set " +
                            shell_word(fmt::format(
                                "algorithm.choices=\"{}\"",
                                std::get<std::string>(recipe_.choice("algorithm")->values.at("choices")))));
            fmt::print("again:\n{}\n", wrapped_command(parts, "  "));
        }
        return reached;
    }

    Recipe recipe_;
    const BreedOptions& options_;
    std::vector<std::string> outputs_;
    std::optional<RunFolder> folder_;
    std::optional<FolderLock> lock_;
    std::optional<Run> run_;
    std::size_t last_chosen_ = 0;
};

} // namespace

// What makes a recipe one that somebody chooses in, and then what was asked for.
std::vector<std::string> breeding_overrides(const BreedOptions& options) {
    std::vector<std::string> overrides{"algorithm.kind=chosen", "algorithm.population=9", "islands.count=1"};
    overrides.insert(overrides.end(), options.overrides.begin(), options.overrides.end());
    return overrides;
}

int breed(const BreedOptions& options, const Registry& registry) {
    const auto refuse_blind = [&](const Recipe& recipe) {
        if (!recipe.decoder())
            throw InvalidInput{
                fmt::format("{}: there is nothing to look at in {}, so that nobody could choose",
                            options.recipe, recipe.choice("problem")->kind)};
    };
    std::error_code ignored; // then it is no folder
    if (std::filesystem::is_directory(options.recipe, ignored)) {
        RunFolder folder = RunFolder::open(options.recipe, registry);
        if (folder.recipe().choice("algorithm")->kind != Chosen::name)
            throw InvalidInput{fmt::format("{}: nobody chooses in this run; its algorithm is {}",
                                           options.recipe, folder.recipe().choice("algorithm")->kind)};
        refuse_blind(folder.recipe());
        return Breeding{folder.recipe(), options}.take_up(std::move(folder));
    }
    auto overrides = breeding_overrides(options);
    if (options.seed) overrides.push_back(fmt::format("seed={}", *options.seed));
    const Recipe recipe = Recipe::load(options.recipe, overrides, registry).with_stop({});
    if (recipe.choice("problem") == nullptr)
        throw InvalidInput{fmt::format("{}: names no problem", options.recipe)};
    refuse_blind(recipe);
    return Breeding{recipe, options}.begin_anew();
}

} // namespace knossos::app
