#include "colouring.hpp"

#include <knossos/domain/domain.hpp>

#include <bit>
#include <cmath>
#include <numbers>

namespace colouring {

namespace {

constexpr std::string_view recipe = R"(
name = "colouring"
description = "Few colourings, recombined by their classes and improved vertex by vertex"

[problem]
kind = "colouring"

[algorithm]
kind = "steady-state"
population = 10

[stages.recombine]
kind = "greedy-partition"

[stages.mutate]
kind = "point"
probability = 0.2

[stages.improve]
kind = "hill-climb"
attempts = 2000
accept_equal = true

[stages.replace]
kind = "worst"

[stop]
solved = true
evaluations = 20_000_000
)";

// The [problem] of a recipe.
struct Fields {
    std::string file{};
    std::uint32_t colours = 5;

    static constexpr std::string_view name = "colouring";
    static constexpr auto fields() {
        return std::tuple{
            knossos::field(
                "file", &Fields::file,
                "a graph in DIMACS format; without one, the squares of a 5 × 5 board and the moves "
                "of a queen"),
            knossos::field("colours", &Fields::colours, 2, 1000, "how many may be used")};
    }
    [[nodiscard]] std::shared_ptr<const Graph> graph() const {
        return std::make_shared<const Graph>(file.empty() ? queens_graph(5) : read_graph(file));
    }
    [[nodiscard]] knossos::Problem make() const { return Colouring{graph(), colours}; }
};

std::string counted(std::size_t number, const std::string& one, const std::string& many) {
    return std::to_string(number) + " " + (number == 1 ? one : many);
}

// A graph with its colours: what a genome stands for.
class Coloured final : public knossos::Artefact {
  public:
    Coloured(std::shared_ptr<const Graph> graph, std::uint32_t colours, std::vector<std::uint32_t> colour)
        : graph_{std::move(graph)}, classes_(colours), colour_{std::move(colour)} {
        for (std::uint32_t vertex = 0; vertex < colour_.size(); ++vertex)
            classes_[colour_[vertex]].push_back(vertex);
        for (const Edge& edge : graph_->edges)
            if (colour_[edge.first] == colour_[edge.second]) conflicts_.push_back(edge);
    }

    // Vertices are counted as in the file.
    [[nodiscard]] std::string json() const override {
        std::string classes;
        for (const auto& members : classes_) {
            std::string list;
            for (const std::uint32_t vertex : members)
                list += (list.empty() ? "" : ",") + std::to_string(vertex + 1);
            classes += (classes.empty() ? "[" : ",[") + list + "]";
        }
        std::string conflicts;
        for (const auto& [a, b] : conflicts_)
            conflicts +=
                (conflicts.empty() ? "[" : ",[") + std::to_string(a + 1) + "," + std::to_string(b + 1) + "]";
        return "{\"vertices\":" + std::to_string(graph_->vertices()) +
               ",\"edges\":" + std::to_string(graph_->edges.size()) + ",\"classes\":[" + classes +
               "],\"conflicts\":[" + conflicts + "]}";
    }

    [[nodiscard]] std::string text(const knossos::render::TerminalOptions& options) const override {
        const std::size_t columns = std::max<std::size_t>(options.columns, 40);
        std::string all = caption() + "\n";
        for (std::size_t colour = 0; colour < classes_.size(); ++colour) {
            std::string line = "  colour " + std::to_string(colour + 1) + ":";
            const std::string indent(line.size(), ' ');
            for (const std::uint32_t vertex : classes_[colour]) {
                const std::string word = " " + std::to_string(vertex + 1);
                if (line.size() + word.size() > columns) {
                    all += line + "\n";
                    line = indent;
                }
                line += word;
            }
            all += line + "\n";
        }
        return all;
    }

    [[nodiscard]] knossos::render::Picture
    picture(const knossos::render::FormatOptions& options) const override {
        namespace render = knossos::render;
        const double dot = options.cell == 0 ? 10.0 : options.cell / 2.0;
        const double around = dot * 3.0 * static_cast<double>(graph_->vertices());
        const double radius = std::min(std::max(around / (2.0 * std::numbers::pi), 4.0 * dot),
                                       options.max_side / 2.0 - 2.0 * dot);
        const double side = 2.0 * (radius + 2.0 * dot);
        const auto place = [&](std::uint32_t vertex) {
            const double angle = 2.0 * std::numbers::pi * vertex / graph_->vertices();
            return render::Point{side / 2.0 + radius * std::sin(angle),
                                 side / 2.0 - radius * std::cos(angle)};
        };
        const auto lines = [&](const std::vector<Edge>& edges) {
            render::Path path;
            for (const auto& [a, b] : edges) path.move_to(place(a)).line_to(place(b));
            return path;
        };
        render::Picture picture{.width = static_cast<std::uint32_t>(side),
                                .height = static_cast<std::uint32_t>(side),
                                .ground = options.theme.ground,
                                .title = caption()};
        picture.shapes.emplace_back(
            render::Stroke{.path = lines(graph_->edges), .colour = options.theme.quiet, .width = 0.5});
        picture.shapes.emplace_back(
            render::Stroke{.path = lines(conflicts_), .colour = options.theme.terracotta, .width = 3.0});
        for (std::uint32_t vertex = 0; vertex < graph_->vertices(); ++vertex) {
            const double share = colour_[vertex] / std::max(1.0, static_cast<double>(classes_.size()) - 1.0);
            picture.shapes.emplace_back(
                render::Disc{.centre = place(vertex), .radius = dot, .colour = render::cividis(share)});
        }
        return picture;
    }

