#pragma once
// The array that an object of a class gives: by __array_interface__, which describes memory, or by
// __array__.

#include <optional>

#include "runtime/core/dtype.h"
#include "src/interpreter.h"

namespace gpy {

enum class Copy { always, if_needed, never };

struct GivenArray {
  Value array;          // undefined: the object gives none
  bool is_new = false;  // the object was asked for a copy, and made one
};

// Raises that an array cannot be had without a copy.
[[noreturn]] void refuse_copy(Interpreter& vm);

// Whether an object's class has one of the two.
bool gives_array(Interpreter& vm, const Value& object);
// __array__ is told the dtype and whether to copy. The array may have a class over ndarray, or be
// of another kind than numbers; its dtype may be another one.
GivenArray array_given_by(Interpreter& vm, const Value& object,
                          std::optional<rt::DType> dtype = std::nullopt,
                          Copy copy = Copy::if_needed);

}  // namespace gpy
