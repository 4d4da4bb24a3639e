#pragma once
// A native's signature text, parsed: binding of arguments to slots, and the TypeErrors that CPython
// gives for wrong ones.

#include <string>
#include <string_view>
#include <vector>

#include "src/calls/call.h"
#include "src/native.h"
#include "src/value.h"

namespace gpy {

struct Parameter {
  enum Kind : uint8_t { positional_only, positional, var_positional, keyword_only, var_keyword };
  std::string name;
  Kind kind;
  bool required;
  Value fallback;  // undefined: required, or omitted without a default
  std::string fallback_text;
  bool may_be_no_value = false;  // numpy._NoValue is as good as leaving it out
};

// Whether an argument is numpy._NoValue.
bool has_no_value(Interpreter& vm, std::span<const Value> arguments);

struct Signature {
  std::vector<Parameter> parameters;
  bool like_c = false;             // has a `/`: errors read as those of CPython's C functions
  bool in_brackets = false;        // a `//` instead: count errors read "find() takes ... (0 given)"
  uint32_t positional = 0;         // how many parameters can be given by position
  uint32_t required = 0;           // how many of those must be given
  bool simple = false;             // positional parameters only, no * or **
  bool may_have_no_value = false;  // some parameter's argument may be numpy._NoValue
  int var_positional = -1, var_keyword = -1;  // slots

  static Signature parse(Interpreter& vm, std::string_view text);
  std::string text() const;  // "(a, axis=None, *, keepdims=False)"
};

// Calls a native: fills its slots from `self` (if it has one: undefined for none) and `arguments`.
Value call_native(Interpreter& vm, NativeFunction& callee, const Value& self,
                  const CallArgs& arguments);

}  // namespace gpy
