#pragma once
// Natives are declared one row each:
//
//   const Native kRows[] = {
//     {"clip", "(a, a_min=None, a_max=None, *, out=None)", clip, "Limits the values of an array."},
//     {"append", "(self, object, /)", list_append, "Adds an object to the end."},
//   };
//
// The signature is Python's own syntax. A default is None, True, False, a number, a string or
// `...`; `x=<omitted>` (any text in <>) leaves the slot undefined. It is parsed at the first call
// and drives binding, the TypeErrors, help() and completion. `self` is written out for methods.
// With `/`, errors of arguments read as CPython's C functions word them (with `//`, as str.find),
// else as Python's. The body gets a Value for each parameter; `*args` a Tuple, `**kwargs` a Dict.
// A function of C++ types is a body as typed<function>: see typed_native.h.

#include <concepts>
#include <cstdint>
#include <span>

#include "src/value.h"

namespace gpy {

struct NativeFunction;
struct CallArgs;

class Args {
 public:
  // `written`: the call before its defaults were filled in; null: the slots are all that was given.
  Args(const Value* slots, uint32_t count, const NativeFunction& callee,
       const CallArgs* written = nullptr)
      : slots_(slots), count_(count), callee_(callee), written_(written) {}

  const Value& operator[](size_t i) const { return slots_[i]; }
  size_t size() const { return count_; }
  // False for an omitted argument that has no default.
  bool has(size_t i) const { return slots_[i].is_defined(); }
  const Value* begin() const { return slots_; }
  const Value* end() const { return slots_ + count_; }
  // The function called: `callee().context` tells the namespace (numpy, cupy, gp).
  const NativeFunction& callee() const { return callee_; }
  const CallArgs* written() const { return written_; }

 private:
  const Value* slots_;
  uint32_t count_;
  const NativeFunction& callee_;
  const CallArgs* written_;
};

// The function that a native runs. typed_native.h makes one from a function of C++ types.
struct NativeBody {
  Value (*call)(Interpreter&, Args) = nullptr;
  int parameters = -1;  // that the function takes; -1: whatever the signature has

  constexpr NativeBody() = default;
  constexpr NativeBody(Value (*call)(Interpreter&, Args), int parameters = -1)
      : call(call), parameters(parameters) {}
  template <std::convertible_to<Value (*)(Interpreter&, Args)> Function>
  constexpr NativeBody(Function function) : call(function) {}
};

struct Native {
  const char* name;
  const char* signature;
  NativeBody body;
  const char* doc = "";
  // methods: "static" or "class" (slot 0 is the type) instead of an ordinary one.
  enum Binding : uint8_t { instance, static_method, class_method } binding = instance;
  // A quick version for calls by position alone, if binding the signature costs more than the work
  // (`*args`, defaults). Undefined: nothing was done, bind the arguments.
  Value (*quick)(Interpreter&, std::span<const Value> arguments) = nullptr;
};

// An attribute computed from the object. No `set`: read-only.
struct NativeGetter {
  const char* name;
  Value (*get)(Interpreter&, const Value& self);
  void (*set)(Interpreter&, const Value& self, const Value& item) = nullptr;
  const char* doc = "";
  bool hears_of_deletes = false;  // `set` is called with an undefined item, and raises
};

}  // namespace gpy
