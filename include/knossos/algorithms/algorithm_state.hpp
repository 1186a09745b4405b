#pragma once

#include <knossos/core/bytes.hpp>
#include <knossos/core/erased.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace knossos {

/// What an algorithm keeps between generations beside the population: nothing, or one value of a type that
/// the algorithm declares as its `State`. Copies, snapshots and restarts treat it by this alone. A State can
/// be copied and begins as State{}. If it is more than plain bytes it offers
///     void write(ByteWriter&) const;    void read(ByteReader&);
/// and, if not every content makes sense, `bool is_sound() const`, which is asked after reading.
class AlgorithmState {
  public:
    AlgorithmState() = default;
    template <class State>
        requires(!std::same_as<State, AlgorithmState>)
    explicit AlgorithmState(State state) : model_{std::make_unique<Holder<State>>(std::move(state))} {}

    AlgorithmState(const AlgorithmState& other) : model_{other.model_ ? other.model_->clone() : nullptr} {}
    AlgorithmState(AlgorithmState&&) noexcept = default;
    AlgorithmState& operator=(AlgorithmState&&) noexcept = default;
    AlgorithmState& operator=(const AlgorithmState& other) {
        // Copied once a generation where islands keep copies: without a new allocation.
        if (this == &other || (model_ && other.model_ && model_->assign(*other.model_))) return *this;
        return *this = AlgorithmState{other};
    }
    ~AlgorithmState() = default;

    /// The algorithm's own State. Throws std::bad_cast if it is not of that type.
    template <class State>
    [[nodiscard]] const State& as() const {
        return held<State>();
    }
    template <class State>
    [[nodiscard]] State& as() {
        return held<State>();
    }

    /// The same; null if it is of another type.
    template <class State>
    [[nodiscard]] const State* find() const {
        return is_held<State>() ? &static_cast<const Holder<State>&>(*model_).state : nullptr;
    }

    void write(ByteWriter& out) const {
        if (model_) model_->write(out);
    }
    /// Whether what was read makes sense.
    [[nodiscard]] bool read(ByteReader& in) { return !model_ || model_->read(in); }

  private:
    // Which type is held, by the address of something that each type has one of. What is downloaded does
    // without the names of all types, which dynamic_cast would need.
    template <class State>
    static inline char type_of = 0; // NOLINT: nobody writes it; constants may share a place

    struct Model : Erased {
        [[nodiscard]] virtual const char* type() const = 0;
        [[nodiscard]] virtual std::unique_ptr<Model> clone() const = 0;
        virtual bool assign(const Model& other) = 0; ///< false if it is of another type
        virtual void write(ByteWriter& out) const = 0;
        virtual bool read(ByteReader& in) = 0; ///< whether it is sound
    };

    template <class State>
    struct Holder final : Model {
        State state;
        explicit Holder(State its) : state{std::move(its)} {}

        [[nodiscard]] const char* type() const override { return &type_of<State>; }
        [[nodiscard]] std::unique_ptr<Model> clone() const override {
            return std::make_unique<Holder>(state);
        }
        bool assign(const Model& other) override {
            if (other.type() != type()) return false;
            state = static_cast<const Holder&>(other).state;
            return true;
        }
        static constexpr bool writes_itself =
            requires(const State& value, ByteWriter& out) { value.write(out); };
        static_assert(writes_itself || std::has_unique_object_representations_v<State>,
                      "the State of an algorithm is plain bytes without gaps, or has write() and read()");
        void write(ByteWriter& out) const override {
            if constexpr (writes_itself)
                state.write(out);
            else
                out.put(state);
        }
        bool read(ByteReader& in) override {
            if constexpr (writes_itself)
                state.read(in);
            else
                state = in.get<State>();
            if constexpr (requires { state.is_sound(); }) return state.is_sound();
            return true;
        }
    };

    template <class State>
    [[nodiscard]] bool is_held() const {
        return model_ && model_->type() == &type_of<State>;
    }
    template <class State>
    [[nodiscard]] State& held() const {
        if (!is_held<State>()) throw std::bad_cast{};
        return static_cast<Holder<State>&>(*model_).state;
    }

    std::unique_ptr<Model> model_;
};

} // namespace knossos
