// Operators on operands that are not a pair of small numbers.
#include "src/text/format.h"
#include "src/numbers/real.h"
#include "src/run/run.h"
#include "src/types/str.h"

namespace gpy {

// The global that `text` was read from, if the next instruction stores the result there and nothing
// else refers to the text.
static Value* global_of(const Step& step, const Value& text) {
  const Instruction& next = (&step.i)[1];
  if (next.op != Op::store_global || next.b != step.i.a) return nullptr;
  const Site& site = step.site(next.c);
  bool is_known = site.version == step.vm.state().namespaces;
  return is_known && site.slot->same(text) && text.as_object()->refs == 2 ? site.slot : nullptr;
}

// text += more for a global: the global drops the text meanwhile, so that it can grow in place.
static Value grow_global(const Step& step, Value& global, const Value& text, const Str& more) {
  global = Value::none();
  try {
    return append_text(step.vm, text, more, true);
  } catch (...) {
    global = text;
    throw;
  }
}

// A temporary may grow in place.
static Value add_texts(const Step& step, const Value& lhs, const Str& more) {
  bool in_place = step.i.d & kInPlace;
  if (Value* global = in_place ? global_of(step, lhs) : nullptr) {
    return grow_global(step, *global, lhs, more);
  }
  if (in_place || step.i.d & kDropB) {
    // A sum of several texts grows in the block where the first two were joined.
    constexpr size_t kShort = 256;
    return append_text(step.vm, lhs, more, in_place || lhs.as<Str>()->bytes < kShort);
  }
  return join_texts(step.vm, *lhs.as<Str>(), more);
}

static bool are_reals(const Value& lhs, const Value& rhs) {
  return lhs.is_real() && (rhs.is_real() || rhs.is_integer());
}

static double real_of(const Value& v) {
  return v.is_real() ? v.as_real() : static_cast<double>(v.as_integer());
}

static bool is_plain_int(const Interpreter& vm, const Value& v) {
  return v.is_integer() || (v.is_object() && v.as_object()->type == vm.types.integer);
}

void slow_arithmetic(const Step& step, BinaryOp op) {
  const Value& lhs = step.b();
  const Value& rhs = step.c();
  bool in_place = step.i.d & kInPlace;
  if (op == BinaryOp::add && step.vm.are_texts(lhs, rhs)) {
    return step.finish(add_texts(step, lhs, *rhs.as<Str>()));
  }
  if (op == BinaryOp::power && are_reals(lhs, rhs)) {
    return step.finish(real_binary(step.vm, op, lhs.as_real(), real_of(rhs)));
  }
  if (is_plain_int(step.vm, lhs) && is_plain_int(step.vm, rhs) && op != BinaryOp::matmul) {
    return step.finish(int_binary(step.vm, op, lhs, rhs));
  }
  step.finish(in_place ? step.vm.inplace(op, lhs, rhs) : step.vm.binary(op, lhs, rhs));
}

void op_binary(const Step& step) {
  slow_arithmetic(step, static_cast<BinaryOp>(step.i.d >> kOperatorShift));
}

void op_unary(const Step& step) {
  step.finish(step.vm.unary(static_cast<UnaryOp>(step.i.d >> kOperatorShift), step.b()));
}

void slow_logical_not(const Step& step) { step.finish(Value::boolean(!step.vm.truth(step.b()))); }

static bool compare_texts(CompareOp op, const Str* a, const Str* b) {
  if (op == CompareOp::equal || op == CompareOp::not_equal) {
    return (a == b || a->view() == b->view()) == (op == CompareOp::equal);
  }
  return holds(op, a->view() <=> b->view());
}

void slow_comparison(const Step& step, CompareOp op) {
  const Value& lhs = step.b();
  const Value& rhs = step.c();
  if (step.vm.are_texts(lhs, rhs)) {
    return step.finish(
        Value::boolean(compare_texts(op, lhs.unchecked<Str>(), rhs.unchecked<Str>())));
  }
  step.finish(step.vm.compare(op, lhs, rhs));
}

bool slow_comparing_jump(const Step& step, CompareOp op) {
  const Value& lhs = step.b();
  const Value& rhs = step.c();
  bool holds = step.vm.are_texts(lhs, rhs)
                   ? compare_texts(op, lhs.unchecked<Str>(), rhs.unchecked<Str>())
                   : step.vm.truth(step.vm.compare(op, lhs, rhs));
  step.drop();
  return holds;
}

bool slow_truth(const Step& step) {
  bool truth = step.vm.truth(step.b());
  step.drop();
  return truth;
}

static bool has_item(Interpreter& vm, const Value& container, const Value& item) {
  Dict* dict = container.try_as<Dict>();
  if (dict && dict->type == vm.types.dict) return dict->find(vm, item) != nullptr;
  return vm.contains(container, item);
}

void slow_contains(const Step& step, bool sense) {
  const Value& item = step.b();
  step.finish(Value::boolean(has_item(step.vm, step.c(), item) == sense));
}

// --- items ---------------------------------------------------------------------------------------

static int get_dict_item(const Step& step, Dict* dict, const Value& key) {
  Interpreter& vm = step.vm;
  const Value* found = dict->find(vm, key);
  if (!found) return raise_quickly(step, vm.make_exception(vm.types.key_error, {key}));
  step.finish(*found);
  return 0;
}

static int raise_out_of_range(const Step& step, std::string_view message) {
  return raise_quickly(step, step.vm.make_exception(step.vm.types.index_error, message));
}

// Called for lists and tuples only with an int that is out of range.
int slow_get_item(const Step& step) {
  Interpreter& vm = step.vm;
  const Value& self = step.b();
  const Value& key = step.c();
  Type* type = vm.type_of(self);
  if (type == vm.types.dict) return get_dict_item(step, self.as<Dict>(), key);
  if (key.is_integer()) {
    if (type == vm.types.list) return raise_out_of_range(step, "list index out of range");
    if (type == vm.types.tuple) return raise_out_of_range(step, "tuple index out of range");
  }
  step.finish(vm.get_item(self, key));
  return 0;
}

// The item, if the instruction drops its register; else null.
static const Value* dropped(const Step& step, const Value& item) {
  return step.i.d & kDropA ? &item : nullptr;
}

void slow_set_item(const Step& step) {
  const Value& item = step.read(step.i.a);
  const Value& self = step.b();
  const Value& key = step.c();
  if (Dict* dict = self.try_as<Dict>(); dict && dict->type == step.vm.types.dict) {
    dict->set(step.vm, key, item);
  } else {
    const Interpreter::LastUse last_use(step.vm, dropped(step, item));
    step.vm.set_item(self, key, item);
  }
  step.drop();
  if (step.i.d & kDropA) step.reg(step.i.a) = Value();
}

// --- several keys -------------------------------------------------------------------------------

static std::span<Value> keys_of(const Step& step) {
  return {&step.reg(step.i.c), static_cast<size_t>(step.i.d >> kCountShift)};
}

static void drop_keys(const Step& step) {
  for (Value& key : keys_of(step)) key.set_undefined();
}

// The keys as a tuple, in place of the first one, where reports look for an error's operands.
static const Value& gather_keys(const Step& step) {
  std::span<Value> keys = keys_of(step);
  Value gathered = step.vm.tuple(keys);
  drop_keys(step);
  return keys[0] = std::move(gathered);
}

static Value get_by_tuple(const Step& step, const Value& self) {
  if (!(step.i.d & kKeepKeys)) return step.vm.get_item(self, gather_keys(step));
  Value key = step.vm.tuple(keys_of(step));
  return step.vm.get_item(self, key);
}

void get_items(const Step& step) {
  const Value& self = step.b();
  const Type* type = step.vm.type_of(self);
  Value item;
  if (type->slots.get_at && !type->is_class) {
    item = type->slots.get_at(step.vm, self, keys_of(step));
  }
  if (item.is_undefined()) item = get_by_tuple(step, self);
  if (!(step.i.d & kKeepKeys)) drop_keys(step);
  if (step.i.d & kDropB) step.reg(step.i.b).set_undefined();
  step.reg(step.i.a) = std::move(item);
}

void set_items(const Step& step) {
  const Value& item = step.read(step.i.a);
  const Value& self = step.b();
  const Type* type = step.vm.type_of(self);
  bool is_set = type->slots.set_at && !type->is_class &&
                type->slots.set_at(step.vm, self, keys_of(step), item);
  if (!is_set) {
    const Interpreter::LastUse last_use(step.vm, dropped(step, item));
    step.vm.set_item(self, gather_keys(step), item);
  }
  drop_keys(step);
  if (step.i.d & kDropB) step.reg(step.i.b).set_undefined();
  if (step.i.d & kDropA) step.reg(step.i.a).set_undefined();
}

void op_delete_item(const Step& step) {
  const Value& self = step.b();
  step.vm.delete_item(self, step.c());
  step.drop();
}

void op_get_iterator(const Step& step) {
  if (step.frame.code->has_compiled_loops) step.vm.look_again();
  step.finish(step.vm.iterate(step.b()));
}

// --- text ----------------------------------------------------------------------------------------

static std::string converted(Interpreter& vm, const Value& value, char conversion) {
  if (conversion == 's') return vm.to_str(value);
  std::string text = vm.repr(value);
  return conversion == 'a' ? ascii_only(vm, text) : text;
}

void op_format_text(const Step& step) {
  Interpreter& vm = step.vm;
  const Value& value = step.b();
  std::string_view spec = step.c().as<Str>()->view();
  auto conversion = static_cast<char>(step.i.d >> kOperatorShift);
  if (!conversion && spec.empty()) {
    if (value.is_integer()) return step.finish(number_text(vm, value.as_integer()));
    if (value.is_object() && value.as_object()->type == vm.types.str)
      return step.finish(Value(value));
  }
  if (conversion) {
    Value text = vm.str(converted(vm, value, conversion));
    return step.finish(spec.empty() ? text : vm.str(format_value(vm, text, spec)));
  }
  step.finish(vm.str(format_value(vm, value, spec)));
}

void op_join_text(const Step& step) {
  size_t bytes = 0, length = 0;
  for (int32_t k = 0; k < step.i.c; ++k) {
    const Str* part = step.read(step.i.b + k).as<Str>();
    bytes += part->bytes;
    length += part->length;
  }
  Ref<Str> joined = Str::make_joined(step.vm, bytes, length);
  char* to = joined->mutable_data();
  for (int32_t k = 0; k < step.i.c; ++k) {
    std::string_view part = step.reg(step.i.b + k).as<Str>()->view();
    copy_bytes(step.vm, to, part.data(), part.size());
    to += part.size();
    step.reg(step.i.b + k).set_undefined();
  }
  step.reg(step.i.a) = std::move(joined);
}

}  // namespace gpy
