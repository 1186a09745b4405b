#pragma once

namespace knossos {

// Functions that every system agrees on to the last bit, from basic IEEE operations only (libm's differ). For
// whatever steers a search: operators, and the evaluate() of problems whose results are to be the same
// everywhere. Square roots are IEEE's own already: std::sqrt().

/// Natural logarithm of a finite x > 0. Accurate to about 2⁻⁵⁰.
double portable_log(double x);

/// e to the power of x, within 2 units in the last place; 0 and infinity where that leaves the range.
double portable_exp(double x);

/// x to the power of y, for x of 0 and above; not a number below. The relative error is at most 2⁻⁴⁹ · (1 +
/// |y ln x|).
double portable_pow(double x, double y);

/// Sine and cosine of x in radians, within 3 units in the last place for every finite x.
double portable_sin(double x);
double portable_cos(double x);

/// Sine and cosine of π · x, within 2 units in the last place: what turns into whole or half turns exactly
/// stays exact, and nothing of x is lost to a rounded π.
double portable_sinpi(double x);
double portable_cospi(double x);

} // namespace knossos
