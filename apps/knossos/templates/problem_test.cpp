// Ends with 0 if the problem is what it should be. Any test framework will do as well.
#include "problem.hpp"

#include <cstdio>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
    std::printf("%s: %s\n", holds ? "ok" : "FAILED", what);
    failures += holds ? 0 : 1;
}

} // namespace

int main() {
    const auto result = knossos::evolve(Heaps{8}, {
                                                      .population = 20,
                                                      .mutate = knossos::BitFlip{},
                                                      .stop = knossos::solved() || knossos::generations(500),
                                                  });
    expect(result.solved, "eight squares lie on two heaps of the same weight");
    expect(Heaps{8}.target() == 0.0, "their sum is even");
    expect(Heaps{9}.target() == 1.0, "that of nine is odd");
    return failures == 0 ? 0 : 1;
}
