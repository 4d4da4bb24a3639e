// The module operator: the operators as functions.
#include "src/builtin_objects.h"
#include "src/interpreter.h"
#include "src/traverse.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

template <BinaryOp op> static Value binary(Interpreter& vm, Args args) {
  return vm.binary(op, args[0], args[1]);
}

template <BinaryOp op> static Value inplace(Interpreter& vm, Args args) {
  Value kept = args[0];  // so that nothing shared changes in place
  return vm.inplace(op, kept, args[1]);
}

template <CompareOp op> static Value compare(Interpreter& vm, Args args) {
  return vm.compare(op, args[0], args[1]);
}

template <UnaryOp op> static Value unary(Interpreter& vm, Args args) {
  return vm.unary(op, args[0]);
}

static Value not_(Interpreter& vm, Args args) { return Value::boolean(!vm.truth(args[0])); }
static Value truth(Interpreter& vm, Args args) { return Value::boolean(vm.truth(args[0])); }
static Value is_(Interpreter&, Args args) { return Value::boolean(args[0].same(args[1])); }
static Value is_not(Interpreter&, Args args) { return Value::boolean(!args[0].same(args[1])); }
static Value index(Interpreter& vm, Args args) { return vm.to_index_value(args[0]); }

static Value abs(Interpreter& vm, Args args) {
  return vm.call(*vm.builtins->find(vm.intern("abs")), {args[0]});
}

static Value length_hint(Interpreter& vm, Args args) {
  return Value::integer(vm.length_hint(args[0], vm.to_index(args[1])));
}

static Value contains(Interpreter& vm, Args args) {
  return Value::boolean(vm.contains(args[0], args[1]));
}
static Value getitem(Interpreter& vm, Args args) { return vm.get_item(args[0], args[1]); }
static Value setitem(Interpreter& vm, Args args) {
  vm.set_item(args[0], args[1], args[2]);
  return Value::none();
}
static Value delitem(Interpreter& vm, Args args) {
  vm.delete_item(args[0], args[1]);
  return Value::none();
}

static Value count_of(Interpreter& vm, Args args) {
  int64_t count = 0;
  vm.for_each(args[0], [&](const Value& item) { count += vm.equal(item, args[1]); });
  return Value::integer(count);
}

static Value index_of(Interpreter& vm, Args args) {
  int64_t position = 0;
  Value iterator = vm.iterate(args[0]);
  for (Value item = vm.next(iterator); item.is_defined(); item = vm.next(iterator), ++position) {
    if (vm.equal(item, args[1])) return Value::integer(position);
  }
  vm.raise_value_error("sequence.index(x): x not in sequence");
}

// --- itemgetter, attrgetter, methodcaller --------------------------------------------------------

namespace {

// What one of these does to the object it is called with.
struct Getter : Object {
  static constexpr Layout kLayout = Layout::plain;
  using Object::Object;
  Ref<Tuple> parameters;
  Ref<Dict> keywords;
};

}  // namespace

static Value make_getter(Interpreter& vm, Args args) {
  auto getter = vm.make<Getter>(args[0].as<Type>());
  getter->parameters = args[1].as<Tuple>();
  if (args.size() > 2) getter->keywords = args[2].as<Dict>();
  return getter;
}

static Value make_itemgetter(Interpreter& vm, Args args) {
  if (args[1].as<Tuple>()->size == 0) vm.raise_type_error("itemgetter expected 1 argument, got 0");
  return make_getter(vm, args);
}

static Value make_attrgetter(Interpreter& vm, Args args) {
  if (args[1].as<Tuple>()->size == 0) vm.raise_type_error("attrgetter expected 1 argument, got 0");
  for (const Value& path : args[1].as<Tuple>()->items()) {
    if (!path.is<Str>()) vm.raise_type_error("attribute name must be a string");
  }
  return make_getter(vm, args);
}

static Value make_methodcaller(Interpreter& vm, Args args) {
  const auto parameters = args[1].as<Tuple>()->items();
  if (parameters.empty())
    vm.raise_type_error("methodcaller needs at least one argument, the method name");
  if (!parameters[0].is<Str>()) vm.raise_type_error("method name must be a string");
  return make_getter(vm, args);
}

static const Value& only_argument(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  if (arguments.positional != 1 || !arguments.names.empty()) {
    vm.raise_type_error("{} expected 1 argument, got {}", vm.type_name(self), arguments.positional);
  }
  return arguments.values[0];
}

