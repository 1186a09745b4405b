#include "world.hpp"

#include "commands.hpp"

#include <knossos/core/files.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/checkpoint.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <list>
#include <numeric>
#include <random>
#include <sched.h>
#include <system_error>
#include <thread>

namespace knossos::app {

namespace {

constexpr int migration_tag = 1;
constexpr int message_tag = 2;

void check_size(std::size_t bytes) {
    if (bytes > World::most_bytes)
        throw InvalidInput{fmt::format("{} bytes are more than MPI sends at once; have fewer or smaller "
                                       "islands",
                                       bytes)};
}

std::vector<std::vector<std::byte>> gather_all(MPI_Comm group, int members, std::span<const std::byte> own) {
    check_size(own.size());
    const int size = static_cast<int>(own.size());
    std::vector<int> sizes(static_cast<std::size_t>(members));
    MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, group);
    std::vector<int> places(sizes.size());
    const auto total =
        std::accumulate(sizes.begin(), sizes.end(), std::size_t{0},
                        [](std::size_t sum, int one) { return sum + static_cast<std::size_t>(one); });
    check_size(total);
    std::exclusive_scan(sizes.begin(), sizes.end(), places.begin(), 0);
    std::vector<std::byte> all(total);
    MPI_Allgatherv(own.data(), size, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE, group);
    std::vector<std::vector<std::byte>> parts;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto part =
            std::span{all}.subspan(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(sizes[i]));
        parts.emplace_back(part.begin(), part.end());
    }
    return parts;
}

std::string text_of(std::span<const std::byte> bytes) {
    std::string text(bytes.size(), '\0');
    if (!bytes.empty()) std::memcpy(text.data(), bytes.data(), bytes.size());
    return text;
}

std::vector<std::string> gather_texts(int members, std::string_view own) {
    std::vector<std::string> texts;
    for (const auto& bytes : gather_all(MPI_COMM_WORLD, members, std::as_bytes(std::span{own})))
        texts.push_back(text_of(bytes));
    return texts;
}

// MPI waits by looking again and again. Whoever has nothing to do should leave the processor to others.
void wait_asleep(MPI_Request& request) {
    int done = 0;
    for (auto pause = std::chrono::microseconds{50};;
         pause = std::min(pause * 2, {std::chrono::milliseconds{5}})) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return;
        std::this_thread::sleep_for(pause);
    }
}

// The wording of a failure, as the command line has it, and its exit code.
std::pair<int, std::string> failure_of(const std::function<void()>& part, const std::string& program) {
    try {
        part();
        return {reached, ""};
    } catch (const RecipeError& error) {
        std::string text;
        for (const auto& one : error.diagnostics())
            text += fmt::format("{}{}: {}", text.empty() ? "" : fmt::format("\n{}: ", program), one.where,
                                one.message);
        return {bad_input, text};
    } catch (const InvalidInput& error) {
        return {bad_input, error.what()};
    } catch (const Interrupted& error) {
        return {not_reached, error.what()};
    } catch (const std::exception& error) {
        return {failure, error.what()};
    }
}

// Adds the time it lives to a sum.
class Stopwatch {
  public:
    explicit Stopwatch(double& sum) : sum_{sum} {}
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() { sum_ += MPI_Wtime() - began_; }

  private:
    double& sum_;
    double began_ = MPI_Wtime();
};

} // namespace

struct TeamHandle {
    MPI_Comm group = MPI_COMM_NULL;
};

struct World::Pending {
    struct One {
        std::vector<std::byte> bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    std::list<One> sends;
};

World::World(int& argc, char**& argv, std::string program)
    : program_{std::move(program)}, pending_{std::make_unique<Pending>()} {
    int given = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rank_ = static_cast<std::uint32_t>(rank);
    size_ = static_cast<std::uint32_t>(size);
}

World::~World() { MPI_Finalize(); }

std::string World::host() {
    std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return name.data();
}

void World::together(const std::function<void()>& part) const {
    const auto [code, text] = failure_of(part, program_);
    const auto texts =
        gather_texts(static_cast<int>(size_), code == reached ? "" : fmt::format("{}{}", code, text));
    const auto failed = std::ranges::find_if(texts, [](const std::string& one) { return !one.empty(); });
    if (failed == texts.end()) return;
    const bool everywhere =
        std::ranges::all_of(texts, [&](const std::string& one) { return one == *failed; });
    const auto where =
        failed == texts.begin() || everywhere ? "" : fmt::format("rank {}: ", failed - texts.begin());
    throw Refusal{failed->front() - '0', where + failed->substr(1)};
}

void World::require_same(std::string_view what, std::string_view text, std::string_view advice) const {
    const auto texts =
        gather_texts(static_cast<int>(size_), fmt::format("{:016x}{}", stable_hash(text), host()));
    const auto hash = [](const std::string& one) { return one.substr(0, 16); };
    for (std::size_t rank = 1; rank < texts.size(); ++rank)
        if (hash(texts[rank]) != hash(texts.front()))
            throw Refusal{bad_input,
                          fmt::format("{} of rank {} (on {}) is not that of rank 0 (on {}): {}", what, rank,
                                      texts[rank].substr(16), texts.front().substr(16), advice)};
}

void World::require_equal(std::string_view what, std::string_view value) const {
    const auto shown =
        gather_texts(static_cast<int>(size_), value.empty() ? "not given" : fmt::format("'{}'", value));
    for (std::size_t rank = 1; rank < shown.size(); ++rank)
        if (shown[rank] != shown.front())
            throw Refusal{bad_input, fmt::format("{} of rank {} is {}, that of rank 0 {}: start all ranks "
                                                 "with the same command and options",
                                                 what, rank, shown[rank], shown.front())};
}

void World::require_shared(const std::string& folder) const {
    namespace fs = std::filesystem;
    std::string token;
    if (is_first()) token = fmt::format(".shared-{:08x}.{}.tmp", std::random_device{}(), getpid());
    token = gather_texts(static_cast<int>(size_), token).front();
    const fs::path file = fs::path{folder} / token;
    together([&] {
        if (is_first()) write_file(file, "");
    });
    // A network file system may show a new file a little late.
    bool seen = false;
    std::error_code error;
    for (int attempt = 0; !(seen = fs::exists(file, error)) && attempt < 30; ++attempt)
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
    const auto blind = gather_texts(static_cast<int>(size_), seen ? "" : host());
    if (is_first()) fs::remove(file, error);
    for (std::size_t rank = 0; rank < blind.size(); ++rank)
        if (!blind[rank].empty())
            throw Refusal{bad_input,
                          fmt::format("{}: rank {} (on {}) does not see what rank 0 writes there; the folder "
                                      "must be the same on all machines, for example on a network file "
                                      "system",
                                      folder, rank, blind[rank])};
}

unsigned World::threads_here() const {
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    int ranks = 1;
    MPI_Comm_size(machine, &ranks);
    cpu_set_t own;
    cpu_set_t all;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof(own), &own);
    MPI_Allreduce(&own, &all, static_cast<int>(sizeof(own)), MPI_BYTE, MPI_BOR, machine);
    MPI_Comm_free(&machine);
    const int share = CPU_COUNT(&all) / ranks;
    return static_cast<unsigned>(std::clamp(share, 1, std::max(1, CPU_COUNT(&own))));
}

