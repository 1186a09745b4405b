#pragma once

#include <knossos/core/error.hpp>
#include <knossos/run/asynchronous.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::app {

/// What ends the program on all ranks in the same way: thrown on each of them, said by the first.
class Refusal : public Error {
  public:
    Refusal(int code, const std::string& message) : Error{message}, code_{code} {}
    [[nodiscard]] int code() const { return code_; }

  private:
    int code_;
};

/// All processes of the program, from the start of MPI to its end. MPI itself appears in world.cpp only.
class World {
  public:
    static constexpr int most_bytes = std::numeric_limits<int>::max(); ///< of a message

    /// `program` is what messages call it.
    World(int& argc, char**& argv, std::string program);
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World();

    [[nodiscard]] std::uint32_t rank() const { return rank_; }
    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] bool is_first() const { return rank_ == 0; }
    [[nodiscard]] const std::string& program() const { return program_; }
    /// The machine of this rank.
    [[nodiscard]] static std::string host();

    /// Each rank does its own part. If that fails for any of them, all throw the same Refusal.
    void together(const std::function<void()>& part) const;
    /// Throws a Refusal everywhere unless `text` is the same on all ranks; `what` it is, and what to do about
    /// it.
    void require_same(std::string_view what, std::string_view text, std::string_view advice) const;
    /// The same for a short text, which the message shows: an option's value, or nothing if it is not given.
    void require_equal(std::string_view what, std::string_view value) const;
    /// Throws a Refusal everywhere unless all ranks see the same folder.
    void require_shared(const std::string& folder) const;
    /// Threads for a rank that shares its machine with others of this program, so that there is one for each
    /// processor they may use.
    [[nodiscard]] unsigned threads_here() const;
    /// Which of the ranks on its machine it is. All ranks have to ask together.
    [[nodiscard]] std::size_t rank_here() const;

    /// The first `members` ranks as a team; nothing for the others.
    class Team;
    [[nodiscard]] std::unique_ptr<Team> team(std::uint32_t members);

    /// Sends without waiting for the receiver to take it.
    void send(std::uint32_t to, std::vector<std::byte> message);
    /// The next message from anybody, if there is one.
    struct Message {
        std::uint32_t from = 0;
        std::vector<std::byte> bytes;
    };
    std::optional<Message> receive();

    /// Everybody waits here, without keeping a processor busy, until the first rank comes with its code,
    /// which all then return.
    int conclude(int code);
    /// Ends all ranks at once, however they are.
    [[noreturn]] static void abort(int code);

  private:
    struct Pending;
    std::string program_;
    std::uint32_t rank_ = 0;
    std::uint32_t size_ = 1;
    std::unique_ptr<Pending> pending_;
};

/// Ranks that run islands together.
class World::Team : public Exchange {
  public:
    Team(std::uint32_t member, std::uint32_t members, std::unique_ptr<struct TeamHandle> handle);
    ~Team() override;
    [[nodiscard]] std::uint32_t member() const override { return member_; }
    [[nodiscard]] std::uint32_t members() const override { return members_; }
    [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override;
    void deliver(std::span<const MemberMessage> outgoing, std::span<MemberMessage> incoming) override;
    /// All wishes (bits) of all members together.
    unsigned wishes(unsigned own);

    /// Seconds that this member spent on sending, receiving and waiting for others.
    struct Times {
        double migration = 0.0; ///< emigrants
        double reports = 0.0;   ///< everything else
    };
    /// The longest of all members.
    [[nodiscard]] Times longest_times();

  private:
    std::uint32_t member_;
    std::uint32_t members_;
    std::unique_ptr<struct TeamHandle> handle_;
    Times times_;
};

/// The same ranks, not waiting for each other.
class LooseTeam : public AsynchronousExchange {
  public:
    LooseTeam(World& world, World::Team& team) : world_{world}, team_{team} {}
    [[nodiscard]] std::uint32_t member() const override { return team_.member(); }
    [[nodiscard]] std::uint32_t members() const override { return team_.members(); }
    [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
        return team_.gather(own);
    }
    void deliver(std::span<const MemberMessage> outgoing, std::span<MemberMessage> incoming) override {
        team_.deliver(outgoing, incoming);
    }
    void post(std::uint32_t member, std::vector<std::byte> message) override {
        world_.send(member, std::move(message));
    }
    [[nodiscard]] std::optional<MemberMessage> poll() override {
        auto message = world_.receive();
        if (!message) return std::nullopt;
        return MemberMessage{message->from, std::move(message->bytes)};
    }

  private:
    World& world_;
    World::Team& team_;
};

} // namespace knossos::app
