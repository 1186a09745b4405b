#include "arrays.hpp"
#include "bindings.hpp"
#include "problems.hpp"
#include "results.hpp"

#include <knossos/core/device_lost.hpp>
#include <knossos/core/error.hpp>
#include <knossos/device/generations.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/run_folder.hpp>
#include <knossos/run/ask_tell.hpp>
#include <knossos/run/checkpoint.hpp>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

namespace nb = nanobind;

namespace knossos::python {

namespace {

using Clock = std::chrono::steady_clock;

void require_end(const Settings& settings) {
    if (settings.stop.kind() == StopKind::never && !settings.algorithm.most_generations())
        throw InvalidInput{"stop: no rule is given, so the run would never end"};
}

void require_packable(const Space& space, bool packed) {
    if (packed && space.kind != GenomeKind::bits)
        throw InvalidInput{fmt::format("packed: only bits are packed; genomes here are {}", describe(space))};
}

bool is_lost(const std::exception_ptr& thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const DeviceLost&) {
        return true;
    } catch (...) { // NOLINT(bugprone-empty-catch): it is told elsewhere
    }
    return false;
}

// A function of Python does not go to a device: settings that name one would be passed over.
void require_processor(const Recipe& settings) {
    const std::string& wanted = settings.output().device;
    if (wanted != "cpu" && wanted != "auto")
        throw InvalidInput{
            fmt::format("output.device is '{}'; what Python evaluates runs on the processor, so "
                        "it must be cpu or auto",
                        wanted)};
}

// How to evaluate, where that is Python's business.
struct OwnProblem {
    nb::callable function;
    Space space;
    std::string columns;
    bool packed = false;
};

Problem problem_of(const OwnProblem& own, const std::shared_ptr<Faults>& faults) {
    const Schema schema = schema_from(own.columns);
    require_packable(own.space, own.packed);
    const Problem genomes =
        evaluated_by(own.space, Objective::maximise, [](const Batch&, std::span<double>) {});
    return evaluated_by(genomes, batch_function({own.function, own.space, schema, own.packed}, faults),
                        Calls::whole_batches, schema);
}

// Whether something is under way without the GIL, which callbacks and other threads must not disturb.
class Busy {
  public:
    class Now {
      public:
        explicit Now(Busy& busy) : busy_{busy} { busy_.is_busy_ = true; }
        Now(const Now&) = delete;
        Now& operator=(const Now&) = delete;
        ~Now() { busy_.is_busy_ = false; }

      private:
        Busy& busy_;
    };

    void require_none() const {
        if (is_busy_)
            throw InvalidInput{
                "the run is in the middle of a generation: callbacks and other threads must leave "
                "it alone"};
    }

  private:
    bool is_busy_ = false;
};

// A run that Python drives. A signal ends a call to it, and leaves it between two generations.
class DrivenRun {
  public:
    DrivenRun(const Recipe& recipe, unsigned threads, const std::optional<std::filesystem::path>& folder,
              std::optional<nb::callable> on_generation)
        : recipe_{recipe}, problem_{recipe.problem()}, hash_{recipe.hash()}, folder_path_{folder} {
        recipe.require_program();
        begin(recipe.settings(), threads, std::move(on_generation), {});
    }
    DrivenRun(const Recipe& settings, const OwnProblem& own, unsigned threads,
              const std::optional<Numbers>& start, std::optional<nb::callable> on_generation)
        : problem_{problem_of(own, faults_)},
          hash_{stable_hash(
              fmt::format("{} {} {}", settings.hash(), describe(own.space), problem_.schema().identity()))} {
        require_processor(settings);
        Settings all = settings.settings();
        if (start) all.start = genomes_from(own.space, *start, "start");
        begin(std::move(all), threads, std::move(on_generation), {});
    }
    // Takes up a folder's run.
    DrivenRun(const std::filesystem::path& folder, unsigned threads,
              std::optional<nb::callable> on_generation)
        : DrivenRun{RunFolder::open(folder), threads, std::move(on_generation)} {}

    DrivenRun(const DrivenRun&) = delete;
    DrivenRun& operator=(const DrivenRun&) = delete;
    ~DrivenRun() { // the threads of the run may be waiting for Python
        const nb::gil_scoped_release others_may_run;
        run_.reset();
    }

