#include <knossos/core/error.hpp>
#include <knossos/recipe/program_evaluator.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX wants it declared

namespace knossos {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Clock::time_point for_ever = Clock::time_point::max();
constexpr std::size_t longest_answer = 1'000'000;

// Something that is wrong with the program rather than with one evaluation.
[[noreturn]] void refuse(std::string_view fault) {
    throw InvalidSetting{"evaluator", "evaluator", "program", fault};
}

[[noreturn]] void fail_to_start(const std::string& program, int error) {
    const bool is_script = error == ENOENT || error == ENOEXEC;
    throw InputOutputError{fmt::format(
        "the evaluator '{}' can't be started: {}{}", program, std::generic_category().message(error),
        is_script ? " (is its first line such as #!/usr/bin/env python3?)" : "")};
}

bool is_executable(const std::string& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

void require_executable(const std::string& program) {
    if (program.find('/') != std::string::npos) {
        if (is_executable(program)) return;
        std::error_code ignored;
        refuse(std::filesystem::exists(program, ignored)
                   ? fmt::format("is '{0}', which is no file that can be run; 'chmod +x {0}' makes it one",
                                 program)
                   : fmt::format("is '{}'; there is no such file", program));
    }
    const char* const path = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nobody sets it
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (is_executable(fmt::format("{}/{}", rest.substr(0, end), program))) return;
        rest = rest.substr(std::min(end + 1, rest.size()));
    }
    refuse(fmt::format("is '{0}'; there is no such command (a file in this folder is './{0}')", program));
}

// The groups of all processes that have not been waited for, where a signal's handler may read them: nothing
// locks. Whoever finds no free place, past some thousand processes, does without.
std::array<std::atomic<pid_t>, 1024> groups{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

// Whether this process is about to end: no evaluator is started any more, and none that was ended has failed.
std::atomic<bool> is_over{false};
// How many are being started, and may not be among the groups yet.
std::atomic<int> being_started{0};

[[noreturn]] void wait_for_the_end() {
    while (true) pause();
}

// While one is being started no signal's handler runs in this thread: it would wait for it.
class Starting {
  public:
    Starting() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
        ++being_started;
    }
    ~Starting() {
        --being_started;
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    Starting(const Starting&) = delete;
    Starting& operator=(const Starting&) = delete;

  private:
    sigset_t before_{};
};

void replace_in_groups(pid_t before, pid_t after) {
    for (std::atomic<pid_t>& group : groups) {
        pid_t found = before;
        if (group.compare_exchange_strong(found, after)) return;
    }
}

// One process of the program, which talks through one end of a pair of sockets.
class Process {
  public:
    explicit Process(const std::vector<std::string>& words) {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            fail_to_start(words.front(), errno);
        socket_ = ends[0];
        const int error = start(words, ends[1]);
        close(ends[1]);
        if (error == 0) return;
        close(socket_);
        fail_to_start(words.front(), error);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // The end of its input tells it to end; if it does not listen, it is ended.
    ~Process() {
        if (id_ != 0) {
            shutdown(socket_, SHUT_WR);
            wait_a_second();
            stop(); // and whatever it has started, if it is gone itself
            (void)wait_for_end();
        }
        close(socket_);
    }

    // Sends a line and waits for one. Throws EvaluationError.
    std::string ask(const std::string& line, double seconds) {
        const auto deadline = seconds > 0.0
                                  ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                       std::chrono::duration<double>(std::min(seconds, 1e8)))
                                  : for_ever;
        if (!received_.empty() || is_readable())
            throw EvaluationError{"said more than it was asked: it must answer each line with one line"};
        send_all(line, deadline, seconds);
        while (true) {
            if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
                std::string answer = received_.substr(0, end);
                received_.erase(0, end + 1);
                return answer;
            }
            if (received_.size() > longest_answer)
                throw EvaluationError{fmt::format("gave an answer of more than {} bytes", longest_answer)};
            wait_until_ready(POLLIN, deadline, seconds);
            std::array<char, 4096> bytes{};
            const ssize_t count = recv(socket_, bytes.data(), bytes.size(), 0);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) throw EvaluationError{how_it_ended()};
            received_.append(bytes.data(), static_cast<std::size_t>(count));
        }
    }

