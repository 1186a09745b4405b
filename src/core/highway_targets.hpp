#pragma once

/// For HWY_DISABLED_TARGETS, which every file that Highway compiles once per instruction set defines before
/// it includes Highway: the instruction sets whose vectors have a length that is known only when the program
/// runs. The kernels keep vectors in arrays and structures, which such types can't be. A processor with SVE
/// has NEON as well, and the kernels use that.
#define KNOSSOS_SCALABLE_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
