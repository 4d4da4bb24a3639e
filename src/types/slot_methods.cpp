#include "src/types/slot_methods.h"

#include <algorithm>

#include "src/calls/receiver.h"
#include "src/classes/attributes.h"
#include "src/classes/class_slots.h"
#include "src/classes/make_class.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/run/run.h"
#include "src/state.h"

namespace gpy {

// --- bodies --------------------------------------------------------------------------------------

// Of the type that the method was taken from: a class over it may have its own.
static const Slots& slots_of(Args args) { return args.callee().owner->slots; }

// Called by name, an int answers ints only and a float no complex; operators ask the other side.
static bool answers(const Value& self, const Value& other) {
  if (is_int(self)) return is_int(other);
  return !self.is_real() || is_int(other) || other.is_real();
}

// A number is asked of numbers as they are without their classes: the float of a numpy.float64.
static Value other_of(Interpreter& vm, Args args) {
  if (!is_number(args[0]) || !args[1].is_object()) return args[1];
  for (const Type* kind : {vm.types.integer, vm.types.real, vm.types.complex}) {
    if (vm.is_instance(args[1], kind)) return laid_out_as(vm, kind, args[1]);
  }
  return args[1];
}

template <BinaryOp op> static Value binary(Interpreter& vm, Args args) {
  const Value other = other_of(vm, args);
  if (!answers(args[0], other)) return Value::not_implemented();
  return slots_of(args).binary(vm, op, args[0], other);
}

template <BinaryOp op> static Value inplace(Interpreter& vm, Args args) {
  return slots_of(args).inplace(vm, op, args[0], args[1]);
}

template <BinaryOp op> static Value reflected(Interpreter& vm, Args args) {
  const Value other = other_of(vm, args);
  if (!answers(args[0], other)) return Value::not_implemented();
  return slots_of(args).binary(vm, op, other, args[0]);
}

template <UnaryOp op> static Value unary(Interpreter& vm, Args args) {
  return slots_of(args).unary(vm, op, args[0]);
}

template <CompareOp op> static Value compare(Interpreter& vm, Args args) {
  auto slot = slots_of(args).compare;
  const Value other = other_of(vm, args);
  if (!answers(args[0], other)) return Value::not_implemented();
  if (slot) return slot(vm, op, args[0], other);
  if (op == CompareOp::not_equal) {
    Value equal = vm.call_method(args[0], "__eq__", {args[1]});
    return equal.is_not_implemented() ? equal : Value::boolean(!vm.truth(equal));
  }
  if (!args[0].same(args[1])) return Value::not_implemented();
  return Value::boolean(op == CompareOp::equal);
}

static Value len(Interpreter& vm, Args args) {
  return Value::integer(slots_of(args).length(vm, args[0]));
}
static Value getitem(Interpreter& vm, Args args) {
  return slots_of(args).getitem(vm, args[0], args[1]);
}
static Value setitem(Interpreter& vm, Args args) {
  slots_of(args).setitem(vm, args[0], args[1], args[2]);
  return Value::none();
}
static Value delitem(Interpreter& vm, Args args) {
  slots_of(args).delitem(vm, args[0], args[1]);
  return Value::none();
}
static Value contains(Interpreter& vm, Args args) {
  return Value::boolean(slots_of(args).contains(vm, args[0], args[1]));
}
static Value iter(Interpreter& vm, Args args) { return slots_of(args).iter(vm, args[0]); }

static Value next(Interpreter& vm, Args args) {
  Value item = slots_of(args).next(vm, args[0]);
  if (item.is_undefined()) raise_stop_iteration(vm, args[0]);
  return item;
}

static Value repr(Interpreter& vm, Args args) { return vm.str(slots_of(args).repr(vm, args[0])); }
static Value str(Interpreter& vm, Args args) {
  auto slot = slots_of(args).str;
  return vm.str(slot ? slot(vm, args[0]) : vm.repr(args[0]));
}
static Value hash(Interpreter& vm, Args args) {
  if (is_number(args[0])) return Value::integer(vm.hash(args[0]));
  return Value::integer(slots_of(args).hash(vm, args[0]));
}
static Value truth(Interpreter& vm, Args args) {
  return Value::boolean(slots_of(args).truth(vm, args[0]));
}
static Value index(Interpreter& vm, Args args) { return slots_of(args).index(vm, args[0]); }
static Value to_float(Interpreter& vm, Args args) { return slots_of(args).to_float(vm, args[0]); }
static Value to_int(Interpreter& vm, Args args) { return slots_of(args).to_int(vm, args[0]); }
static Value to_complex(Interpreter& vm, Args args) {
  return slots_of(args).to_complex(vm, args[0]);
}

static Value format(Interpreter& vm, Args args) {
  std::string_view spec = vm.to_text(args[1], "__format__() argument");
  Type* owner = args.callee().owner;
  if (spec.empty() && vm.type_of(args[0]) != owner) return vm.str(vm.to_str(args[0]));
  if (auto slot = owner->slots.format) {
    const bool is_int = owner == vm.types.integer;  // which tells of the class
    return vm.str(slot(vm, is_int ? args[0] : laid_out_as(vm, owner, args[0]), spec));
  }
  if (spec.empty()) return vm.str(vm.to_str(args[0]));
  vm.raise_type_error("unsupported format string passed to {}.__format__", vm.type_name(args[0]));
}

namespace {

// A native's *args and **kwargs, for another call.
struct Gathered {
  std::vector<Value> values;
  std::vector<Str*> names;

