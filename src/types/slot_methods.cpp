#include "src/types/slot_methods.h"

#include <algorithm>

#include "src/calls/receiver.h"
#include "src/classes/attributes.h"
#include "src/classes/class_slots.h"
#include "src/classes/for_classes.h"
#include "src/classes/make_class.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/run/run.h"
#include "src/state.h"
#include "src/typed_native.h"

namespace gpy {

// --- bodies --------------------------------------------------------------------------------------

// The slots of the type that the method was taken from: a class over it may have its own.
static const Slots& slots_of(const Args& call) { return slots_for_classes(call.callee().owner); }

// Called by name, methods of int take ints only, and those of float no complex.
static bool answers(const Value& self, const Value& other) {
  if (is_int(self)) return is_int(other);
  return !self.is_real() || is_int(other) || other.is_real();
}

// The operand without its class, if both are numbers: the float of a numpy.float64.
static Value other_of(Interpreter& vm, const Value& self, const Value& other) {
  if (!is_number(self) || !other.is_object()) return other;
  for (const Type* kind : {vm.types.integer, vm.types.real, vm.types.complex}) {
    if (vm.is_instance(other, kind)) return laid_out_as(vm, kind, other);
  }
  return other;
}

template <BinaryOp op>
static Value binary(Interpreter& vm, const Args& call, const Value& self, const Value& value) {
  const Value other = other_of(vm, self, value);
  if (!answers(self, other)) return Value::not_implemented();
  return slots_of(call).binary(vm, op, self, other);
}

template <BinaryOp op>
static Value inplace(Interpreter& vm, const Args& call, const Value& self, const Value& value) {
  return slots_of(call).inplace(vm, op, self, value);
}

template <BinaryOp op>
static Value reflected(Interpreter& vm, const Args& call, const Value& self, const Value& value) {
  const Value other = other_of(vm, self, value);
  if (!answers(self, other)) return Value::not_implemented();
  return slots_of(call).binary(vm, op, other, self);
}

static Value absolute(Interpreter& vm, const Args& call, const Value& self) {
  return slots_of(call).absolute(vm, self);
}

template <UnaryOp op> static Value unary(Interpreter& vm, const Args& call, const Value& self) {
  return slots_of(call).unary(vm, op, self);
}

template <CompareOp op>
static Value compare(Interpreter& vm, const Args& call, const Value& self, const Value& value) {
  auto slot = slots_of(call).compare;
  const Value other = other_of(vm, self, value);
  if (!answers(self, other)) return Value::not_implemented();
  if (slot) return slot(vm, op, self, other);
  if (op == CompareOp::not_equal) {
    Value equal = vm.call_method(self, "__eq__", {value});
    return equal.is_not_implemented() ? equal : Value::boolean(!vm.truth(equal));
  }
  if (!self.same(value)) return Value::not_implemented();
  return Value::boolean(op == CompareOp::equal);
}

static Value len(Interpreter& vm, const Args& call, const Value& self) {
  return Value::integer(slots_of(call).length(vm, self));
}
static Value getitem(Interpreter& vm, const Args& call, const Value& self, const Value& key) {
  return slots_of(call).getitem(vm, self, key);
}
static Value setitem(Interpreter& vm, const Args& call, const Value& self, const Value& key,
                     const Value& value) {
  slots_of(call).setitem(vm, self, key, value);
  return Value::none();
}
static Value delitem(Interpreter& vm, const Args& call, const Value& self, const Value& key) {
  slots_of(call).delitem(vm, self, key);
  return Value::none();
}
static Value contains(Interpreter& vm, const Args& call, const Value& self, const Value& item) {
  return Value::boolean(slots_of(call).contains(vm, self, item));
}
static Value iter(Interpreter& vm, const Args& call, const Value& self) {
  return slots_of(call).iter(vm, self);
}

static Value next(Interpreter& vm, const Args& call, const Value& self) {
  Value item = slots_of(call).next(vm, self);
  if (item.is_undefined()) raise_stop_iteration(vm, self);
  return item;
}

static Value repr(Interpreter& vm, const Args& call, const Value& self) {
  return vm.str(slots_of(call).repr(vm, self));
}
static Value str(Interpreter& vm, const Args& call, const Value& self) {
  auto slot = slots_of(call).str;
  return vm.str(slot ? slot(vm, self) : vm.repr(self));
}
static Value hash(Interpreter& vm, const Args& call, const Value& self) {
  if (is_number(self)) return Value::integer(vm.hash(self));
  return Value::integer(slots_of(call).hash(vm, self));
}
static Value truth(Interpreter& vm, const Args& call, const Value& self) {
  return Value::boolean(slots_of(call).truth(vm, self));
}
static Value index(Interpreter& vm, const Args& call, const Value& self) {
  return slots_of(call).index(vm, self);
}
static Value to_float(Interpreter& vm, const Args& call, const Value& self) {
  return slots_of(call).to_float(vm, self);
}
static Value to_int(Interpreter& vm, const Args& call, const Value& self) {
  return slots_of(call).to_int(vm, self);
}
static Value to_complex(Interpreter& vm, const Args& call, const Value& self) {
  return slots_of(call).to_complex(vm, self);
}

static Value format(Interpreter& vm, const Args& call, const Value& self,
                    const Value& format_spec) {
  std::string_view spec = vm.to_text(format_spec, "__format__() argument");
  Type* owner = call.callee().owner;
  if (spec.empty() && vm.type_of(self) != owner) return vm.str(vm.to_str(self));
  if (auto slot = owner->slots.format) {
    const bool is_int = owner == vm.types.integer;  // whose slot reads the class, too
    return vm.str(slot(vm, is_int ? self : laid_out_as(vm, owner, self), spec));
  }
  if (spec.empty()) return vm.str(vm.to_str(self));
  vm.raise_type_error("unsupported format string passed to {}.__format__", vm.type_name(self));
}

namespace {

// The *args and **kwargs of a native, for another call.
struct Gathered {
  std::vector<Value> values;
  std::vector<Str*> names;

