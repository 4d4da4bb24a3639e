// The module operator: the operators as functions.
#include "stdlib/native/operator/operator.h"

#include "src/array/convert.h"
#include "src/numbers/number.h"
#include "src/typed_native.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

template <BinaryOp op> static Value binary(Interpreter& vm, const Value& a, const Value& b) {
  return vm.binary(op, a, b);
}

template <BinaryOp op> static Value inplace(Interpreter& vm, const Value& a, const Value& b) {
  Value kept = a;  // so that nothing shared changes in place
  return vm.inplace(op, kept, b);
}

template <CompareOp op> static Value compare(Interpreter& vm, const Value& a, const Value& b) {
  return vm.compare(op, a, b);
}

template <UnaryOp op> static Value unary(Interpreter& vm, const Value& a) {
  return vm.unary(op, a);
}

static Value not_(Interpreter&, bool a) { return Value::boolean(!a); }
static Value truth(Interpreter&, bool a) { return Value::boolean(a); }
static Value is_(Interpreter&, const Value& a, const Value& b) { return Value::boolean(a.same(b)); }
static Value is_not(Interpreter&, const Value& a, const Value& b) {
  return Value::boolean(!a.same(b));
}
static Value index(Interpreter& vm, const Value& a) { return vm.to_index_value(a); }

static Value abs(Interpreter& vm, const Value& a) {
  return vm.call(*vm.builtins->find(vm.intern("abs")), {a});
}

// The result of `ask`; undefined where it raises TypeError.
template <class Ask> static Value unless_type_error(Interpreter& vm, Ask&& ask) {
  try {
    return ask();
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.type_error)) throw;
    return {};
  }
}

// The number of items by the object's own length or hint. Undefined where it has neither.
static Value own_hint(Interpreter& vm, const Value& object) {
  if (vm.type_of(object)->slots.length) {
    Value length = unless_type_error(vm, [&] { return Value::integer(vm.length(object)); });
    if (length.is_defined()) return length;
  }
  Value method = vm.try_get_attribute(object, vm.intern("__length_hint__"));
  if (method.is_undefined()) return method;
  Value hint = unless_type_error(vm, [&] { return vm.call(method); });
  if (hint.is_undefined() || hint.same(Value::not_implemented())) return {};
  if (!is_int(hint)) {
    vm.raise_type_error("__length_hint__ must be an integer, not {}", vm.type_name(hint));
  }
  const int64_t count = vm.to_index(hint);
  if (count < 0) vm.raise_value_error("__length_hint__() should return >= 0");
  return Value::integer(count);
}

static Value length_hint(Interpreter& vm, const Value& object, int64_t otherwise) {
  Value hint = own_hint(vm, object);
  return hint.is_defined() ? hint : Value::integer(otherwise);
}

// Arrays and their scalars have items, but + of theirs is a sum.
static bool adds(const Value& v) { return as_ndarray(v) || as_generic(v); }

static void check_sequences(Interpreter& vm, const Value& a, const Value& b) {
  const bool has_items = vm.type_of(a)->slots.getitem && !a.is<Dict>();
  if (has_items && !adds(a) && !adds(b)) return;
  const Value& odd = has_items && adds(b) ? b : a;
  vm.raise_type_error("'{}' object can't be concatenated", vm.type_name(odd));
}

static Value concat(Interpreter& vm, const Value& a, const Value& b) {
  check_sequences(vm, a, b);
  return binary<BinaryOp::add>(vm, a, b);
}

static Value iconcat(Interpreter& vm, const Value& a, const Value& b) {
  check_sequences(vm, a, b);
  return inplace<BinaryOp::add>(vm, a, b);
}

Value call_with(Interpreter& vm, const Value& callable, std::span<const Value> positional,
                Dict& keywords) {
  std::vector<Value> values(positional.begin(), positional.end());
  std::vector<Str*> names;
  for (auto& entry : keywords.entries()) {
    if (entry.key.is_undefined()) continue;
    names.push_back(entry.key.as<Str>());
    values.push_back(entry.value);
  }
  return vm.call(callable,
                 CallArgs{values.data(), static_cast<uint32_t>(positional.size()), names});
}

static Value call(Interpreter& vm, const Value& callable, std::span<const Value> positional,
                  const Value& keywords) {
  return call_with(vm, callable, positional, *keywords.as<Dict>());
}

static Value contains(Interpreter& vm, const Value& a, const Value& b) {
  return Value::boolean(vm.contains(a, b));
}
static Value getitem(Interpreter& vm, const Value& a, const Value& b) { return vm.get_item(a, b); }
static Value setitem(Interpreter& vm, const Value& a, const Value& b, const Value& c) {
  vm.set_item(a, b, c);
  return Value::none();
}
static Value delitem(Interpreter& vm, const Value& a, const Value& b) {
  vm.delete_item(a, b);
  return Value::none();
}

static void check_iterable(Interpreter& vm, const Value& v) {
  if (vm.is_iterable(v)) return;
  vm.raise_type_error("argument of type '{}' is not iterable", vm.type_name(v));
}

