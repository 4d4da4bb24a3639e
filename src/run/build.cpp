// Building and unpacking containers.
#include "src/run/run.h"
#include "src/types/dict.h"
#include "src/types/set.h"

namespace gpy {

// Moves `count` values out of registers from `first` on.
static std::vector<Value> take(const Step& step, int32_t first, int32_t count) {
  std::vector<Value> items;
  items.reserve(static_cast<size_t>(count));
  for (int32_t k = 0; k < count; ++k) items.push_back(std::move(step.reg(first + k)));
  return items;
}

void op_build_list(const Step& step) {
  step.reg(step.i.a) = step.vm.list(take(step, step.i.b, step.i.c));
}

void op_build_tuple(const Step& step) {
  auto count = static_cast<size_t>(step.i.c);
  Ref<Tuple> tuple = Tuple::make_uninitialised(step.vm, count);
  for (size_t k = 0; k < count; ++k) {
    (*tuple)[k] = std::move(step.reg(step.i.b + static_cast<int32_t>(k)));
  }
  step.reg(step.i.a) = std::move(tuple);
}

void op_list_to_tuple(const Step& step) {
  Value list = step.b();
  step.finish(step.vm.tuple(list.as<List>()->items));
}

void op_build_set(const Step& step) {
  Ref<Set> set = step.vm.set();
  for (int32_t k = 0; k < step.i.c; ++k) {
    set->add(step.vm, step.reg(step.i.b + k));
    step.reg(step.i.b + k) = Value();
  }
  step.reg(step.i.a) = std::move(set);
}

void op_build_dict(const Step& step) { step.reg(step.i.a) = step.vm.dict(); }

void op_build_slice(const Step& step) {
  auto part = [&](int32_t k) { return std::move(step.reg(step.i.b + k)); };
  Value start = part(0), stop = part(1), step_by = part(2);
  step.reg(step.i.a) = step.vm.slice(std::move(start), std::move(stop), std::move(step_by));
}

// The callee as messages about the arguments of a call name it: "module.f".
static std::string callee_name(const Step& step, const Value& callable) {
  Interpreter& vm = step.vm;
  Value name = vm.try_get_attribute(callable, step.names().__qualname__);
  if (!name.is<Str>()) return vm.repr(callable);
  Value module = vm.try_get_attribute(callable, step.names().__module__);
  bool is_plain = !module.is<Str>() || module.as<Str>()->view() == "builtins";
  return is_plain ? vm.to_str(name) : vm.to_str(module) + "." + vm.to_str(name);
}

[[noreturn]] static void raise_not_iterable(const Step& step, const Value& starred) {
  Interpreter& vm = step.vm;
  if (!(step.i.d & kOnlyStar)) {
    vm.raise_type_error("Value after * must be an iterable, not {}", vm.type_name(starred));
  }
  vm.raise_type_error("{}() argument after * must be an iterable, not {}",
                      callee_name(step, step.reg(step.i.a - 1)), vm.type_name(starred));
}

void op_list_extend(const Step& step) {
  Interpreter& vm = step.vm;
  Value iterable = step.b();
  step.drop();
  if (!vm.is_iterable(iterable)) raise_not_iterable(step, iterable);
  List* list = step.reg(step.i.a).as<List>();
  vm.claim(vm.expected_length(iterable), sizeof(Value));
  vm.for_each(iterable, [&](Value item) { list->items.push_back(std::move(item)); });
}

void op_set_add(const Step& step) {
  step.reg(step.i.a).as<Set>()->add(step.vm, step.b());
  step.drop();
}

void op_set_update(const Step& step) {
  add_all(step.vm, *step.reg(step.i.a).as<Set>(), step.b());
  step.drop();
}

void op_dict_set(const Step& step) {
  const Value& key = step.b();
  step.reg(step.i.a).as<Dict>()->set(step.vm, key, step.c());
  step.drop();
}

static void for_each_pair(Interpreter& vm, const Value& mapping,
                          const std::function<void(const Value&, const Value&)>& visit) {
  if (Dict* dict = mapping.try_as<Dict>()) return each_entry(*dict, visit);
  Value keys = vm.call_method(mapping, "keys");
  vm.for_each(keys, [&](const Value& key) { visit(key, vm.get_item(mapping, key)); });
}

void op_dict_update(const Step& step) {
  Interpreter& vm = step.vm;
  Value other = step.b();
  step.drop();
  if (!other.is<Dict>() && vm.try_get_attribute(other, vm.intern("keys")).is_undefined()) {
    vm.raise_type_error("'{}' object is not a mapping", vm.type_name(other));
  }
  Dict* dict = step.reg(step.i.a).as<Dict>();
  if (dict->size() == 0 && vm.type_of(other) == vm.types.dict) {
    step.reg(step.i.a) = other.as<Dict>()->copy();
    return;
  }
  for_each_pair(vm, other, [&](const Value& key, const Value& item) { dict->set(vm, key, item); });
}

// --- keywords of a call --------------------------------------------------------------------------

static std::string callee_of_keywords(const Step& step) {
  return callee_name(step, step.reg(step.i.a - 2));
}

static void merge_keyword(const Step& step, Dict* dict, const Value& key, const Value& item) {
  Interpreter& vm = step.vm;
  if (!key.is<Str>()) vm.raise_type_error("keywords must be strings");
  if (dict->find(key.as<Str>())) {
    vm.raise_type_error("{}() got multiple values for keyword argument '{}'",
                        callee_of_keywords(step), key.as<Str>()->view());
  }
  dict->set(key.as<Str>(), item);
}

void op_dict_merge_keywords(const Step& step) {
  Interpreter& vm = step.vm;
  Dict* dict = step.reg(step.i.a).as<Dict>();
  Value item = step.b();
  if (step.i.d & kHasName) {
    merge_keyword(step, dict, step.reg(step.i.c), item);
  } else if (!item.is<Dict>() && vm.try_get_attribute(item, vm.intern("keys")).is_undefined()) {
    vm.raise_type_error("{}() argument after ** must be a mapping, not {}",
                        callee_of_keywords(step), vm.type_name(item));
  } else {
    for_each_pair(vm, item, [&](const Value& key, const Value& each) {
      merge_keyword(step, dict, key, each);
    });
  }
  step.drop();
}

// --- unpacking -----------------------------------------------------------------------------------

static void check_iterable(Interpreter& vm, const Value& value) {
  if (!vm.is_iterable(value)) {
    vm.raise_type_error("cannot unpack non-iterable {} object", vm.type_name(value));
  }
}

// The targets stay as they are until all items are available.
void slow_unpack(const Step& step) {
  Interpreter& vm = step.vm;
  Value source = step.b();
  step.drop();
  auto count = static_cast<size_t>(step.i.c);
  check_iterable(vm, source);
  Value iterator = vm.iterate(source);
  std::vector<Value> items;
  items.reserve(count);
  for (size_t k = 0; k < count; ++k) {
    items.push_back(vm.next(iterator));
    if (items.back().is_defined()) continue;
    vm.raise_value_error("not enough values to unpack (expected {}, got {})", count, k);
  }
  if (vm.next(iterator).is_defined()) {
    vm.raise_value_error("too many values to unpack (expected {})", count);
  }
  for (size_t k = 0; k < count; ++k) {
    step.reg(step.i.a + static_cast<int32_t>(k)).swap(items[k]);
  }
}

void op_unpack_starred(const Step& step) {
  Interpreter& vm = step.vm;
  Value source = step.b();
  step.drop();
  check_iterable(vm, source);
  std::vector<Value> items = vm.collect(source);
  auto count = static_cast<size_t>(step.i.c);
  size_t star = step.i.d >> kOperatorShift;
  if (items.size() + 1 < count) {
    vm.raise_value_error("not enough values to unpack (expected at least {}, got {})", count - 1,
                         items.size());
  }
  size_t starred = items.size() - (count - 1);
  auto at = [&](size_t k) { return items.begin() + static_cast<int64_t>(k); };
  for (size_t k = 0; k < count; ++k) {
    Value& to = step.reg(step.i.a + static_cast<int32_t>(k));
    if (k < star) to = items[k];
    if (k == star) to = vm.list({at(star), at(star + starred)});
    if (k > star) to = items[k + starred - 1];
  }
}

}  // namespace gpy
