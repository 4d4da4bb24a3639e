#pragma once
// Declarations that allclose and numpy.testing share.

#include "runtime/session.h"
#include "src/array/convert.h"

namespace gpy::lib {

// Two arrays brought to one place: the device, if either is there.
struct ComparedPair {
  rt::Array a, b;
  rt::Space space = rt::Space::host();
};
ComparedPair compared_pair(Interpreter& vm, const Value& a, const Value& b);

// Integers as floats: their differences neither overflow nor wrap around.
rt::Array as_inexact(Interpreter& vm, const rt::Array& array);

// Ignores floating-point events while it lives.
class Quiet {
 public:
  explicit Quiet(rt::Session& session) : session_(session), before_(session.errors) {
    session.errors = {rt::OnError::kIgnore, rt::OnError::kIgnore, rt::OnError::kIgnore,
                      rt::OnError::kIgnore};
  }
  ~Quiet() { session_.errors = before_; }

 private:
  rt::Session& session_;
  rt::ErrorState before_;
};

struct Tolerance {
  rt::Operand relative, absolute;  // numbers, or arrays that broadcast
  bool equal_nan;
};
rt::Array close_elements(Interpreter& vm, const ComparedPair& pair, const Tolerance& tolerance);

}  // namespace gpy::lib