template <class Get> static Value get_each(Interpreter& vm, const Value& self, Get&& get) {
  auto parameters = self.as<Getter>()->parameters->items();
  if (parameters.size() == 1) return get(parameters[0]);
  std::vector<Value> results;
  for (const Value& each : parameters) results.push_back(get(each));
  return vm.tuple(results);
}

static Value call_itemgetter(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const Value& object = only_argument(vm, self, arguments);
  return get_each(vm, self, [&](const Value& key) { return vm.get_item(object, key); });
}

static Value follow(Interpreter& vm, Value object, std::string_view path) {
  while (!path.empty()) {
    size_t end = std::min(path.find('.'), path.size());
    object = vm.get_attribute(object, path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return object;
}

static Value call_attrgetter(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const Value& object = only_argument(vm, self, arguments);
  return get_each(vm, self,
                  [&](const Value& path) { return follow(vm, object, path.as<Str>()->view()); });
}

static Value call_methodcaller(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const auto* caller = self.as<Getter>();
  auto parameters = caller->parameters->items();
  Value method =
      vm.get_attribute(only_argument(vm, self, arguments), parameters[0].as<Str>()->view());
  std::vector<Value> values(parameters.begin() + 1, parameters.end());
  std::vector<Str*> names;
  for (auto& entry : caller->keywords->entries()) {
    if (entry.key.is_undefined()) continue;
    names.push_back(entry.key.as<Str>());
    values.push_back(entry.value);
  }
  return vm.call(method,
                 CallArgs{values.data(), static_cast<uint32_t>(parameters.size() - 1), names});
}

static const Native kMakeItemgetter = {"itemgetter", "(cls, /, *items)", make_itemgetter,
                                       "itemgetter(k)(x) is x[k]; several keys give a tuple."};
static const Native kMakeAttrgetter = {
    "attrgetter", "(cls, /, *attrs)", make_attrgetter,
    "attrgetter('a.b')(x) is x.a.b; several names give a tuple."};
static const Native kMakeMethodcaller = {"methodcaller", "(cls, /, *args, **kwargs)",
                                         make_methodcaller,
                                         "methodcaller(name, ...)(x) is x.name(...)."};

static Value getter_type(Interpreter& vm, const Native* constructor,
                         Value (*call)(Interpreter&, const Value&, const CallArgs&)) {
  return Value(vm.make_type<Getter>(
      {.name = constructor->name,
       .module = "operator",
       .doc = constructor->doc,
       .slots = {.call = call, .traverse = traverse<&Getter::parameters, &Getter::keywords>},
       .constructor = constructor}));
}

// The functions that are also there with underscores: add and __add__.
#define GPY_OPERATOR(name, signature, body, doc) \
  {name, signature, body, doc}, { "__" name "__", signature, body, doc }

static const Native kRows[] = {
    GPY_OPERATOR("abs", "(a, /)", abs, "abs(a)"),
    GPY_OPERATOR("add", "(a, b, /)", binary<BinaryOp::add>, "a + b"),
    {"and_", "(a, b, /)", binary<BinaryOp::bit_and>, "a & b"},
    GPY_OPERATOR("concat", "(a, b, /)", binary<BinaryOp::add>, "a + b, of sequences"),
    GPY_OPERATOR("contains", "(a, b, /)", contains, "b in a"),
    {"countOf", "(a, b, /)", count_of, "How often b is in a."},
    GPY_OPERATOR("delitem", "(a, b, /)", delitem, "del a[b]"),
    GPY_OPERATOR("eq", "(a, b, /)", compare<CompareOp::equal>, "a == b"),
    GPY_OPERATOR("floordiv", "(a, b, /)", binary<BinaryOp::floor_divide>, "a // b"),
    GPY_OPERATOR("ge", "(a, b, /)", compare<CompareOp::greater_equal>, "a >= b"),
    GPY_OPERATOR("getitem", "(a, b, /)", getitem, "a[b]"),
    GPY_OPERATOR("gt", "(a, b, /)", compare<CompareOp::greater>, "a > b"),
    GPY_OPERATOR("iadd", "(a, b, /)", inplace<BinaryOp::add>, "a += b"),
    GPY_OPERATOR("iand", "(a, b, /)", inplace<BinaryOp::bit_and>, "a &= b"),
    GPY_OPERATOR("iconcat", "(a, b, /)", inplace<BinaryOp::add>, "a += b, of sequences"),
    GPY_OPERATOR("ifloordiv", "(a, b, /)", inplace<BinaryOp::floor_divide>, "a //= b"),
    GPY_OPERATOR("ilshift", "(a, b, /)", inplace<BinaryOp::left_shift>, "a <<= b"),
    GPY_OPERATOR("imatmul", "(a, b, /)", inplace<BinaryOp::matmul>, "a @= b"),
    GPY_OPERATOR("imod", "(a, b, /)", inplace<BinaryOp::remainder>, "a %= b"),
    GPY_OPERATOR("imul", "(a, b, /)", inplace<BinaryOp::multiply>, "a *= b"),
    GPY_OPERATOR("ior", "(a, b, /)", inplace<BinaryOp::bit_or>, "a |= b"),
    GPY_OPERATOR("ipow", "(a, b, /)", inplace<BinaryOp::power>, "a **= b"),
    GPY_OPERATOR("irshift", "(a, b, /)", inplace<BinaryOp::right_shift>, "a >>= b"),
    GPY_OPERATOR("isub", "(a, b, /)", inplace<BinaryOp::subtract>, "a -= b"),
    GPY_OPERATOR("itruediv", "(a, b, /)", inplace<BinaryOp::true_divide>, "a /= b"),
    GPY_OPERATOR("ixor", "(a, b, /)", inplace<BinaryOp::bit_xor>, "a ^= b"),
    GPY_OPERATOR("index", "(a, /)", index, "a as an int"),
    {"indexOf", "(a, b, /)", index_of, "The first position of b in a."},
    GPY_OPERATOR("inv", "(a, /)", unary<UnaryOp::invert>, "~a"),
    GPY_OPERATOR("invert", "(a, /)", unary<UnaryOp::invert>, "~a"),
    {"is_", "(a, b, /)", is_, "a is b"},
    {"is_not", "(a, b, /)", is_not, "a is not b"},
    {"length_hint", "(obj, default=0, /)", length_hint, "About how many items obj gives."},
    GPY_OPERATOR("le", "(a, b, /)", compare<CompareOp::less_equal>, "a <= b"),
    GPY_OPERATOR("lshift", "(a, b, /)", binary<BinaryOp::left_shift>, "a << b"),
    GPY_OPERATOR("lt", "(a, b, /)", compare<CompareOp::less>, "a < b"),
    GPY_OPERATOR("matmul", "(a, b, /)", binary<BinaryOp::matmul>, "a @ b"),
    GPY_OPERATOR("mod", "(a, b, /)", binary<BinaryOp::remainder>, "a % b"),
    GPY_OPERATOR("mul", "(a, b, /)", binary<BinaryOp::multiply>, "a * b"),
    GPY_OPERATOR("ne", "(a, b, /)", compare<CompareOp::not_equal>, "a != b"),
    GPY_OPERATOR("neg", "(a, /)", unary<UnaryOp::negative>, "-a"),
    {"not_", "(a, /)", not_, "not a"},
    {"or_", "(a, b, /)", binary<BinaryOp::bit_or>, "a | b"},
    GPY_OPERATOR("pos", "(a, /)", unary<UnaryOp::positive>, "+a"),
    GPY_OPERATOR("pow", "(a, b, /)", binary<BinaryOp::power>, "a ** b"),
    GPY_OPERATOR("rshift", "(a, b, /)", binary<BinaryOp::right_shift>, "a >> b"),
    GPY_OPERATOR("setitem", "(a, b, c, /)", setitem, "a[b] = c"),
    GPY_OPERATOR("sub", "(a, b, /)", binary<BinaryOp::subtract>, "a - b"),
    GPY_OPERATOR("truediv", "(a, b, /)", binary<BinaryOp::true_divide>, "a / b"),
    {"truth", "(a, /)", truth, "Whether a counts as true."},
    {"xor", "(a, b, /)", binary<BinaryOp::bit_xor>, "a ^ b"},
};
#undef GPY_OPERATOR

Value open_operator(Interpreter& vm) {
  Ref<Module> module = vm.make_module("operator", kRows);
  module->set(vm, "itemgetter", getter_type(vm, &kMakeItemgetter, call_itemgetter));
  module->set(vm, "attrgetter", getter_type(vm, &kMakeAttrgetter, call_attrgetter));
  module->set(vm, "methodcaller", getter_type(vm, &kMakeMethodcaller, call_methodcaller));
  return module;
}

}  // namespace gpy::lib