    [[nodiscard]] bool finished() const { return run().finished(); }
    [[nodiscard]] const std::string& where() const { return where_; }
    [[nodiscard]] nb::dict status() const {
        nb::dict all = dictionary_of(run().status().statistics);
        all["solved"] = run().status().solved;
        all["stagnation"] = run().status().stagnation;
        return all;
    }

    void step() {
        guarded([&] { run_->step(); });
        if (finished()) finish_folder();
    }

    // Goes on for about so many seconds, or to the end.
    bool advance(double seconds) {
        const auto began = Clock::now();
        do {
            guarded([&] {
                const auto until = Clock::now() + std::chrono::milliseconds{50};
                do run_->advance();
                while (!run_->finished() && Clock::now() < until);
            });
            save_if_due();
        } while (!finished() && std::chrono::duration<double>{Clock::now() - began}.count() < seconds);
        if (finished()) finish_folder();
        return !finished();
    }

    [[nodiscard]] Outcome result() const {
        if (!recipe_) return outcome_of(run().result(), settings_, problem_.schema());
        return {std::make_shared<const Result>(run().result()), recipe_};
    }

    [[nodiscard]] nb::bytes checkpoint() const {
        const auto packed = pack_checkpoint(run().snapshot(), hash_);
        return nb::bytes(packed.data(), packed.size());
    }

    // The same run from where a checkpoint() was taken.
    void restore(const nb::bytes& checkpoint) {
        const std::span bytes{reinterpret_cast<const std::byte*>(checkpoint.c_str()), checkpoint.size()};
        const auto snapshot = unpack_checkpoint(bytes, hash_);
        guarded([&] {
            auto restored = std::make_unique<Run>(problem_, settings_, snapshot);
            run_ = std::move(restored);
        });
    }

    void save() {
        require_folder();
        guarded([&] { folder_->save(*run_); });
    }

    // Leaves its folder to whoever takes it up next, though Python may keep the run, in a traceback say.
    void leave() {
        busy_.require_none();
        lock_.reset();
        folder_.reset();
    }

    [[nodiscard]] nb::object population() const {
        std::vector<const std::byte*> genomes;
        for (const Island& island : run().islands())
            for (std::size_t i = 0; i < island.current.size(); ++i)
                genomes.push_back(island.current.genome(i));
        return genome_array(problem_.space(), genomes.size(), [&](std::size_t i) { return genomes[i]; });
    }

  private:
    DrivenRun(RunFolder folder, unsigned threads, std::optional<nb::callable> on_generation)
        : recipe_{folder.recipe()}, problem_{recipe_->problem()}, hash_{recipe_->hash()},
          folder_{std::move(folder)} {
        begin(recipe_->settings(), threads, std::move(on_generation), folder_);
    }

    void begin(Settings settings, unsigned threads, std::optional<nb::callable> on_generation,
               const std::optional<RunFolder>& resumed) {
        require_end(settings);
        settings.threads = threads;
        if (on_generation) settings.on_generation = observer(std::move(*on_generation));
        settings_ = std::move(settings);
        require_memory(settings_, problem_);
        if (recipe_) guarded([&] { settings_ = there(*recipe_, std::move(settings_)); });
        if (folder_path_) folder_.emplace(RunFolder::create(*folder_path_, *recipe_));
        if (folder_) lock_.emplace(folder_->claim());
        guarded([&] {
            if (!resumed) {
                run_ = std::make_unique<Run>(problem_, settings_);
                return;
            }
            std::string remark;
            run_ = std::make_unique<Run>(folder_->resume(settings_, remark));
            if (folder_->is_finished() && !run_->finished()) folder_->reopen();
        });
        if (folder_ && finished()) finish_folder();
    }

    // The settings for where the recipe wants its run.
    [[nodiscard]] Settings there(const Recipe& recipe, Settings settings) {
        const std::string& wanted = recipe.output().device;
        where_ = wanted == "cpu" ? "on the processor" : fmt::format("on device '{}'", wanted);
        std::string remark;
        settings = device::on_wanted(recipe, std::move(settings), wanted, remark);
        if (!remark.empty()) where_ = remark;
        return settings;
    }