static Value count_of(Interpreter& vm, const Value& a, const Value& b) {
  check_iterable(vm, a);
  int64_t count = 0;
  vm.for_each(a, [&](const Value& item) { count += vm.equal(item, b); });
  return Value::integer(count);
}

static Value index_of(Interpreter& vm, const Value& a, const Value& b) {
  check_iterable(vm, a);
  int64_t position = 0;
  Value iterator = vm.iterate(a);
  for (Value item = vm.next(iterator); item.is_defined(); item = vm.next(iterator), ++position) {
    if (vm.equal(item, b)) return Value::integer(position);
  }
  vm.raise_value_error("sequence.index(x): x not in sequence");
}

// An operator of two values, and its form in place, `iadd`.
#define GPY_BINARY_AS(name, in_place, op, symbol)                          \
  {name, "(a, b, /)", typed<binary<BinaryOp::op>>, "a " symbol " b"}, {    \
    in_place, "(a, b, /)", typed<inplace<BinaryOp::op>>, "a " symbol "= b" \
  }
#define GPY_BINARY(name, op, symbol) GPY_BINARY_AS(name, "i" name, op, symbol)
#define GPY_COMPARISON(name, op, symbol) \
  { name, "(a, b, /)", typed<compare<CompareOp::op>>, "a " symbol " b" }
#define GPY_UNARY(name, op, symbol) \
  { name, "(a, /)", typed<unary<UnaryOp::op>>, symbol "a" }

// Each exists with underscores too, `add` and `__add__`; or `and_` and `__and__`.
static const Native kOperators[] = {
    GPY_BINARY("add", add, "+"),
    GPY_BINARY_AS("and_", "iand", bit_and, "&"),
    GPY_BINARY("floordiv", floor_divide, "//"),
    GPY_BINARY("lshift", left_shift, "<<"),
    GPY_BINARY("matmul", matmul, "@"),
    GPY_BINARY("mod", remainder, "%"),
    GPY_BINARY("mul", multiply, "*"),
    GPY_BINARY_AS("or_", "ior", bit_or, "|"),
    GPY_BINARY("pow", power, "**"),
    GPY_BINARY("rshift", right_shift, ">>"),
    GPY_BINARY("sub", subtract, "-"),
    GPY_BINARY("truediv", true_divide, "/"),
    GPY_BINARY("xor", bit_xor, "^"),
    GPY_COMPARISON("eq", equal, "=="),
    GPY_COMPARISON("ge", greater_equal, ">="),
    GPY_COMPARISON("gt", greater, ">"),
    GPY_COMPARISON("le", less_equal, "<="),
    GPY_COMPARISON("lt", less, "<"),
    GPY_COMPARISON("ne", not_equal, "!="),
    GPY_UNARY("inv", invert, "~"),
    GPY_UNARY("invert", invert, "~"),
    GPY_UNARY("neg", negative, "-"),
    GPY_UNARY("pos", positive, "+"),
    {"abs", "(a, /)", typed<abs>, "abs(a)"},
    {"call", "(obj, /, *args, **kwargs)", typed<call>, "obj(*args, **kwargs)"},
    {"concat", "(a, b, /)", typed<concat>, "a + b, of sequences"},
    {"contains", "(a, b, /)", typed<contains>, "b in a"},
    {"delitem", "(a, b, /)", typed<delitem>, "del a[b]"},
    {"getitem", "(a, b, /)", typed<getitem>, "a[b]"},
    {"iconcat", "(a, b, /)", typed<iconcat>, "a += b, of sequences"},
    {"index", "(a, /)", typed<index>, "a as an int"},
    {"not_", "(a, /)", typed<not_>, "not a"},
    {"setitem", "(a, b, c, /)", typed<setitem>, "a[b] = c"},
};
#undef GPY_UNARY
#undef GPY_COMPARISON
#undef GPY_BINARY
#undef GPY_BINARY_AS

static const Native kFunctions[] = {
    {"countOf", "(a, b, /)", typed<count_of>, "How often b is in a."},
    {"indexOf", "(a, b, /)", typed<index_of>, "The first position of b in a."},
    {"is_", "(a, b, /)", typed<is_>, "a is b"},
    {"is_not", "(a, b, /)", typed<is_not>, "a is not b"},
    {"length_hint", "(obj, default=0, /)", typed<length_hint>, "About how many items obj gives."},
    {"truth", "(a, /)", typed<truth>, "Whether a counts as true."},
};

Value open_operator(Interpreter& vm) {
  Ref<Module> module = vm.make_module("operator", kFunctions);
  for (const Native& row : kOperators) {
    std::string_view core = row.name;
    if (core.ends_with('_')) core.remove_suffix(1);
    Value function = vm.function(row, "operator");
    module->set(vm, row.name, function);
    module->set(vm, fmt::format("__{}__", core), function);
  }
  add_getters(vm, *module);
  return module;
}

}  // namespace gpy::lib