std::size_t World::rank_here() const {
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, static_cast<int>(rank_), MPI_INFO_NULL,
                        &machine);
    int rank = 0;
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_free(&machine);
    return static_cast<std::size_t>(rank);
}

std::unique_ptr<World::Team> World::team(std::uint32_t members) {
    auto handle = std::make_unique<TeamHandle>();
    MPI_Comm_split(MPI_COMM_WORLD, rank_ < members ? 0 : MPI_UNDEFINED, static_cast<int>(rank_),
                   &handle->group);
    if (rank_ >= members) return nullptr;
    return std::make_unique<Team>(rank_, members, std::move(handle));
}

void World::send(std::uint32_t to, std::vector<std::byte> message) {
    check_size(message.size());
    pending_->sends.remove_if([](Pending::One& one) {
        int done = 0;
        MPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    Pending::One& one = pending_->sends.emplace_back();
    one.bytes = std::move(message);
    MPI_Isend(one.bytes.data(), static_cast<int>(one.bytes.size()), MPI_BYTE, static_cast<int>(to),
              message_tag, MPI_COMM_WORLD, &one.request);
}

std::optional<World::Message> World::receive() {
    int there = 0;
    MPI_Status status{};
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Improbe(MPI_ANY_SOURCE, message_tag, MPI_COMM_WORLD, &there, &handle, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message message{.from = static_cast<std::uint32_t>(status.MPI_SOURCE),
                    .bytes = std::vector<std::byte>(static_cast<std::size_t>(size))};
    MPI_Mrecv(message.bytes.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    return message;
}

int World::conclude(int code) {
    for (Pending::One& one : pending_->sends) wait_asleep(one.request);
    pending_->sends.clear();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    wait_asleep(request);
    return code;
}

void World::abort(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
}

World::Team::Team(std::uint32_t member, std::uint32_t members, std::unique_ptr<TeamHandle> handle)
    : member_{member}, members_{members}, handle_{std::move(handle)} {}

World::Team::~Team() { MPI_Comm_free(&handle_->group); }

std::vector<std::vector<std::byte>> World::Team::gather(std::span<const std::byte> own) {
    const Stopwatch watch{times_.reports};
    return gather_all(handle_->group, static_cast<int>(members_), own);
}

void World::Team::deliver(std::span<const MemberMessage> outgoing, std::span<MemberMessage> incoming) {
    const Stopwatch watch{times_.migration};
    std::vector<MPI_Request> requests;
    for (MemberMessage& message : incoming)
        MPI_Irecv(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE,
                  static_cast<int>(message.member), migration_tag, handle_->group,
                  &requests.emplace_back(MPI_REQUEST_NULL));
    for (const MemberMessage& message : outgoing) {
        check_size(message.bytes.size());
        MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE,
                  static_cast<int>(message.member), migration_tag, handle_->group,
                  &requests.emplace_back(MPI_REQUEST_NULL));
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

unsigned World::Team::wishes(unsigned own) {
    const Stopwatch watch{times_.reports};
    unsigned all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED, MPI_BOR, handle_->group);
    return all;
}

World::Team::Times World::Team::longest_times() {
    Times longest;
    MPI_Allreduce(&times_.migration, &longest.migration, 1, MPI_DOUBLE, MPI_MAX, handle_->group);
    MPI_Allreduce(&times_.reports, &longest.reports, 1, MPI_DOUBLE, MPI_MAX, handle_->group);
    return longest;
}

} // namespace knossos::app