  Gathered(const Value& arguments, const Value& keywords) {
    auto items = arguments.as<Tuple>()->items();
    values.assign(items.begin(), items.end());
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

static Value call(Interpreter& vm, Args args) {
  const Gathered given(args[1], args[2]);
  return slots_of(args).call(vm, args[0], given.arguments());
}

static Value enter(Interpreter& vm, Args args) { return slots_of(args).enter(vm, args[0]); }
static Value exit(Interpreter& vm, Args args) {
  return Value::boolean(slots_of(args).exit(vm, args[0], args[2]));
}

// --- making objects, and their attributes --------------------------------------------------------

// int.__new__(C) makes objects of the layout of int.
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

static Value make_new(Interpreter& vm, Args args) {
  auto* home = static_cast<Type*>(args.callee().context);
  Type* type = args[0].try_as<Type>();
  if (!type) {
    vm.raise_type_error("{}.__new__(X): X is not a type object ({})", home->name,
                        vm.type_name(args[0]));
  }
  check_makes(vm, home, type);
  const Gathered given(args[1], args[2]);
  return make_natively(vm, type, given.arguments());
}

static Value initialise(Interpreter& vm, Args args) {
  const Gathered given(args[1], args[2]);
  initialise_natively(vm, native_base(args.callee().owner), args[0], given.arguments());
  return Value::none();
}

static Value get_attribute(Interpreter& vm, Args args) {
  return vm.get_attribute(args[0], vm.intern(vm.to_text(args[1], "attribute name")));
}

static Value set_attribute(Interpreter& vm, Args args) {
  Str* name = vm.intern(vm.to_text(args[1], "attribute name"));
  if (!set_plainly(vm, args[0], name, args[2])) vm.raise_attribute_error(args[0], name);
  return Value::none();
}

static Value delete_attribute(Interpreter& vm, Args args) {
  Str* name = vm.intern(vm.to_text(args[1], "attribute name"));
  if (!set_plainly(vm, args[0], name, Value())) vm.raise_attribute_error(args[0], name);
  return Value::none();
}

static Value list_names(Interpreter& vm, Args args) {
  std::vector<Value> names;
  for (Str* name : vm.attribute_names(args[0])) names.push_back(Value(name));
  return vm.list(std::move(names));
}

static Value init_subclass(Interpreter&, Args) { return Value::none(); }

// --- what a type can do --------------------------------------------------------------------------

namespace {

using Can = bool (*)(const Type&);

struct Row {
  Native native;
  Can can;
  bool takes_kin = false;  // whatever the object is: it is asked nothing that depends on its layout
};

}  // namespace

template <auto member> static bool has(const Type& type) { return type.slots.*member != nullptr; }

static bool always(const Type&) { return true; }

// A sequence, set or type has a slot for all operators and answers a few.
template <BinaryOp op> static bool has_binary(const Type& type) {
  if (!type.slots.binary) return false;
  const bool unites = type.slots.binary == type.vm->types.type->slots.binary;  // int | str
  if (unites) return op == BinaryOp::bit_or;
  switch (type.instance_layout) {
    case Layout::str:
    case Layout::bytes:
      if (op == BinaryOp::remainder) return true;
      [[fallthrough]];
    case Layout::list:
    case Layout::tuple: return op == BinaryOp::add || op == BinaryOp::multiply;
    case Layout::dict: return op == BinaryOp::bit_or;
    case Layout::set:
    case Layout::dict_view:
      return op == BinaryOp::bit_or || op == BinaryOp::bit_and || op == BinaryOp::bit_xor ||
             op == BinaryOp::subtract;
    case Layout::big_int: return op != BinaryOp::matmul;
    case Layout::complex: return op <= BinaryOp::true_divide || op == BinaryOp::power;
    default: return &type != type.vm->types.real || op <= BinaryOp::power || op == BinaryOp::divmod;
  }
}

template <BinaryOp op> static bool has_reflected(const Type& type) {
  bool sequence = type.instance_layout == Layout::str || type.instance_layout == Layout::list ||
                  type.instance_layout == Layout::tuple || type.instance_layout == Layout::bytes;
  return has_binary<op>(type) && (!sequence || op != BinaryOp::add);
}

// What changes in place, of the operators that it answers.
template <BinaryOp op> static bool has_inplace(const Type& type) {
  if (!type.slots.inplace || type.instance_layout == Layout::str) return false;
  return has_binary<op>(type);
}

template <UnaryOp op> static bool has_unary(const Type& type) {
  bool inverts = &type != type.vm->types.real && type.instance_layout != Layout::complex;
  return type.slots.unary && (op != UnaryOp::invert || inverts);
}

static bool can_contain(const Type& type) { return type.slots.contains; }

#define GPY_BINARY(name, op)                                                                    \
  {{"__" name "__", "(self, value, /)", binary<BinaryOp::op>}, has_binary<BinaryOp::op>}, {     \
    {"__r" name "__", "(self, value, /)", reflected<BinaryOp::op>}, has_reflected<BinaryOp::op> \
  }
#define GPY_INPLACE(name, op) \
  { {"__" name "__", "(self, value, /)", inplace<BinaryOp::op>}, has_inplace<BinaryOp::op> }
#define GPY_COMPARE(name, op, can) \
  { {"__" name "__", "(self, value, /)", compare<CompareOp::op>}, can }
#define GPY_UNARY(name, op) \
  { {"__" name "__", "(self, /)", unary<UnaryOp::op>}, has_unary<UnaryOp::op> }

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
    {{"__len__", "(self, /)", len}, has<&Slots::length>},
    {{"__getitem__", "(self, key, /)", getitem}, has<&Slots::getitem>},
    {{"__setitem__", "(self, key, value, /)", setitem}, has<&Slots::setitem>},
    {{"__delitem__", "(self, key, /)", delitem}, has<&Slots::delitem>},
    {{"__contains__", "(self, item, /)", contains}, can_contain},
    {{"__iter__", "(self, /)", iter}, has<&Slots::iter>},
    {{"__next__", "(self, /)", next}, has<&Slots::next>},
    {{"__call__", "(self, /, *args, **kwargs)", call}, has<&Slots::call>},
    {{"__repr__", "(self, /)", repr}, always},
    {{"__str__", "(self, /)", str}, always, true},
    {{"__format__", "(self, format_spec, /)", format}, always, true},
    {{"__hash__", "(self, /)", hash}, has<&Slots::hash>},
    {{"__bool__", "(self, /)", truth}, has<&Slots::truth>},
    {{"__index__", "(self, /)", index}, has<&Slots::index>},
    {{"__int__", "(self, /)", to_int}, has<&Slots::to_int>},
    {{"__float__", "(self, /)", to_float}, has<&Slots::to_float>},
    {{"__complex__", "(self, /)", to_complex}, has<&Slots::to_complex>},
    {{"__enter__", "(self, /)", enter}, has<&Slots::enter>},
    {{"__init__", "(self, /, *args, **kwargs)", initialise}, always, true},
    {{"__new__", "(cls, /, *args, **kwargs)", make_new, "", Native::static_method}, always},
    {{"__init_subclass__", "(cls, /)", init_subclass, "", Native::class_method}, always},
    {{"__getattribute__", "(self, name, /)", get_attribute}, always, true},
    {{"__setattr__", "(self, name, value, /)", set_attribute}, always, true},
    {{"__delattr__", "(self, name, /)", delete_attribute}, always, true},
    {{"__dir__", "(self, /)", list_names}, always, true},
    {{"__exit__", "(self, type=None, exception=None, traceback=None, /)", exit}, has<&Slots::exit>},
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

// The type that the method is of: object, for what a type does not do in its own way. bool has of
// its own how it is shown and its `&`, `|` and `^`; the rest is int's.
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
