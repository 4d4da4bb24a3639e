#pragma once
// int.to_bytes and int.from_bytes.

#include "src/native.h"

namespace gpy {

Value int_to_bytes(Interpreter& vm, const Value& self, int64_t length, const Value& byteorder,
                   const Value& signedness);
Value int_from_bytes(Interpreter& vm, const Value& cls, const Value& bytes, const Value& byteorder,
                     const Value& signedness);

}  // namespace gpy