    [[nodiscard]] Observer observer(nb::callable function) {
        // Copies of the settings share it; the last one may be let go of without the GIL.
        auto shared =
            std::shared_ptr<nb::callable>(new nb::callable(std::move(function)), [](nb::callable* its) {
                const nb::gil_scoped_acquire gil;
                delete its;
            });
        return [shared, faults = faults_](const Status& status) {
            if (faults->heard) return Proceed::no;
            const nb::gil_scoped_acquire gil;
            try {
                nb::dict told = dictionary_of(status.statistics);
                told["solved"] = status.solved;
                const nb::object answer = (*shared)(told);
                return answer.is(nb::bool_(false)) ? Proceed::no : Proceed::yes;
            } catch (const nb::python_error&) {
                faults->heard = std::current_exception();
                return Proceed::no;
            }
        };
    }

    // Without the GIL; then raises what Python raised in the meantime, a signal included.
    template <class Work>
    void guarded(const Work& work) {
        busy_.require_none();
        *faults_ = {};
        std::exception_ptr thrown;
        {
            const Busy::Now now{busy_};
            const nb::gil_scoped_release others_may_run;
            try {
                work();
            } catch (...) {
                thrown = std::current_exception();
            }
        }
        const std::exception_ptr ending = what_ends(thrown);
        if (!ending) return;
        // It stands at its last complete generation, unless it stood on a device that is gone.
        if (folder_ && run_ && !is_lost(thrown)) folder_->save(*run_);
        std::rethrow_exception(ending);
    }

    [[nodiscard]] std::exception_ptr what_ends(const std::exception_ptr& thrown) const {
        if (faults_->heard) return faults_->heard;
        if (faults_->raised && (thrown || settings_.on_failure == OnFailure::end)) return faults_->raised;
        if (!thrown && PyErr_CheckSignals() != 0) return std::make_exception_ptr(nb::python_error{});
        return thrown;
    }

    [[nodiscard]] const Run& run() const {
        busy_.require_none();
        return *run_;
    }

    void require_folder() const {
        if (!folder_) throw InvalidInput{"save: the run has no folder; give it one with folder='my-run'"};
    }

    void save_if_due() {
        if (!folder_ || finished()) return;
        if (std::chrono::duration<double>{Clock::now() - saved_}.count() < recipe_->output().checkpoint_every)
            return;
        guarded([&] { folder_->save(*run_); });
        saved_ = Clock::now();
    }

    void finish_folder() {
        if (!folder_ || is_written_) return;
        guarded([&] { folder_->finish(*run_); });
        is_written_ = true;
    }

    std::shared_ptr<Faults> faults_ = std::make_shared<Faults>();
    std::optional<Recipe> recipe_{};
    Problem problem_;
    std::uint64_t hash_;
    Settings settings_{};
    std::string where_ = "on the processor";
    std::optional<std::filesystem::path> folder_path_{};
    std::optional<RunFolder> folder_{};
    std::optional<FolderLock> lock_{};
    Clock::time_point saved_ = Clock::now();
    bool is_written_ = false;
    Busy busy_{};
    std::unique_ptr<Run> run_{};
};

// Ask and tell, whose batches are copies: they stay what they are however long somebody keeps them.
class Asking {
  public:
    Asking(const Recipe& settings, const Space& space, const std::string& columns, bool packed)
        : space_{space}, schema_{schema_from(columns)}, packed_{packed}, settings_{settings.settings()} {
        require_packable(space, packed);
        require_processor(settings);
        require_end(settings_);
        const auto nothing = [](const Batch&, std::span<double>) {};
        const Problem genomes = evaluated_by(space, Objective::maximise, nothing);
        run_ = std::make_unique<AskTell>(evaluated_by(genomes, nothing, Calls::whole_batches, schema_),
                                         settings_);
    }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    ~Asking() {
        const nb::gil_scoped_release others_may_run;
        run_.reset();
    }

    [[nodiscard]] nb::object ask() {
        std::optional<Batch> batch;
        busy_.require_none();
        {
            const Busy::Now now{busy_};
            const nb::gil_scoped_release others_may_run;
            batch = run_->ask([] {
                const nb::gil_scoped_acquire gil;
                if (PyErr_CheckSignals() != 0) throw nb::python_error{};
            });
        }
        asked_ = batch ? batch->count : 0;
        if (!batch) return nb::none();
        GenomeArray genomes{space_, batch->count, packed_};
        for (std::size_t i = 0; i < batch->count; ++i) genomes.put(i, (*batch)[i]);
        return genomes.array(batch->count);
    }

