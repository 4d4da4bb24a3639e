#include "src/slot_methods.h"

#include "src/format.h"
#include "src/interpreter.h"
#include "src/number.h"

namespace gpy {

// --- bodies --------------------------------------------------------------------------------------

template <BinaryOp op> static Value binary(Interpreter& vm, Args args) {
  return vm.type_of(args[0])->slots.binary(vm, op, args[0], args[1]);
}

template <BinaryOp op> static Value reflected(Interpreter& vm, Args args) {
  return vm.type_of(args[0])->slots.binary(vm, op, args[1], args[0]);
}

template <UnaryOp op> static Value unary(Interpreter& vm, Args args) {
  return vm.unary(op, args[0]);
}

template <CompareOp op> static Value compare(Interpreter& vm, Args args) {
  auto slot = vm.type_of(args[0])->slots.compare;
  if (slot) return slot(vm, op, args[0], args[1]);
  if (!args[0].same(args[1])) return Value::not_implemented();
  return Value::boolean(op == CompareOp::equal);
}

static Value len(Interpreter& vm, Args args) { return Value::integer(vm.length(args[0])); }
static Value getitem(Interpreter& vm, Args args) { return vm.get_item(args[0], args[1]); }
static Value setitem(Interpreter& vm, Args args) {
  vm.set_item(args[0], args[1], args[2]);
  return Value::none();
}
static Value delitem(Interpreter& vm, Args args) {
  vm.delete_item(args[0], args[1]);
  return Value::none();
}
static Value contains(Interpreter& vm, Args args) {
  return Value::boolean(vm.contains(args[0], args[1]));
}
static Value iter(Interpreter& vm, Args args) { return vm.iterate(args[0]); }

static Value next(Interpreter& vm, Args args) {
  Value item = vm.next(args[0]);
  if (item.is_undefined()) vm.raise(vm.types.stop_iteration, "");
  return item;
}

static Value repr(Interpreter& vm, Args args) { return vm.str(vm.repr(args[0])); }
static Value str(Interpreter& vm, Args args) { return vm.str(vm.to_str(args[0])); }
static Value hash(Interpreter& vm, Args args) { return Value::integer(vm.hash(args[0])); }
static Value truth(Interpreter& vm, Args args) { return Value::boolean(vm.truth(args[0])); }
static Value index(Interpreter& vm, Args args) { return vm.to_index_value(args[0]); }
static Value to_float(Interpreter& vm, Args args) { return Value::real(vm.to_real(args[0])); }
static Value to_int(Interpreter& vm, Args args) {
  return vm.type_of(args[0])->slots.to_int(vm, args[0]);
}

static Value to_complex(Interpreter& vm, Args args) {
  return vm.type_of(args[0])->slots.to_complex(vm, args[0]);
}

static Value format(Interpreter& vm, Args args) {
  return vm.str(format_value(vm, args[0], vm.to_text(args[1], "__format__() argument")));
}

static Value call(Interpreter& vm, Args args) {
  std::vector<Value> values(args[1].as<Tuple>()->items().begin(),
                            args[1].as<Tuple>()->items().end());
  auto positional = static_cast<uint32_t>(values.size());
  std::vector<Str*> names;
  for (auto& entry : args[2].as<Dict>()->entries()) {
    if (entry.key.is_undefined()) continue;
    names.push_back(entry.key.as<Str>());
    values.push_back(entry.value);
  }
  return vm.call(args[0], CallArgs{values.data(), positional, names});
}

static Value enter(Interpreter& vm, Args args) {
  return vm.type_of(args[0])->slots.enter(vm, args[0]);
}
static Value exit(Interpreter& vm, Args args) {
  return Value::boolean(vm.type_of(args[0])->slots.exit(vm, args[0], args[2]));
}

// --- what a type can do --------------------------------------------------------------------------

namespace {

using Can = bool (*)(const Type&);

struct Row {
  Native native;
  Can can;
};

}  // namespace

template <auto member> static bool has(const Type& type) { return type.slots.*member != nullptr; }

static bool always(const Type&) { return true; }

// A sequence or set has a slot for all operators and answers a few.
template <BinaryOp op> static bool has_binary(const Type& type) {
  if (!type.slots.binary) return false;
  switch (type.instance_layout) {
    case Layout::str:
      if (op == BinaryOp::remainder) return true;
      [[fallthrough]];
    case Layout::list:
    case Layout::tuple:
    case Layout::bytes: return op == BinaryOp::add || op == BinaryOp::multiply;
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
  return has_binary<op>(type) && (!sequence || op == BinaryOp::multiply);
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
    {{"__str__", "(self, /)", str}, always},
    {{"__format__", "(self, format_spec, /)", format}, always},
    {{"__hash__", "(self, /)", hash}, has<&Slots::hash>},
    {{"__bool__", "(self, /)", truth}, has<&Slots::truth>},
    {{"__index__", "(self, /)", index}, has<&Slots::index>},
    {{"__int__", "(self, /)", to_int}, has<&Slots::to_int>},
    {{"__float__", "(self, /)", to_float}, has<&Slots::to_float>},
    {{"__complex__", "(self, /)", to_complex}, has<&Slots::to_complex>},
    {{"__enter__", "(self, /)", enter}, has<&Slots::enter>},
    {{"__exit__", "(self, type=None, exception=None, traceback=None, /)", exit}, has<&Slots::exit>},
};
#undef GPY_BINARY
#undef GPY_COMPARE
#undef GPY_UNARY

Value slot_method(Interpreter& vm, Type* type, Str* name) {
  std::string_view wanted = name->view();
  if (!wanted.starts_with("__") || !wanted.ends_with("__")) return Value();
  for (const Row& row : kRows) {
    if (wanted != row.native.name) continue;
    if (!row.can(*type)) break;
    auto method =
        vm.make<NativeFunction>(vm.types.native_function, row.native, type->name, nullptr);
    method->is_method = true;
    method->owner = type;
    return method;
  }
  return Value();
}

}  // namespace gpy
