// Makes a class for the class statement: order of bases (C3), layout, effects of __slots__ and
// __init_subclass__.
#include "runtime/core/room.h"
#include "src/classes/make_class.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <unordered_map>

#include "src/classes/attributes.h"
#include "src/classes/class_slots.h"
#include "src/classes/instance.h"
#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/objects/function.h"
#include "src/state.h"
#include "src/types/text_codec.h"

namespace gpy {

// --- bases ---------------------------------------------------------------------------------------

// The bases, where a value that stands for classes, typing.List[int] say, is replaced by those.
static std::vector<Value> real_bases(Interpreter& vm, std::span<const Value> given) {
  std::vector<Value> bases;
  for (const Value& each : given) {
    Value stands_for =
        each.is<Type>() ? Value() : vm.try_get_attribute(each, vm.intern("__mro_entries__"));
    if (stands_for.is_undefined()) {
      bases.push_back(each);
      continue;
    }
    Value several = vm.call(stands_for, {vm.tuple(given)});
    if (!several.is<Tuple>()) vm.raise_type_error("__mro_entries__ must return a tuple");
    for (const Value& base : several.as<Tuple>()->items()) bases.push_back(base);
  }
  return bases;
}

[[noreturn]] static void raise_metaclass(Interpreter& vm) {
  vm.raise_type_error(
      "metaclasses are not part of gpy: use a class decorator, or __init_subclass__");
}

// "bytes, dict, ..."; exceptions are too many to be listed.
static std::string builtin_bases(Interpreter& vm) {
  std::vector<std::string> names;
  for (auto& entry : vm.builtins->entries()) {
    Type* type = entry.key.is<Str>() ? entry.value.try_as<Type>() : nullptr;
    if (!type || type->is_final || type == vm.types.real) continue;
    if (type->is_subclass_of(vm.types.type)) continue;
    if (!type->is_subclass_of(vm.types.base_exception)) names.push_back(type->name);
  }
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] static void raise_final(Interpreter& vm, const Type* base) {
  const std::string name = base->full_name();
  Ref<Exception> error = vm.make_exception(
      vm.types.type_error, fmt::format("type '{}' is not an acceptable base type", name));
  error->detail = fmt::format("the builtin types that classes build on are {}, and the exceptions",
                              builtin_bases(vm));
  vm.raise(error);
}

static std::vector<Type*> checked_bases(Interpreter& vm, std::span<const Value> given) {
  std::vector<Type*> bases;
  for (const Value& each : given) {
    Type* base = each.try_as<Type>();
    if (!base) {
      vm.raise_type_error("the base of a class must be a class, not '{}'", vm.type_name(each));
    }
    if (base == vm.types.real) {
      vm.raise_type_error("gpy leaves out classes over float: keep the number in an attribute");
    }
    if (base->is_subclass_of(vm.types.type)) raise_metaclass(vm);
    if (base->is_final) raise_final(vm, base);
    if (std::find(bases.begin(), bases.end(), base) != bases.end()) {
      vm.raise_type_error("duplicate base class {}", base->name);
    }
    bases.push_back(base);
  }
  if (bases.empty()) bases.push_back(vm.types.object);
  return bases;
}

// The bases; the class remembers the values that stood for them.
static std::vector<Type*> bases_of(Interpreter& vm, std::span<const Value> given, Dict& names) {
  const std::vector<Value> real = real_bases(vm, given);
  auto same = [](const Value& a, const Value& b) { return a.same(b); };
  if (!std::equal(given.begin(), given.end(), real.begin(), real.end(), same)) {
    names.set(vm.intern("__orig_bases__"), vm.tuple(given));
  }
  return checked_bases(vm, real);
}

// Whether objects of both hold the same, as those of two kinds of exceptions do.
static bool is_alike(const Type* a, const Type* b) {
  return a->instance_layout == ObjectLayout::exception &&
         b->instance_layout == ObjectLayout::exception && a->slots.destroy == b->slots.destroy;
}

// The base whose objects' layout the class takes over: all other bases' layouts are part of it.
static Type* layout_base(Interpreter& vm, const std::vector<Type*>& bases) {
  Type* best = bases[0];
  for (Type* each : bases) {
    Type* ours = native_base(best);
    Type* theirs = native_base(each);
    if (ours->is_subclass_of(theirs) || is_alike(ours, theirs)) continue;
    if (!theirs->is_subclass_of(ours)) {
      vm.raise_type_error("multiple bases have instance lay-out conflict");
    }
    best = each;
  }
  return best;
}

namespace {

// The rows that C3 merges: each type's bases in order, and how many rows have a type behind their
// head.
class Rows {
 public:
  void add(std::span<Type* const> row) {
    rows_.push_back(row);
    for (size_t i = 1; i < row.size(); ++i) ++behind_[row[i]];
  }
  bool empty() const {
    return std::all_of(rows_.begin(), rows_.end(), [](const auto& row) { return row.empty(); });
  }
  // The first head that is in no other row's tail; null: there is none.
  Type* next() const {
    for (const auto& row : rows_) {
      if (row.empty()) continue;
      const auto found = behind_.find(row.front());
      if (found == behind_.end() || found->second == 0) return row.front();
    }
    return nullptr;
  }
  void take(const Type* head) {
    for (auto& row : rows_) {
      if (row.empty() || row.front() != head) continue;
      row = row.subspan(1);
      if (!row.empty()) --behind_[row.front()];
    }
  }

