#pragma once
// Hashes and equality of the keys of dicts and sets, with a short path for common ones.

#include "src/interpreter.h"

namespace gpy {

// The same as Interpreter::hash.
inline int64_t hash_of(Interpreter& vm, const Value& key) {
  constexpr int64_t kOwnHash = int64_t{1} << 60;  // non-negative ints up to here are their hash
  if (key.is_integer() && static_cast<uint64_t>(key.as_integer()) < kOwnHash) {
    return key.as_integer();
  }
  return vm.is_text(key) ? key.unchecked<Str>()->hash() : vm.hash(key);
}

// Compares keys whose hashes are equal. May run user code.
inline bool keys_equal(Interpreter& vm, const Value& a, const Value& b) {
  if (a.same(b)) return true;
  if (vm.are_texts(a, b)) return a.unchecked<Str>()->view() == b.unchecked<Str>()->view();
  if (a.is_integer() && b.is_integer()) return false;
  return vm.equal(a, b);
}

}  // namespace gpy
