#pragma once
// Shared declarations of the files of set and frozenset.

#include <optional>
#include <span>

#include "src/memory/pieces.h"

namespace gpy {

std::span<const Native> set_methods();         // of both
std::span<const Native> set_change_methods();  // of set alone

enum class SetOp { unite, intersect, subtract, symmetric };

inline Set& set_of(const Value& v) { return *v.as<Set>(); }

// A new set of the same kind as `type`.
Ref<Set> copy_set(Interpreter& vm, Set& set, Type* type);
void add_all(Interpreter& vm, Set& set, const Value& iterable);
Ref<Set> set_from(Interpreter& vm, const Value& iterable);
// The set itself, or a new one of the iterable's items.
Ref<Set> as_set(Interpreter& vm, const Value& iterable);
// The set operation of | & - ^; nothing for other operators.
std::optional<SetOp> set_operation(BinaryOp op);
Ref<Set> combine(Interpreter& vm, SetOp op, Set& set, const Value& other);
// The same in place.
void change_set(Interpreter& vm, SetOp op, Set& set, const Value& other);
bool is_subset(Interpreter& vm, Set& inner, Set& outer);

// The key to look a value up with: for a set, which cannot be hashed, the frozenset of its items.
Value as_member(Interpreter& vm, const Value& item);

template <class F> void each_item(Set& set, F&& f) {
  InterruptPoll poll(*set.type->vm);
  for (size_t i = 0; i < set.entries().size(); ++i) {
    poll.step();
    Value item = set.entries()[i].key;
    if (item.is_defined()) f(item);
  }
}

}  // namespace gpy
