#pragma once
// Ints of any size. A Value holds an int that fits 64 bits; only larger ones become an Int, so an
// Int never equals a small value. Arithmetic on both goes through here.

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "src/type.h"
#include "src/value.h"

namespace gpy {

using BigInt = boost::multiprecision::cpp_int;

struct Int : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::big_int;
  Int(Type* type, BigInt value);
  ~Int();
  const BigInt value;

 private:
  size_t limb_bytes() const;
};

// The value of a boolean, integer or Int value.
BigInt to_big(const Value& value);
// A small int if it fits, else an Int.
Value from_big(Interpreter& vm, BigInt value);
// The plain int of an object of a class over int; any other value as it is.
Value without_class(Interpreter& vm, const Value& value);

}  // namespace gpy
