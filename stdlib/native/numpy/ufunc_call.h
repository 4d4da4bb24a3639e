#pragma once
// Calls of ufuncs: what their arguments and keywords say, and the work.

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/ops/elementwise.h"
#include "src/array/namespace.h"
#include "src/array/objects.h"
#include "src/interpreter.h"

namespace gpy::lib {

struct UfuncObject : Object {
  static constexpr ObjectLayout kLayout = kUfuncLayout;
  UfuncObject(Type* type, const rt::Ufunc& op, const Namespace& names)
      : Object(type), op(op), names(names) {}
  const rt::Ufunc& op;
  const Namespace& names;
};

inline const UfuncObject& as_ufunc(const Value& self) { return *self.as<UfuncObject>(); }

// A call on arrays and numbers, as it was read.
struct ArrayCall {
  std::vector<rt::Operand> inputs;
  Value out;
  std::optional<rt::Operand> where;
  rt::UfuncOptions options;
  const rt::UfuncLoop* loop = nullptr;  // that `signature` asks for
  char order = 'K';
  bool as_array = false;  // out=...: an array, where a number would be given back
};

// Reads `name=value`. TypeError for a keyword that ufuncs do not have.
void read_keyword(Interpreter& vm, const UfuncObject& self, std::string_view name,
                  const Value& value, ArrayCall& call);
Value run_call(Interpreter& vm, const UfuncObject& self, ArrayCall& call);
// np.add(...)
Value ufunc_call(Interpreter& vm, const Value& self, const CallArgs& arguments);

}  // namespace gpy::lib