    void tell(const nb::object& values) {
        busy_.require_none();
        if (asked_ == 0) throw InvalidInput{"tell: nothing was asked; call ask() first"};
        std::vector<double> all(asked_ * schema_.size());
        read_values(values, asked_, schema_, "tell was given", all);
        asked_ = 0;
        run_->tell(all);
    }

    [[nodiscard]] Outcome result() const {
        busy_.require_none();
        return outcome_of(run_->result(), settings_, schema_);
    }

  private:
    Space space_;
    Schema schema_;
    bool packed_;
    Settings settings_;
    std::size_t asked_ = 0;
    Busy busy_{};
    std::unique_ptr<AskTell> run_;
};

} // namespace

void bind_runs(nb::module_& module) {
    using namespace nb::literals;
    bind_results(module);
    nb::class_<DrivenRun>(module, "Run",
                          "A run that can be watched, paused and taken up between generations.")
        .def(nb::init<const Recipe&, unsigned, const std::optional<std::filesystem::path>&,
                      std::optional<nb::callable>>(),
             "recipe"_a, "threads"_a, "folder"_a.none(), "on_generation"_a.none())
        .def_static(
            "resume",
            [](const std::filesystem::path& folder, unsigned threads,
               std::optional<nb::callable> on_generation) {
                return new DrivenRun{folder, threads, std::move(on_generation)};
            },
            "folder"_a, "threads"_a, "on_generation"_a.none(), nb::rv_policy::take_ownership,
            "The run of a folder, from its newest checkpoint.")
        .def_static(
            "of_function",
            [](const Recipe& settings, nb::callable function, const Space& space, const std::string& columns,
               bool packed, unsigned threads, const std::optional<Numbers>& start,
               std::optional<nb::callable> on_generation) {
                return new DrivenRun{settings, OwnProblem{std::move(function), space, columns, packed},
                                     threads, start, std::move(on_generation)};
            },
            "settings"_a, "function"_a, "space"_a, "columns"_a, "packed"_a, "threads"_a, "start"_a.none(),
            "on_generation"_a.none(), nb::rv_policy::take_ownership, "A run of somebody's own problem.")
        .def_prop_ro("finished", &DrivenRun::finished, "whether a stop rule or a callback has ended it")
        .def_prop_ro("where", &DrivenRun::where, "the processor or device that it is on")
        .def_prop_ro("status", &DrivenRun::status, "the figures of the last generation")
        .def_prop_ro("population", &DrivenRun::population, "the genomes of all islands")
        .def("step", &DrivenRun::step, "One generation.")
        .def("advance", &DrivenRun::advance, "seconds"_a,
             "Goes on for a while. Returns whether there is more to do.")
        .def("result", &DrivenRun::result, "What it has come to.")
        .def("checkpoint", &DrivenRun::checkpoint, "All that is needed to go on from here, as bytes.")
        .def("restore", &DrivenRun::restore, "checkpoint"_a, "Goes on from a checkpoint of the same run.")
        .def("save", &DrivenRun::save, "Writes checkpoint and trace to its folder.")
        .def("leave", &DrivenRun::leave, "Leaves its folder to whoever takes it up next.");
    nb::class_<Asking>(module, "AskTell", "A run whose evaluations are made by whoever holds it.")
        .def(nb::init<const Recipe&, const Space&, const std::string&, bool>(), "settings"_a, "space"_a,
             "columns"_a, "packed"_a)
        .def("ask", &Asking::ask, nb::sig("def ask(self) -> numpy.ndarray | None"),
             "The genomes to be evaluated next; None once the run has ended.")
        .def("tell", &Asking::tell, "values"_a.none(), "What each of them is worth.")
        .def("result", &Asking::result, "Of the run that has ended.");
    module.def(
        "verify",
        [](const std::filesystem::path& folder, unsigned threads) {
            const RunFolder opened = RunFolder::open(folder);
            const nb::gil_scoped_release others_may_run;
            return verify(opened, threads);
        },
        "folder"_a, "threads"_a, "What differs when a folder's run is made again; None if nothing does.");
}

} // namespace knossos::python
