// A radar pulse should resemble no shifted copy of itself: the best of 27 signs have an energy of 37.
#include <knossos/knossos.hpp>

#include <iostream>

struct Pulse { // low-autocorrelation binary sequences
    static constexpr auto objective = knossos::Objective::minimise;
    static knossos::Space space() { return knossos::Space::bits(27); }
    static double target() { return 37; }
    static double evaluate(knossos::BitView signs) { // several threads call it at once
        double energy = 0;
        for (std::size_t shift = 1; shift < signs.size(); ++shift) {
            int sum = 0;
            for (std::size_t i = shift; i < signs.size(); ++i) sum += signs[i] == signs[i - shift] ? 1 : -1;
            energy += sum * sum;
        }
        return energy;
    }
};

int main() {
    knossos::Settings settings{.population = 200, .recombine = knossos::TwoPoint{}, .threads = 0};
    settings.improve = knossos::Descent{};
    settings.stop = knossos::solved() || (knossos::stagnation(50) && knossos::generations(200));
    settings.on_generation = [](const auto& now) { std::cout << now.statistics.best_ever << '\n'; };
    const auto result = knossos::evolve(Pulse{}, settings); // the same with any number of threads
    std::cout << result.best.to_text() << ": " << result.stopped_by << " ended the search\n";
    return result.solved ? 0 : 1;
}
