// The functions that the expressions of ufuncs.def and reductions.def call, for g++ and for NVRTC.
//
// Both compilers read these files, so they hold no standard header, no std:: name and no macro that
// a row could use. The host includes <math.h> first and then this file inside a namespace of its
// own; for CUDA the texts of support/ are joined in the order below, inside a namespace as well.
// Everything is a template or forced inline: text that a kernel does not use then costs nothing.
//
//   types.h       fixed-width names, Half, Complex, traits, raise_* (no-ops on a device)
//   arithmetic.h  + - * / // % and friends, comparisons, logic, bits, rounding, casts
//   parts.h       mantissas, exponents, fractions, counts of bits
//   math.h        elementary functions of real numbers
//   complex.h     elementary functions of complex numbers
//   reduce.h      ends of a type, values with their index
//   random.h      Philox4x32-10 and bits to floating point

#include "runtime/ops/support/types.h"
#include "runtime/ops/support/arithmetic.h"
#include "runtime/ops/support/parts.h"
#include "runtime/ops/support/math.h"
#include "runtime/ops/support/complex.h"
#include "runtime/ops/support/reduce.h"
#include "runtime/ops/support/random.h"