  Gathered(std::span<const Value> given, const Value& keywords)
      : values(given.begin(), given.end()) {
    for (auto& entry : keywords.as<Dict>()->entries()) {
      if (entry.key.is_undefined()) continue;
      names.push_back(entry.key.as<Str>());
      values.push_back(entry.value);
    }
  }
  CallArgs arguments() const {
    return {values.data(), static_cast<uint32_t>(values.size() - names.size()), names};
  }
};

}  // namespace

static Value call_object(Interpreter& vm, const Args& call, const Value& self,
                         std::span<const Value> given, const Value& keywords) {
  const Gathered gathered(given, keywords);
  return slots_of(call).call(vm, self, gathered.arguments());
}

static Value enter(Interpreter& vm, const Args& call, const Value& self) {
  return slots_of(call).enter(vm, self);
}
static Value exit(Interpreter& vm, const Args& call, const Value& self, const Value&,
                  const Value& exception, const Value&) {
  return Value::boolean(slots_of(call).exit(vm, self, exception));
}

// --- making objects, and their attributes --------------------------------------------------------

// Checks that int.__new__(C) makes objects of the layout of int.
static void check_makes(Interpreter& vm, Type* home, Type* type) {
  if (!type->is_subclass_of(home)) {
    vm.raise_type_error("{}.__new__({}): {} is not a subtype of {}", home->name, type->name,
                        type->name, home->name);
  }
  const Type* native = native_base(type);
  if (native->constructor == native_base(home)->constructor) return;
  vm.raise_type_error("{}.__new__({}) is not safe, use {}.__new__()", home->name, type->name,
                      native->name);
}

static Value make_new(Interpreter& vm, const Args& call, const Value& cls,
                      std::span<const Value> given, const Value& keywords) {
  auto* home = static_cast<Type*>(call.callee().context);
  Type* type = cls.try_as<Type>();
  if (!type) {
    vm.raise_type_error("{}.__new__(X): X is not a type object ({})", home->name,
                        vm.type_name(cls));
  }
  check_makes(vm, home, type);
  const Gathered gathered(given, keywords);
  return make_natively(vm, type, gathered.arguments());
}

static Value initialise(Interpreter& vm, const Args& call, const Value& self,
                        std::span<const Value> given, const Value& keywords) {
  const Gathered gathered(given, keywords);
  initialise_natively(vm, native_base(call.callee().owner), self, gathered.arguments());
  return Value::none();
}

static Str* attribute_name(Interpreter& vm, const Value& name) {
  return vm.intern(vm.to_text(name, "attribute name"));
}

static Value get_attribute(Interpreter& vm, const Value& self, const Value& name) {
  return vm.get_attribute(self, attribute_name(vm, name));
}

static Value set_attribute(Interpreter& vm, const Value& self, const Value& given,
                           const Value& value) {
  Str* name = attribute_name(vm, given);
  if (!set_plainly(vm, self, name, value)) vm.raise_attribute_error(self, name);
  return Value::none();
}

static Value delete_attribute(Interpreter& vm, const Value& self, const Value& name) {
  return set_attribute(vm, self, name, Value());
}

static Value list_names(Interpreter& vm, const Value& self) {
  std::vector<Value> names;
  for (Str* name : vm.attribute_names(self)) names.push_back(Value(name));
  return vm.list(std::move(names));
}

static Value init_subclass(Interpreter&, const Value&) { return Value::none(); }

// --- what a type can do --------------------------------------------------------------------------

namespace {

using Can = bool (*)(const Type&);

struct Row {
  Native native;
  Can can;
  bool takes_kin = false;  // takes any object: the slot does not depend on its layout
};

}  // namespace

template <auto member> static bool has(const Type& type) { return type.slots.*member != nullptr; }

static bool always(const Type&) { return true; }

// Sequences, sets and types have one slot for all operators, but support only a few.
template <BinaryOp op> static bool has_binary(const Type& type) {
  if (!type.slots.binary) return false;
  const bool unites = type.slots.binary == type.vm->types.type->slots.binary;  // int | str
  if (unites) return op == BinaryOp::bit_or;
  switch (type.instance_layout) {
    case ObjectLayout::str:
    case ObjectLayout::bytes:
      if (op == BinaryOp::remainder) return true;
      [[fallthrough]];
    case ObjectLayout::list:
    case ObjectLayout::tuple: return op == BinaryOp::add || op == BinaryOp::multiply;
    case ObjectLayout::dict: return op == BinaryOp::bit_or;
    case ObjectLayout::set:
    case ObjectLayout::dict_view:
      return op == BinaryOp::bit_or || op == BinaryOp::bit_and || op == BinaryOp::bit_xor ||
             op == BinaryOp::subtract;
    case ObjectLayout::big_int: return op != BinaryOp::matmul;
    case ObjectLayout::complex: return op <= BinaryOp::true_divide || op == BinaryOp::power;
    default: return &type != type.vm->types.real || op <= BinaryOp::power || op == BinaryOp::divmod;
  }
}

template <BinaryOp op> static bool has_reflected(const Type& type) {
  bool sequence =
      type.instance_layout == ObjectLayout::str || type.instance_layout == ObjectLayout::list ||
      type.instance_layout == ObjectLayout::tuple || type.instance_layout == ObjectLayout::bytes;
  return has_binary<op>(type) && (!sequence || op != BinaryOp::add);
}

// Whether the type has the operator in place.
template <BinaryOp op> static bool has_inplace(const Type& type) {
  if (!type.slots.inplace || type.instance_layout == ObjectLayout::str) return false;
  return has_binary<op>(type);
}

template <UnaryOp op> static bool has_unary(const Type& type) {
  bool inverts = &type != type.vm->types.real && type.instance_layout != ObjectLayout::complex;
  return type.slots.unary && (op != UnaryOp::invert || inverts);
}

static bool can_contain(const Type& type) { return type.slots.contains; }

#define GPY_BINARY(name, op)                                                                       \
  {{"__" name "__", "(self, value, /)", typed<binary<BinaryOp::op>>}, has_binary<BinaryOp::op>}, { \
    {"__r" name "__", "(self, value, /)", typed<reflected<BinaryOp::op>>},                         \
        has_reflected<BinaryOp::op>                                                                \
  }
#define GPY_INPLACE(name, op) \
  { {"__" name "__", "(self, value, /)", typed<inplace<BinaryOp::op>>}, has_inplace<BinaryOp::op> }
#define GPY_COMPARE(name, op, can) \
  { {"__" name "__", "(self, value, /)", typed<compare<CompareOp::op>>}, can }
#define GPY_UNARY(name, op) \
  { {"__" name "__", "(self, /)", typed<unary<UnaryOp::op>>}, has_unary<UnaryOp::op> }

static const Row kRows[] = {
    GPY_BINARY("add", add),
    GPY_BINARY("sub", subtract),
    GPY_BINARY("mul", multiply),
    GPY_BINARY("truediv", true_divide),
    GPY_BINARY("floordiv", floor_divide),
    GPY_BINARY("mod", remainder),
    GPY_BINARY("pow", power),
    GPY_BINARY("matmul", matmul),
    GPY_BINARY("lshift", left_shift),
    GPY_BINARY("rshift", right_shift),
    GPY_BINARY("and", bit_and),
    GPY_BINARY("or", bit_or),
    GPY_BINARY("xor", bit_xor),
    GPY_BINARY("divmod", divmod),
    GPY_INPLACE("iadd", add),
    GPY_INPLACE("isub", subtract),
    GPY_INPLACE("imul", multiply),
    GPY_INPLACE("iand", bit_and),
    GPY_INPLACE("ior", bit_or),
    GPY_INPLACE("ixor", bit_xor),
    GPY_COMPARE("eq", equal, always),
    GPY_COMPARE("ne", not_equal, always),
    GPY_COMPARE("lt", less, has<&Slots::compare>),
    GPY_COMPARE("le", less_equal, has<&Slots::compare>),
    GPY_COMPARE("gt", greater, has<&Slots::compare>),
    GPY_COMPARE("ge", greater_equal, has<&Slots::compare>),
    GPY_UNARY("neg", negative),
    GPY_UNARY("pos", positive),
    GPY_UNARY("invert", invert),
    {{"__abs__", "(self, /)", typed<absolute>}, has<&Slots::absolute>},
    {{"__len__", "(self, /)", typed<len>}, has<&Slots::length>},
    {{"__getitem__", "(self, key, /)", typed<getitem>}, has<&Slots::getitem>},
    {{"__setitem__", "(self, key, value, /)", typed<setitem>}, has<&Slots::setitem>},
    {{"__delitem__", "(self, key, /)", typed<delitem>}, has<&Slots::delitem>},
    {{"__contains__", "(self, item, /)", typed<contains>}, can_contain},
    {{"__iter__", "(self, /)", typed<iter>}, has<&Slots::iter>},
    {{"__next__", "(self, /)", typed<next>}, has<&Slots::next>},
    {{"__call__", "(self, /, *args, **kwargs)", typed<call_object>}, has<&Slots::call>},
    {{"__repr__", "(self, /)", typed<repr>}, always},
    {{"__str__", "(self, /)", typed<str>}, always, true},
    {{"__format__", "(self, format_spec, /)", typed<format>}, always, true},
    {{"__hash__", "(self, /)", typed<hash>}, has<&Slots::hash>},
    {{"__bool__", "(self, /)", typed<truth>}, has<&Slots::truth>},
    {{"__index__", "(self, /)", typed<index>}, has<&Slots::index>},
    {{"__int__", "(self, /)", typed<to_int>}, has<&Slots::to_int>},
    {{"__float__", "(self, /)", typed<to_float>}, has<&Slots::to_float>},
    {{"__complex__", "(self, /)", typed<to_complex>}, has<&Slots::to_complex>},
    {{"__enter__", "(self, /)", typed<enter>}, has<&Slots::enter>},
    {{"__init__", "(self, /, *args, **kwargs)", typed<initialise>}, always, true},
    {{"__new__", "(cls, /, *args, **kwargs)", typed<make_new>, "", Native::static_method}, always},
    {{"__init_subclass__", "(cls, /)", typed<init_subclass>, "", Native::class_method}, always},
    {{"__getattribute__", "(self, name, /)", typed<get_attribute>}, always, true},
    {{"__setattr__", "(self, name, value, /)", typed<set_attribute>}, always, true},
    {{"__delattr__", "(self, name, /)", typed<delete_attribute>}, always, true},
    {{"__dir__", "(self, /)", typed<list_names>}, always, true},
    {{"__exit__", "(self, type=None, exception=None, traceback=None, /)", typed<exit>},
     has<&Slots::exit>},
};
#undef GPY_BINARY
#undef GPY_INPLACE
#undef GPY_COMPARE
#undef GPY_UNARY

static const Row* find_row(const Type& type, std::string_view wanted) {
  if (!wanted.starts_with("__") || !wanted.ends_with("__")) return nullptr;
  for (const Row& row : kRows) {
    if (wanted == row.native.name) return row.can(type) ? &row : nullptr;
  }
  return nullptr;
}

// The type that the method belongs to: object, if the type has no implementation of its own. bool
// has its own repr and its own `&`, `|` and `^`; the rest is int's.
static Type* home_of(const Row& row, Type* type) {
  const std::string_view name = row.native.name;
  const bool is_objects =
      (name == "__str__" && !type->slots.str) || (name == "__format__" && !type->slots.format);
  if (is_objects) return type->vm->types.object;
  if (type != type->vm->types.boolean) return type;
  constexpr std::string_view kOwn[] = {"__repr__", "__and__", "__rand__", "__or__",
                                       "__ror__",  "__xor__", "__rxor__", "__new__"};
  const bool is_own = std::find(std::begin(kOwn), std::end(kOwn), name) != std::end(kOwn);
  return is_own ? type : type->base;
}

bool has_slot_method(const Type& type, std::string_view name) { return find_row(type, name); }

Value slot_method(Interpreter& vm, Type* type, Str* name) {
  const Row* row = find_row(*type, name->view());
  if (!row) return Value();
  if (!type->is_class) type = home_of(*row, type);
  auto method =
      vm.make<NativeFunction>(vm.state().slot_wrapper, row->native, type->name, native_base(type));
  method->is_method = row->native.binding == Native::instance;
  method->takes_kin = row->takes_kin;
  if (method->is_method) method->owner = type;
  if (row->native.binding != Native::class_method) return method;
  return vm.make<ClassMethod>(vm.types.class_method, method);
}

}  // namespace gpy
