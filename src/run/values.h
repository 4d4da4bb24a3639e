#pragma once
// Operations on values that the run loop does without leaving it. For run.cpp alone: static, so
// that the compiler sees their number of calls.

#include <span>

#include "src/classes/instance.h"
#include "src/run/run.h"
#include "src/run/site_lookup.h"
#include "src/types/iterators.h"
#include "src/types/sequence.h"
#include "src/types/str.h"

namespace gpy {

// --- numbers -------------------------------------------------------------------------------------

static bool both_integer(const Value& x, const Value& y) {
  return x.is_integer() && y.is_integer();
}
static bool both_real(const Value& x, const Value& y) { return x.is_real() && y.is_real(); }

// The operands of a mixed pair as doubles. False if one is no small number.
static bool as_reals(const Value& x, const Value& y, double& a, double& b) {
  auto read = [](const Value& v, double& to) {
    if (v.is_real()) to = v.as_real();
    else if (v.is_integer()) to = static_cast<double>(v.as_integer());
    else return false;
    return true;
  };
  return read(x, a) && read(y, b);
}

// --- items ---------------------------------------------------------------------------------------

[[gnu::noinline]] static void append_item(Value& list, Value& item, bool drop) {
  auto& items = list.as<List>()->items;
  if (drop) {
    items.push_back(std::move(item));
  } else {
    items.push_back(item);
  }
}

// The items of an exact list or tuple; none of anything else.
static std::span<Value> plain_items(const Interpreter& vm, const Value& sequence) {
  if (!sequence.is_object()) return {};
  Object* object = sequence.as_object();
  if (object->type == vm.types.list) return static_cast<List*>(object)->items;
  if (object->type == vm.types.tuple) return static_cast<Tuple*>(object)->items();
  return {};
}

// The item at an int; null if the general path is needed.
static Value* plain_item(std::span<Value> items, const Value& key) {
  if (!key.is_integer()) return nullptr;
  auto index = static_cast<uint64_t>(key.as_integer());
  if (static_cast<int64_t>(index) < 0) index += items.size();
  return index < items.size() ? &items[index] : nullptr;
}

// Whether a key can be looked up in an exact dict without running any code of the script's.
static bool is_text_in_dict(const Interpreter& vm, const Value& dict, const Value& key) {
  return vm.is_exactly(vm.types.dict, dict) && vm.is_text(key) &&
         dict.unchecked<Dict>()->compares_texts();
}

// The item of a list at an int, or of a dict under a text that it has; null if the general path is
// needed.
static Value* place_of(const Interpreter& vm, const Value& self, const Value& key) {
  if (!self.is_object()) return nullptr;
  if (self.as_object()->type == vm.types.list)
    return plain_item(self.unchecked<List>()->items, key);
  return is_text_in_dict(vm, self, key) ? self.unchecked<Dict>()->find(key.unchecked<Str>())
                                        : nullptr;
}

// `item` lies in `from`, which may be the same register as `to`.
static inline void copy_item(Value& to, Value& from, const Value& item, bool drop) {
  to = item;
  if (drop && &from != &to) from.set_undefined();
}

// The iterator of a loop, which is always an object.
static Object* iterator_of(const Value& loop) { return loop.unchecked_object(); }

// The next item of a list or tuple; null at the end, and for all other iterators.
static const Value* next_of_sequence(const Value& iterator) {
  if (iterator_of(iterator)->layout != ObjectLayout::sequence_iterator) return nullptr;
  return next_in_row(*iterator.unchecked<SequenceIterator>());
}

// The next character of a text, if it is ASCII and its Str exists already.
static bool take_letter(Interpreter& vm, const Value& iterator, Value& to) {
  if (iterator_of(iterator)->type != vm.types.str_iterator) return false;
  auto* it = iterator.unchecked<StrIterator>();
  if (it->offset >= it->text->bytes) return false;
  const auto byte = static_cast<unsigned char>(it->text->data()[it->offset]);
  if (byte >= 128) return false;
  const Ref<Str>& letter = vm.state().characters[byte];
  if (!letter) return false;
  to = Value(letter.get());
  ++it->offset;
  return true;
}

// The next pair of a loop that unpacks it at once, if that only copies values.
static bool take_pair(const Interpreter& vm, const Value& iterator, Value* registers,
                      const Instruction& loop) {
  const Instruction& body = (&loop)[loop.c];
  const bool is_taken_apart = body.op == Op::unpack && body.b == loop.a && body.d & kDropB;
  return is_taken_apart && body.c == 2 && take_plain_pair(vm, iterator, &registers[body.a]);
}

// Unpacks an exact tuple or list of `count` items. False: it is something else, or an old value of
// a target would be destroyed and might change the list.
[[gnu::noinline]] static bool unpack_quickly(Interpreter& vm, Value* to, Value& from,
                                             const Instruction& i) {
  std::span<Value> items = plain_items(vm, from);
  if (items.size() != static_cast<size_t>(i.c) || items.empty()) return false;
  const bool drop = i.d & kDropB;
  const bool is_last = drop && from.as_object()->refs == 1;
  const bool may_change = !is_last && from.is<List>();
  for (size_t k = 0; k < items.size(); ++k) {
    if (may_change && holds_last_reference(to[k])) [[unlikely]]
      return false;
  }
  if (is_last) {
    for (size_t k = 0; k < items.size(); ++k) to[k] = std::move(items[k]);
  } else {
    for (size_t k = 0; k < items.size(); ++k) to[k] = items[k];
  }
  if (drop) from.set_undefined();
  return true;
}

// --- attributes ----------------------------------------------------------------------------------

// Whether the method that the site found the last time is also this object's.
static bool has_known_method(const Value& self, const Site& site) {
  if (!self.is_object() || !site.binds || site.kind != Site::in_type) return false;
  Object* object = self.as_object();
  if (site.version != object->type->version) return false;
  if (object->layout != ObjectLayout::instance) return !object->type->slots.getattr;
  return site.shape && site.shape == static_cast<Instance*>(object)->shape;
}

// Stores an attribute as the last one of instances of this shape.
[[gnu::noinline]] static void append_attribute(Value& self, const Site& site, Value& item,
                                               uint16_t drops) {
  self.as<Instance>()->append(site.next_shape, item);
  if (drops & kDropA) item.set_undefined();
  if (drops & kDropB) self.set_undefined();
}

}  // namespace gpy
