#include "src/loops/compiled_loop.h"

#include <algorithm>
#include <array>

#include "grammar/children.h"
#include "grammar/parse.h"
#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "src/array/convert.h"
#include "src/array/iterators.h"
#include "src/loops/loop_items.h"
#include "src/loops/number_values.h"
#include "src/objects/int.h"
#include "src/objects/str.h"
#include "src/translate/failure.h"
#include "src/translate/find_source.h"

namespace gpy {

using rt::DType;
using rt::Weak;
using rt::typed::Data;

// --- names ---------------------------------------------------------------------------------------

Value NamePlace::read(Interpreter& vm, const Frame& frame) const {
  if (kind == Kind::kRegister) return frame.registers[index];
  if (kind == Kind::kCell) return frame.registers[index].as<Cell>()->value;
  const Value* found = frame.function->globals->find(vm.intern(name));
  return found ? *found : Value();
}

void NamePlace::write(Interpreter& vm, Frame& frame, Value value) const {
  if (kind == Kind::kRegister) {
    frame.registers[index] = std::move(value);
  } else {
    frame.function->globals->set(vm.intern(name), std::move(value));
  }
}

namespace {

NamePlace place_of(const Frame& frame, std::string_view name) {
  NamePlace out;
  out.name = name;
  const std::vector<Str*>& locals = frame.code->local_names;
  for (size_t i = 0; i < locals.size(); ++i) {
    if (locals[i]->view() != name) continue;
    out.index = static_cast<int32_t>(i);
    out.kind = frame.registers[i].is_defined() && frame.registers[i].is<Cell>()
                   ? NamePlace::Kind::kCell
                   : NamePlace::Kind::kRegister;
    return out;
  }
  return out;
}

struct LoopFinder {
  uint32_t begin;
  const syntax::Stmt* found = nullptr;
  void operator()(const syntax::Stmt& node) {
    const bool loops = node.kind == syntax::StmtKind::For || node.kind == syntax::StmtKind::While;
    if (loops && node.span.begin == begin) found = &node;
    syntax::each_child(node, *this);
  }
  void operator()(const syntax::Expr& node) { syntax::each_child(node, *this); }
};

const syntax::Stmt& find_loop(const syntax::Tree& tree, uint32_t begin) {
  LoopFinder finder{begin};
  for (const syntax::Stmt* each : tree.module.body) finder(*each);
  if (!finder.found) fail_translation({begin, begin}, "the loop's text is not found");
  return *finder.found;
}

}  // namespace

// --- making --------------------------------------------------------------------------------------

CompiledLoop::CompiledLoop(Interpreter& vm, Frame& frame, const LoopPlace& place) : place_(place) {
  const Code& code = *frame.code;
  const bool is_class =
      !code.parameters.names.empty() && code.parameters.names[0]->view() == kClassNames;
  if (is_class) fail_translation({}, "loops of class bodies are the interpreter's");
  TranslationSource source;
  source.name = code.name;
  source.tree = tree_of(code);
  source.globals = frame.function->globals.get();
  const syntax::Stmt& loop = find_loop(*source.tree, place.begin);
  const bool counted = place.iterator >= 0;
  if (counted && !frame.registers[place.iterator].try_as<RangeIterator>()) {
    const std::optional<LoopItems> items = items_of(vm, frame.registers[place.iterator]);
    if (!items)
      fail_translation({place.begin, place.begin},
                       "compiled loops go through ranges, arrays of one axis, and lists and tuples "
                       "of numbers of one type");
    items_ = *items;
  }
  sort_names(vm, frame, loop);
  for (const Constant& each : constants_) source.captured.emplace_back(each.place.name, each.value);
  program_ = translate_loop(vm, source, loop, loop_variables());
  const rt::typed::Function& entry = *program_.program.functions[0];
  for (size_t i = 0; i < variables_.size(); ++i) variables_[i].type = entry.variables[i].type;
  std::erase_if(constants_,
                [&](const Constant& each) { return !program_.used.contains(each.place.name); });
  code_ =
      std::make_unique<rt::typed::CompiledFunction>(std::move(program_.program), program_.writes);
}

CompiledLoop::~CompiledLoop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

// The fresh ones become the last of the variables.
LoopVariables CompiledLoop::loop_variables() {
  std::ranges::stable_partition(variables_, [](const Name& each) { return !each.is_fresh; });
  LoopVariables out;
  for (const Name& each : variables_) {
    if (each.is_fresh) out.fresh.push_back(each.place.name);
    else out.known.push_back({each.place.name, each.type});
  }
  for (const Name& each : inputs_) out.inputs.push_back({each.place.name, each.type});
  out.items = items_;
  out.others = others_;
  return out;
}

// Why compiled code cannot hold what a name has.
static std::string why_not(Interpreter& vm, const Value& value, bool is_own) {
  if (value.is_undefined()) return "has no value yet";
  if (!is_own) return "is not a variable of this function";
  if (value.is<Str>()) return "is text";
  if (value.is<Int>()) return "is an int beyond 64 bits";
  return fmt::format("is a {}", vm.type_name(value));
}

void CompiledLoop::sort_names(Interpreter& vm, Frame& frame, const syntax::Stmt& loop) {
  const LoopNames names = names_of(loop);
  for (const std::string_view name : names.assigned) {
    NamePlace place = place_of(frame, name);
    const Value value = place.read(vm, frame);
    const std::optional<TypedType> type = type_of_value(vm, value);
    const bool is_module = frame.code->name == "<module>";
    const bool is_own = place.kind == NamePlace::Kind::kRegister ||
                        (place.kind == NamePlace::Kind::kGlobal && is_module);
    const bool is_met_set = names.set_first.contains(name);
    if (is_own && (value.is_undefined() || is_met_set)) {
      variables_.push_back({std::move(place), TypedType(), true});
    } else if (!is_own || !type || !type->is_number()) {
      others_.emplace(name, why_not(vm, value, is_own));
    } else {
      variables_.push_back({std::move(place), *type});
    }
  }
  for (const std::string_view name : names.read) {
    NamePlace place = place_of(frame, name);
    Value value = place.read(vm, frame);
    if (value.is_undefined()) {
      if (place.kind != NamePlace::Kind::kGlobal) others_.emplace(name, why_not(vm, value, true));
    } else if (const std::optional<TypedType> type = type_of_value(vm, value)) {
      inputs_.push_back({std::move(place), *type});
    } else {
      constants_.push_back({std::move(place), std::move(value)});
    }
  }
}

void CompiledLoop::compile_here(rt::Runtime& runtime) {
  try {
    code_->compile(runtime.backend(rt::kHostPlace));
    state_ = State::kReady;
  } catch (const rt::Error& error) {
    error_ = error.message();
    state_ = State::kFailed;
  } catch (const std::exception& error) {
    error_ = error.what();
    state_ = State::kFailed;
  }
}

void CompiledLoop::compile(rt::Runtime& runtime) {
  thread_ = std::thread([this, &runtime] {
    const rt::InterruptScope scope(&stop_);
    compile_here(runtime);
  });
}

// --- running -------------------------------------------------------------------------------------

bool CompiledLoop::holds(Interpreter& vm, const Frame& frame) const {
  for (const Constant& each : constants_) {
    if (!each.place.read(vm, frame).same(each.value)) return false;
  }
  for (const Belief& each : program_.beliefs) {
    Str* name = vm.intern(each.name);
    if (!each.globals.get()) {
      if (!vm.try_get_attribute(each.object, name).same(each.value)) return false;
      continue;
    }
    const Value* found = each.globals->find(name);
    if (!found) found = vm.builtins->find(name);
    if (!found || !found->same(each.value)) return false;
  }
  return true;
}

static Data number_data(const rt::Scalar& number) { return {number, {}, {}}; }
static Data word_data(int64_t number) { return number_data(rt::Scalar::strong(number)); }
static Data truth_data(bool truth) { return number_data(rt::Scalar(truth)); }

bool CompiledLoop::add_arguments(Interpreter& vm, const Frame& frame, uint64_t budget,
                                 std::vector<Data>& data) const {
  std::vector<Data> tags, sets;
  for (const Name& each : variables_) {
    const Value value = each.place.read(vm, frame);
    const std::optional<TypedType> type = type_of_value(vm, value);
    const bool fits =
        type && (each.type.either ? type->dtype == each.type.dtype : *type == each.type);
    if (!fits && !each.is_fresh) return false;
    if (each.is_fresh) sets.push_back(truth_data(fits));
    tags.push_back(truth_data(fits && type->weak == Weak::kNo));
    data.push_back(fits ? number_data(number_of_value(value)) : word_data(0));
  }
  data.insert(data.end(), tags.begin(), tags.end());
  data.insert(data.end(), sets.begin(), sets.end());
  data.push_back(word_data(static_cast<int64_t>(budget)));
  data.push_back(word_data(reinterpret_cast<int64_t>(&vm.interrupt_flag())));
  const RangeIterator* items = nullptr;
  std::optional<GivenItems> given;
  if (!items_.items.empty()) {
    given = given_items(vm, frame.registers[place_.iterator], items_, copied_);
    if (!given || given->rounds < 1) return false;
    data.push_back(word_data(0));
  } else if (place_.iterator >= 0) {
    const Value& iterator = frame.registers[place_.iterator];
    const Value& item = frame.registers[place_.item];
    items = iterator.is_defined() ? iterator.try_as<RangeIterator>() : nullptr;
    if (!items || !item.is_integer()) return false;
    data.push_back(word_data(item.as_integer()));
  } else {
    data.push_back(word_data(0));
  }
  for (const LoopState& each : program_.states) {
    const bool is_own = each.begin == place_.begin;
    std::array<int64_t, 3> words = {0, 1, 0};
    if (is_own && items) words = {items->next, items->step, items->remaining};
    if (is_own && given) words = {1, 1, given->rounds - 1};
    for (const int64_t word : words) data.push_back(word_data(word));
  }
  for (const Name& each : inputs_) {
    const Value value = each.place.read(vm, frame);
    if (type_of_value(vm, value) != each.type) return false;
    data.push_back(each.type.is_array() ? Data{{}, as_ndarray(value)->array, {}}
                                        : number_data(number_of_value(value)));
  }
  if (given) std::ranges::move(given->data, std::back_inserter(data));
  return true;
}

// A finally block's statements are in several places: those of this loop count.
bool CompiledLoop::is_inside(uint32_t at) const { return at >= place_.body && at <= place_.edge; }

uint32_t CompiledLoop::instruction_of(const Code& code, const LoopExit& exit) const {
  if (exit.kind == LoopExit::Kind::kStatement) {
    for (const StatementPlace& each : code.statements) {
      if (each.begin == exit.begin && is_inside(each.at)) return each.at;
    }
  }
  for (const LoopPlace& each : code.loops) {
    if (each.begin == exit.begin && is_inside(each.edge)) return each.edge;
  }
  rt::fail(rt::ErrorKind::kRuntime, "a compiled loop ended at no statement");
}

// The item that the loop was entered with counts among those that were taken.
void CompiledLoop::go_on_behind(Interpreter& vm, const Value& iterator, int64_t taken,
                                int64_t remaining) {
  advance(vm, iterator, taken - 1);
  constexpr int64_t kLeast = 1024, kMost = int64_t{1} << 20;
  copied_ = remaining == 0 ? std::min(2 * copied_, kMost) : std::max(copied_ / 2, kLeast);
}

// The iterator of a loop inside.
Value CompiledLoop::iterator_of(Interpreter& vm, const Frame& frame, const LoopState& state,
                                const std::array<int64_t, 3>& words) const {
  const auto [next, step, remaining] = words;
  if (state.array.empty())
    return Value(vm.make<RangeIterator>(vm.types.range_iterator, next, step, remaining).get());
  const auto input =
      std::ranges::find(inputs_, state.array, [](const Name& each) { return each.place.name; });
  Value out = make_array_iterator(vm, input->place.read(vm, frame));
  out.as<ArrayIterator>()->next = next;
  return out;
}

void CompiledLoop::hand_back(Interpreter& vm, Frame& frame, const Data& result) {
  const Code& code = *frame.code;
  const LoopExit& exit = program_.exits[static_cast<size_t>(result.items[0].number.as_int())];
  const uint32_t instruction = instruction_of(code, exit);
  size_t at = 2, set = 2 + 2 * variables_.size();
  for (const Name& each : variables_) {
    const rt::Scalar& number = result.items[at].number;
    const bool is_numpys = result.items[at + 1].number.truth();
    at += 2;
    if (each.is_fresh && !result.items[set++].number.truth()) continue;
    each.place.write(vm, frame, number_value(vm, each.type, number, is_numpys));
  }
  at = set;
  for (const LoopState& state : program_.states) {
    const auto word = [&](size_t i) { return result.items[at + i].number.as_int(); };
    const int64_t next = word(0), step = word(1), remaining = word(2);
    at += 3;
    if (state.begin == place_.begin) {
      if (!items_.items.empty()) {
        go_on_behind(vm, frame.registers[place_.iterator], next, remaining);
        continue;
      }
      auto* items = frame.registers[place_.iterator].as<RangeIterator>();
      items->next = next;
      items->remaining = remaining;
      continue;
    }
    if (std::ranges::find(exit.loops, state.begin) == exit.loops.end()) continue;
    for (const LoopPlace& each : code.loops) {
      if (each.begin != state.begin || !is_inside(each.edge)) continue;
      frame.registers[each.iterator] = iterator_of(vm, frame, state, {next, step, remaining});
    }
  }
  frame.at = code.instructions.data() + instruction;
}

std::optional<uint64_t> CompiledLoop::run(Interpreter& vm, Frame& frame, uint64_t budget) {
  std::vector<Data> data;
  if (!holds(vm, frame) || !add_arguments(vm, frame, budget, data)) return std::nullopt;
  const Data result = (*code_)(session(vm), data, {}, false);
  const int64_t left = std::max<int64_t>(result.items[1].number.as_int(), 0);
  hand_back(vm, frame, result);
  return budget - static_cast<uint64_t>(left);
}

}  // namespace gpy
