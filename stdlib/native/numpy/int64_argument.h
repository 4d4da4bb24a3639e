#pragma once
// Indices and counts, as NumPy reads them: take, put and repeat.

#include "src/array/convert.h"

namespace gpy::lib {

// The array as int64; TypeError where `casting` does not allow that.
rt::Array cast_to_int64(Interpreter& vm, const rt::Array& array, rt::Casting casting);

// The same for an array that was given, on `space`; the elements of anything else are converted by
// int().
rt::Array int64_argument(Interpreter& vm, const Value& value, rt::Space space, rt::Casting casting);

}  // namespace gpy::lib
