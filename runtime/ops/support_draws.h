// What the rows of ufuncs/draws.def call, after support.h: read by the same compilers, likewise.
//
//   samplers.h    draws from distributions
//   draws.h       draws of an element by itself

#include "runtime/ops/support/samplers.h"
#include "runtime/ops/support/draws.h"
