// OneMax: as many ones as possible.
#include <knossos/knossos.hpp>

#include <iostream>

struct OneMax {
    static constexpr auto objective = knossos::Objective::maximise;
    static knossos::Space space() { return knossos::Space::bits(100); }
    static double evaluate(knossos::BitView bits) { return static_cast<double>(bits.count()); }
    static double target() { return 100; }
};

int main() {
    const auto result = knossos::evolve(OneMax{}, {.stop = knossos::solved() || knossos::generations(1000)});
    std::cout << result.best.to_text() << "\n"
              << result.fitness << " ones after " << result.evaluations << " evaluations\n";
    return result.solved ? 0 : 1;
}