    // Whether it has closed its end, and nothing is left to be read.
    [[nodiscard]] bool has_hung_up() const {
        char one = '\0';
        return recv(socket_, &one, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    }

    // Ends it at once, and whatever it has started.
    void stop() const {
        if (id_ > 0) kill(-id_, SIGKILL);
    }

  private:
    int start(const std::vector<std::string>& words, int other_end) {
        std::vector<char*> arguments;
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): exec promises not to change them
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, other_end, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, other_end, STDOUT_FILENO);
        // A group of its own: Ctrl-C is for us alone, and whatever it starts ends with it.
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t unblocked;
        sigemptyset(&unblocked);
        posix_spawnattr_setsigmask(&attributes, &unblocked);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        int error = 0;
        {
            const Starting one;
            if (!is_over) {
                error =
                    posix_spawnp(&id_, arguments.front(), &actions, &attributes, arguments.data(), environ);
                if (error != 0) id_ = 0;
                if (error == 0) replace_in_groups(0, id_);
            }
        }
        if (is_over) wait_for_the_end();
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }

    void send_all(const std::string& line, Clock::time_point deadline, double seconds) {
        std::size_t sent = 0;
        while (sent < line.size()) {
            wait_until_ready(POLLOUT, deadline, seconds);
            const ssize_t count =
                send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (count < 0) throw EvaluationError{how_it_ended()};
            sent += static_cast<std::size_t>(count);
        }
    }

    void wait_until_ready(short events, Clock::time_point deadline, double seconds) const {
        while (true) {
            int patience = -1;
            if (deadline != for_ever) {
                const auto left =
                    std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
                patience = static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
            }
            pollfd one{socket_, events, 0};
            const int ready = poll(&one, 1, patience);
            if (ready > 0) return;
            if (ready == 0 && Clock::now() >= deadline)
                throw EvaluationError{fmt::format("gave no answer within {} s", seconds)};
        }
    }

    [[nodiscard]] bool is_readable() const {
        pollfd one{socket_, POLLIN, 0};
        return poll(&one, 1, 0) > 0 && (one.revents & POLLIN) != 0 && (one.revents & POLLHUP) == 0;
    }

    // For its end.
    void wait_a_second() const {
        const auto process = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
        if (process < 0) return; // an old kernel: no time to say goodbye
        pollfd one{process, POLLIN, 0};
        (void)poll(&one, 1, 1000);
        close(process);
    }

    int wait_for_end() {
        int status = 0;
        replace_in_groups(id_, 0); // before its number can be anybody else's
        while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
        }
        id_ = 0;
        return status;
    }

    std::string how_it_ended() {
        if (is_over) wait_for_the_end();
        stop(); // it may only have closed its output
        const int status = wait_for_end();
        if (WIFEXITED(status))
            return fmt::format("ended with exit code {} instead of answering", WEXITSTATUS(status));
        return fmt::format("was ended by signal {} instead of answering", WTERMSIG(status));
    }

    int socket_ = -1;
    pid_t id_ = 0;
    std::string received_;
};

std::string shortened(const std::string& answer) {
    constexpr std::size_t shown = 60;
    return answer.size() > shown ? answer.substr(0, shown) + "…" : answer;
}

// What an answer should be.
std::string form_of(const Schema& schema) {
    if (schema.plain())
        return fmt::format("a number, or an object such as {{\"{}\": 0.5}}", schema.columns()[0].name.text());
    std::string object;
    for (const Column& column : schema.columns())
        object += fmt::format("{}\"{}\": 0.5", object.empty() ? "" : ", ", column.name.text());
    return fmt::format("an object such as {{{}}}, or a list of {} numbers", object, schema.size());
}

// JSON has no word for what is not a number; Python writes NaN all the same. Read as null.
nlohmann::json parsed_answer(std::string answer) {
    auto parsed = nlohmann::json::parse(answer, nullptr, false);
    if (!parsed.is_discarded()) return parsed;
    for (std::size_t at = answer.find("NaN"); at != std::string::npos; at = answer.find("NaN", at + 4))
        answer.replace(at, 3, "null");
    return nlohmann::json::parse(answer, nullptr, false);
}

// Reads an answer into a record: numbers by name, or in the order of the columns.
void read_answer(const std::string& answer, const Schema& schema, const Record& out) {
    const auto parsed = parsed_answer(answer);
    if (parsed.is_number() && schema.plain()) {
        out[0] = parsed.get<double>();
        return;
    }
    if (parsed.is_null() && schema.plain())
        throw EvaluationError{fmt::format("answered that '{}' is not a number: '{}'",
                                          schema.columns()[0].name.text(), shortened(answer))};
    const bool is_list = parsed.is_array() && parsed.size() == schema.size();
    if (parsed.is_array() && !is_list && !schema.plain())
        throw EvaluationError{fmt::format("answered {} values; there are {} columns ({})", parsed.size(),
                                          schema.size(), schema.to_text())};
    for (std::size_t i = 0; i < schema.size(); ++i) {
        const std::string name{schema.columns()[i].name.text()};
        if (parsed.is_object() && !parsed.contains(name) && !schema.plain())
            throw EvaluationError{fmt::format("left out '{}' in its answer '{}'", name, shortened(answer))};
        const bool has_value = is_list || (parsed.is_object() && parsed.contains(name));
        const auto value = !has_value ? nlohmann::json{} : is_list ? parsed[i] : parsed[name];
        if (has_value && value.is_null())
            throw EvaluationError{
                fmt::format("answered that '{}' is not a number: '{}'", name, shortened(answer))};
        if (!value.is_number())
            throw EvaluationError{
                fmt::format("answered '{}'; an answer is {}", shortened(answer), form_of(schema))};
        out[i] = value.get<double>();
    }
}