    [[nodiscard]] std::string caption() const override {
        return counted(classes_.size(), "colour", "colours") + ", " +
               (conflicts_.empty() ? "no conflict" : counted(conflicts_.size(), "conflict", "conflicts"));
    }
    [[nodiscard]] std::vector<knossos::Measured> measures() const override {
        std::size_t used = 0;
        for (const auto& members : classes_) used += members.empty() ? 0U : 1U;
        return {{"conflicts", static_cast<double>(conflicts_.size()), "edges that join two of one colour"},
                {"colours", static_cast<double>(used), "colours that are used"}};
    }
    [[nodiscard]] bool is_reached() const override { return conflicts_.empty(); }
    [[nodiscard]] std::vector<std::uint8_t> cells() const override {
        return {colour_.begin(), colour_.end()};
    }

  private:
    std::shared_ptr<const Graph> graph_;
    std::vector<std::vector<std::uint32_t>> classes_;
    std::vector<std::uint32_t> colour_;
    std::vector<Edge> conflicts_;
};

// Of one problem: the graph is read once for all its genomes.
knossos::Decoder decoder(const knossos::Values& values) {
    const auto fields = knossos::from_values<Fields>(values);
    return [graph = fields.graph(), colours = fields.colours](
               const knossos::Space& space, const std::byte* genome) -> knossos::ArtefactPtr {
        std::vector<std::uint32_t> colour(space.length);
        knossos::visit_genome(space, genome, [&](auto genes) {
            for (std::size_t i = 0; i < colour.size(); ++i) colour[i] = static_cast<std::uint32_t>(genes[i]);
        });
        return std::make_unique<Coloured>(graph, colours, std::move(colour));
    };
}

std::optional<std::string> why_unwatchable(const knossos::Values& values, std::uint64_t /*individuals*/) {
    constexpr std::size_t most = 50'000;
    const std::size_t edges = knossos::from_values<Fields>(values).graph()->edges.size();
    if (edges <= most) return std::nullopt;
    return "the graph has " + std::to_string(edges) + " edges; the studio draws up to " +
           std::to_string(most);
}

knossos::Domain domain() {
    knossos::Domain domain = knossos::domain_of_fields<Fields>("a graph, no edge of which may join two of "
                                                               "one colour");
    domain.title = "Colouring";
    domain.things = "colourings";
    domain.decoder = decoder;
    domain.formats = knossos::render::common_formats();
    std::erase_if(domain.formats, [](const auto& format) { return format.name == "csv"; });
    domain.why_unwatchable = why_unwatchable;
    domain.shown_beside = [](const knossos::Values&, const knossos::Space& space) -> std::size_t {
        return space.length <= 500 ? 8 : 0;
    };
    domain.describe = [](const knossos::Values& values) {
        const auto fields = knossos::from_values<Fields>(values);
        return (fields.file.empty() ? "queens on 5 × 5" : fields.file) + ", " +
               counted(fields.colours, "colour", "colours");
    };
    return domain;
}

// Islands at the corners of a cube of as many dimensions as it takes: each hears from those whose number
// differs from its own in one binary digit.
knossos::OwnTopology hypercube() {
    return {.name = "hypercube",
            .senders =
                [](knossos::Stream&, std::uint32_t count, std::uint32_t island) {
                    std::vector<std::uint32_t> senders;
                    for (std::uint32_t digit = 1; digit < count; digit *= 2)
                        if ((island ^ digit) < count) senders.push_back(island ^ digit);
                    return senders;
                },
            .most_senders =
                [](std::uint32_t count) { return static_cast<std::uint32_t>(std::bit_width(count - 1)); }};
}

} // namespace

knossos::Registry registry() {
    return knossos::Registry{}
        .add(domain())
        .add(knossos::entry<knossos::Recombination, GreedyPartition>("the largest classes of both, in turn"))
        .add(hypercube())
        .add(knossos::BuiltInRecipe{"colouring", std::string{recipe}});
}

} // namespace colouring
