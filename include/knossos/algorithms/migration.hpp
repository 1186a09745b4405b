#pragma once

#include <knossos/algorithms/island.hpp>
#include <knossos/core/fields.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

enum class Topology : unsigned char { ring, torus, complete, random };
enum class Emigrants : unsigned char { best, random };
enum class Immigrants : unsigned char { replace_worst, replace_random, replace_if_better };

template <>
struct EnumNames<Topology> {
    static constexpr std::array<std::string_view, 4> names{"ring", "torus", "complete", "random"};
};
template <>
struct EnumNames<Emigrants> {
    static constexpr std::array<std::string_view, 2> names{"best", "random"};
};
template <>
struct EnumNames<Immigrants> {
    static constexpr std::array<std::string_view, 3> names{"worst", "random", "if-better"};
};

/// Who sends to whom, of somebody's own. May be asked by several threads at once.
struct OwnTopology {
    std::string name;
    /// The islands, of so many, from which one hears, in any order, never itself. What it draws, it draws
    /// from the stream, which is another for every island and epoch.
    std::function<std::vector<std::uint32_t>(Stream& stream, std::uint32_t count, std::uint32_t island)>
        senders;
    /// The most that any island of so many may ever hear from.
    std::function<std::uint32_t(std::uint32_t count)> most_senders;
};

/// Who is sent, by a policy of somebody's own. May be asked by several threads at once, like the next.
struct OwnEmigrants {
    std::string name;
    /// `count` different individuals of an island, whose copies are sent in this order.
    std::function<std::vector<std::uint32_t>(Stream& stream, const Scores& residents, std::size_t count)>
        choose;
};

/// Whom the arrivals replace, by a policy of somebody's own.
struct OwnImmigrants {
    std::string name;
    /// The resident that makes way for each of the arrivals from one island, a different one each, or
    /// `nobody` for an arrival that is not let in.
    std::function<std::vector<std::uint32_t>(Stream& stream, const Scores& residents, const Scores& arrivals)>
        replace;

    static constexpr std::uint32_t nobody = ~std::uint32_t{0};
};

/// One of these, or none. Its bodies are in the library: where they are inline, g++ 12 takes it for
/// uninitialised in whatever has settings.
template <class Own>
class Held {
  public:
    Held();
    Held(Own own); // NOLINT(google-explicit-constructor): is one
    Held(const Held& other);
    Held(Held&& other) noexcept;
    Held& operator=(const Held& other);
    Held& operator=(Held&& other) noexcept;
    ~Held();

    explicit operator bool() const { return held_ != nullptr; }
    const Own* operator->() const { return held_.get(); }
    const Own& operator*() const { return *held_; }

  private:
    std::shared_ptr<const Own> held_;
};
extern template class Held<OwnTopology>;
extern template class Held<OwnEmigrants>;
extern template class Held<OwnImmigrants>;

/// Islands: several populations that breed apart and, every `interval` generations, each send copies of
/// `migrants` individuals to their neighbours. Ring: to the next island. Torus: to the right and the lower
/// neighbour on the squarest grid that `count` allows. Complete: to all others. Random: each epoch every
/// island hears from one other, drawn anew. All send before anyone receives, and arrivals are taken in the
/// order of the islands they come from. J. P. Cohoon, S. U. Hegde, W. N. Martin, D. Richards: "Punctuated
/// equilibria: a parallel genetic algorithm", 1987.
struct Islands {
    std::uint32_t count = 1;
    Topology topology = Topology::ring;
    std::uint64_t interval = 20;
    std::uint32_t migrants = 1;
    Emigrants emigrants = Emigrants::best;
    Immigrants immigrants = Immigrants::replace_worst;
    // Where there is one of somebody's own, it counts instead.
    Held<OwnTopology> own_topology{};
    Held<OwnEmigrants> own_emigrants{};
    Held<OwnImmigrants> own_immigrants{};

    static constexpr std::string_view name = "islands";
    static constexpr auto fields() {
        return std::tuple{
            field("count", &Islands::count, 1, 1000000, "number of islands"),
            field("topology", &Islands::topology, "who sends to whom"),
            field("interval", &Islands::interval, 1, 9007199254740992.0, "generations between migrations"),
            field("migrants", &Islands::migrants, 0, 1000000, "individuals sent along each way"),
            field("emigrants", &Islands::emigrants, "who is sent"),
            field("immigrants", &Islands::immigrants, "whom the arrivals replace")};
    }
    /// Throws InvalidInput if a population could not take in all its arrivals, or a topology of somebody's
    /// own names others than it may.
    void check(std::size_t population) const;
};

/// The islands that send to `island` in this generation, in ascending order. Throws InvalidInput if a
/// topology of somebody's own names others than it may.
std::vector<std::uint32_t> senders_to(const Islands& islands, std::uint32_t island, std::uint64_t seed,
                                      std::uint32_t run, std::uint64_t generation);

/// Copies of the individuals that an island sends in this generation. Throws InvalidInput if a policy of
/// somebody's own names others than it may; so does admit().
Population choose_emigrants(const Islands& islands, const Island& island, const Schema& schema);

/// Lets arrivals in; `arrivals` are the emigrants of the senders, in ascending order of sender.
void admit(const Islands& islands, const Context& context, Island& island,
           std::span<const Population* const> arrivals);

} // namespace knossos