 private:
  std::vector<std::span<Type* const>> rows_;
  std::unordered_map<const Type*, size_t> behind_;
};

}  // namespace

// The method resolution order by C3 linearisation (Barrett et al., OOPSLA 1996).
static std::vector<Type*> resolution_order(Interpreter& vm, Type* type) {
  Rows rows;
  for (const Type* base : type->bases) rows.add(base->mro);
  rows.add(type->bases);
  std::vector<Type*> order{type};
  while (!rows.empty()) {
    poll_interrupt(vm);
    Type* next = rows.next();
    if (!next) {
      std::string names;
      for (Type* base : type->bases) names += (names.empty() ? "" : ", ") + base->name;
      vm.raise_type_error("Cannot create a consistent method resolution\norder (MRO) for bases {}",
                          names);
    }
    order.push_back(next);
    rows.take(next);
  }
  return order;
}

// --- what the body says --------------------------------------------------------------------------

// Methods that gpy leaves out: a class that has one gets an error with this advice.
static constexpr std::pair<const char*, const char*> kLeftOut[] = {
    {"__getattribute__", "define __getattr__, which is asked for attributes not found"},
    {"__get__", "descriptors of one's own are not part of gpy: use property"},
    {"__set__", "descriptors of one's own are not part of gpy: use property"},
    {"__delete__", "descriptors of one's own are not part of gpy: use property"},
    {"__await__", "async is not part of gpy: use ordinary functions"},
    {"__aiter__", "async is not part of gpy: use __iter__"},
    {"__aenter__", "async is not part of gpy: use __enter__"},
};

void refuse_left_out(Interpreter& vm, Str* given) {
  for (auto [name, advice] : kLeftOut) {
    if (given->view() == name) vm.raise_type_error("gpy leaves out {}: {}", name, advice);
  }
}

static void refuse_left_out(Interpreter& vm, Dict& names) {
  for (auto [name, advice] : kLeftOut) {
    if (names.find(vm.intern(name))) refuse_left_out(vm, vm.intern(name));
  }
}

// A slot cannot be an attribute of the class as well.
static void check_slots(Interpreter& vm, Dict& names) {
  const Value* slots = names.find(vm.state().names.__slots__);
  if (!slots) return;
  const Value all = slots->is<Str>() ? vm.tuple({*slots}) : *slots;
  for (const Value& each : vm.collect(all)) {
    if (!each.is<Str>() || !names.find(vm.intern(each.as<Str>()->view()))) continue;
    vm.raise_value_error("{} in __slots__ conflicts with class variable", vm.repr(each));
  }
}

static bool has_fixed_attributes(Interpreter& vm, Type* type) {
  for (Type* each : type->mro) {
    if (each == vm.types.object) continue;
    // Among the builtin types only exceptions take any attribute.
    if (!each->is_class && each->instance_layout != ObjectLayout::exception) continue;
    Value* slots = each->is_class ? each->attributes->find(vm.state().names.__slots__) : nullptr;
    if (!slots) return false;
    if (names_slot(vm, *slots, vm.state().names.__dict__)) return false;
  }
  return true;
}

static void complete_names(Interpreter& vm, Type* type) {
  auto& names = vm.state().names;
  Dict& own = *type->attributes;
  if (Value* qualified = own.find(names.__qualname__)) {
    type->qualified_name = vm.to_text(*qualified, "type __qualname__");
    own.erase(names.__qualname__);
  }
  if (!own.find(names.__doc__)) own.set(names.__doc__, Value::none());
  if (own.find(names.__eq__) && !own.find(names.__hash__)) {
    own.set(names.__hash__, Value::none());
  }
  // These two get the class whether or not the script says so.
  for (Str* name : {names.__init_subclass__, names.__class_getitem__}) {
    Value* method = own.find(name);
    if (method && method->is<Function>()) {
      own.set(name, vm.make<ClassMethod>(vm.types.class_method, *method));
    }
  }
  Value* maker = own.find(names.__new__);
  if (maker && maker->is<Function>()) {
    own.set(names.__new__, vm.make<StaticMethod>(vm.types.static_method, *maker));
  }
}

// Calls __set_name__ of the attributes that have it.
static void tell_names(Interpreter& vm, Type* type) {
  Str* wanted = vm.intern("__set_name__");
  std::vector<std::pair<Value, Value>> known;
  for (auto& entry : type->attributes->entries()) {
    if (!entry.value.is_object()) continue;
    if (vm.type_of(entry.value)->lookup(wanted)) known.emplace_back(entry.key, entry.value);
  }
  for (auto& [name, item] : known) {
    try {
      vm.call(vm.get_attribute(item, wanted), {Value(type), name});
    } catch (const Raised& raised) {
      Ref<Exception> error =
          vm.make_exception(vm.types.runtime_error,
                            fmt::format("Error calling __set_name__ on '{}' instance {} in '{}'",
                                        vm.type_name(item), vm.repr(name), type->name));
      error->cause = raised.exception;
      error->suppress_context = true;
      vm.raise(error);
    }
  }
}

static void tell_parents(Interpreter& vm, Type* type, Dict* keywords) {
  std::vector<Value> values;
  std::vector<Str*> names;
  if (keywords) {
    for (auto& entry : keywords->entries()) {
      if (entry.key.is_undefined()) continue;
      names.push_back(entry.key.as<Str>());
      values.push_back(entry.value);
    }
  }
  for (Type* each : type->mro) {
    if (each == type || !each->is_class) continue;
    const Value* found = each->attributes->find(vm.state().names.__init_subclass__);
    if (!found) continue;
    vm.call(bound_attribute(vm, *found, Value(), type), {values.data(), 0, names});
    return;
  }
  if (!names.empty()) {
    vm.raise_type_error("{}.__init_subclass__() takes no keyword arguments", type->qualified_name);
  }
}

// The type of a class is that of its bases: the most special one, if a native type over `type` has
// been put there (enum does).
static Type* metatype_of(Interpreter& vm, const std::vector<Type*>& bases) {
  Type* best = vm.types.type;
  for (Type* base : bases) {
    if (base->type->is_subclass_of(best)) {
      best = base->type;
    } else if (!best->is_subclass_of(base->type)) {
      vm.raise_type_error(
          "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of "
          "the metaclasses of all its bases");
    }
  }
  return best;
}

static void refuse_metaclass(Interpreter& vm, Dict* keywords) {
  if (keywords && keywords->find(vm.intern("metaclass"))) raise_metaclass(vm);
}

void check_class_name(Interpreter& vm, std::string_view name) {
  check_writable(vm, name);
  if (name.find('\0') == name.npos) return;
  vm.raise_value_error("type name must not contain null characters");
}

Ref<Type> make_class(Interpreter& vm, std::string_view name, std::span<const Value> given,
                     Ref<Dict> names, Dict* keywords) {
  check_class_name(vm, name);
  refuse_metaclass(vm, keywords);
  refuse_left_out(vm, *names);
  check_slots(vm, *names);
  vm.claim(name.size(), 2);
  std::vector<Type*> bases = bases_of(vm, given, *names);
  Type* layout = layout_base(vm, bases);
  Ref<Type> type = vm.make<Type>(metatype_of(vm, bases), &vm);
  type->is_class = true;
  type->name = type->qualified_name = name;
  type->attributes = std::move(names);
  type->base = layout;
  for (Type* base : bases) {
    rt::make_room(base->subclasses);
    type->bases.push_back(base);
    retain(base);
    base->subclasses.push_back(type.get());
  }
  type->mro = resolution_order(vm, type.get());
  Type* native = native_base(layout);
  bool is_plain = native == vm.types.object;
  type->instance_layout = is_plain ? ObjectLayout::instance : native->instance_layout;
  type->instance_cpp_type = native->instance_cpp_type;
  if (is_plain) type->root_shape = std::make_unique<Shape>();
  type->instance_capacity = is_plain ? layout->instance_capacity : 0;
  type->has_fixed_attributes = has_fixed_attributes(vm, type.get());
  type->version = ++vm.state().versions;
  complete_names(vm, type.get());
  fill_class_slots(*type);
  tell_names(vm, type.get());
  tell_parents(vm, type.get(), keywords);
  return type;
}

}  // namespace gpy
