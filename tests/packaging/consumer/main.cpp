// Somebody else's problem, built outside of the project: as many ones as possible.
#include <knossos/knossos.hpp>

#include <cstdio>
#include <cstdlib>

struct MostOnes {
    static constexpr auto objective = knossos::Objective::maximise;
    static knossos::Space space() { return knossos::Space::bits(64); }
    static double target() { return 64.0; }
    static double evaluate(knossos::BitView genome) { return static_cast<double>(genome.count()); }
};

int main() {
    const auto result =
        knossos::evolve(MostOnes{}, {
                                        .population = 60,
                                        .recombine = knossos::TwoPoint{},
                                        .stop = knossos::solved() || knossos::generations(500),
                                        .seed = 42,
                                        .threads = 2,
                                    });
    std::printf("knossos %s: %g of 64 ones, digest %016llx\n", knossos::version, result.fitness,
                static_cast<unsigned long long>(result.digest));
    return result.solved ? EXIT_SUCCESS : EXIT_FAILURE;
}