// Processes of the program, of which each evaluates one individual at a time.
class Crew {
  public:
    Crew(const ProgramEvaluator& evaluator, Description description)
        : program_{evaluator.program}, words_{command_words(program_)},
          seconds_{evaluator.evaluation_seconds}, schema_{schema_of(evaluator)},
          description_{std::move(description)} {}

    [[nodiscard]] const Schema& schema() const { return schema_; }

    void evaluate(const Batch& batch, std::span<double> values) {
        std::unique_ptr<Process> process = take();
        for (std::size_t i = 0; i < batch.count; ++i) {
            try {
                read_answer(process->ask(description_(*batch.space, batch[i]) + "\n", seconds_), schema_,
                            {values.data() + i, batch.count});
            } catch (const EvaluationError& error) {
                // What it might still say would be taken for the next answer.
                process->stop();
                const std::scoped_lock lock{mutex_};
                wants_new_.insert(std::this_thread::get_id());
                throw IndividualFailed{fmt::format("the evaluator '{}' {}", program_, error.what()), i};
            }
        }
        const std::scoped_lock lock{mutex_};
        idle_.push_back(std::move(process));
    }

  private:
    std::unique_ptr<Process> take() {
        {
            const std::scoped_lock lock{mutex_};
            const bool wants_new = wants_new_.erase(std::this_thread::get_id()) != 0;
            while (!wants_new && !idle_.empty()) {
                std::unique_ptr<Process> process = std::move(idle_.back());
                idle_.pop_back();
                if (!process->has_hung_up()) return process; // else it has answered all that it was asked
            }
        }
        return std::make_unique<Process>(words_);
    }

    std::string program_;
    std::vector<std::string> words_;
    double seconds_;
    Schema schema_;
    Description description_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Process>> idle_;
    // Whose process has failed: a second attempt is made by a new one, since another's may be about to fail,
    // too.
    std::set<std::thread::id> wants_new_;
};

} // namespace

std::vector<std::string> command_words(std::string_view line) {
    std::vector<std::string> words;
    bool in_word = false;
    char quote = '\0';
    for (const char letter : line) {
        if (quote == '\0' && (letter == ' ' || letter == '\t')) {
            in_word = false;
            continue;
        }
        if (!in_word) words.emplace_back();
        in_word = true;
        if (quote == '\0' && (letter == '"' || letter == '\''))
            quote = letter;
        else if (letter == quote)
            quote = '\0';
        else
            words.back() += letter;
    }
    if (quote != '\0') refuse(fmt::format("is {}; a quote is not closed", line));
    if (words.empty() || words.front().empty())
        refuse("is empty; it must name a program, such as './score.py'");
    return words;
}

Schema schema_of(const ProgramEvaluator& evaluator) {
    if (evaluator.record.empty())
        return evaluator.objective == FitnessOf::maximise ? Objective::maximise : Objective::minimise;
    try {
        return Schema{columns_from_text(evaluator.record)};
    } catch (const InvalidInput& error) {
        throw InvalidSetting{"evaluator", "evaluator", "record",
                             fmt::format("is '{}': {}", evaluator.record, error.what())};
    }
}

void require_program(const ProgramEvaluator& evaluator) {
    require_executable(command_words(evaluator.program).front());
}

void end_evaluator_programs() noexcept {
    is_over = true;
    for (int patience = 1000; being_started != 0 && patience > 0; --patience) (void)poll(nullptr, 0, 1);
    for (const std::atomic<pid_t>& group : groups)
        if (const pid_t id = group.load(); id > 0) kill(-id, SIGKILL);
}

Problem evaluated_by_program(const Problem& problem, const ProgramEvaluator& evaluator,
                             Description description) {
    const auto crew = std::make_shared<Crew>(evaluator, std::move(description));
    return evaluated_by(
        problem, [crew](const Batch& batch, std::span<double> values) { crew->evaluate(batch, values); },
        Calls::from_threads, crew->schema());
}

} // namespace knossos
