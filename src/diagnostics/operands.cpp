#include "src/diagnostics/operands.h"

#include <algorithm>
#include <array>
#include <span>

#include "src/run/frame.h"

namespace gpy {

namespace {

// The registers that an instruction reads, by the fields that name them.
enum class Reads : uint8_t { nothing, b, bc, bca, arguments, name };

constexpr Op kReadB[] = {Op::jump_if_true,  Op::jump_if_false, Op::logical_not,  Op::unary,
                         Op::get_attribute, Op::load_method,   Op::get_iterator, Op::unpack};
constexpr Op kReadBC[] = {
    Op::add,          Op::subtract,        Op::multiply,     Op::true_divide,
    Op::floor_divide, Op::remainder,       Op::bit_and,      Op::bit_or,
    Op::bit_xor,      Op::binary,          Op::less,         Op::less_equal,
    Op::greater,      Op::greater_equal,   Op::equal,        Op::not_equal,
    Op::jump_less,    Op::jump_less_equal, Op::jump_greater, Op::jump_greater_equal,
    Op::jump_equal,   Op::jump_not_equal,  Op::contains,     Op::contains_not,
    Op::get_item,     Op::get_items,       Op::delete_item};
constexpr Op kReadBCA[] = {Op::set_item, Op::set_items};
constexpr Op kReadArguments[] = {Op::call, Op::call_method, Op::call_keywords,
                                 Op::call_method_keywords};

constexpr Op kReadName[] = {Op::load_global, Op::delete_global, Op::load_name};

#define GPY_ONE(name) +1
constexpr size_t kOps = GPY_INLINE_OPS(GPY_ONE) GPY_CALLED_OPS(GPY_ONE);
#undef GPY_ONE

constexpr std::array<Reads, kOps> kReads = [] {
  std::array<Reads, kOps> reads{};
  auto mark = [&](std::span<const Op> ops, Reads what) {
    for (Op op : ops) reads[static_cast<size_t>(op)] = what;
  };
  mark(kReadB, Reads::b);
  mark(kReadBC, Reads::bc);
  mark(kReadBCA, Reads::bca);
  mark(kReadArguments, Reads::arguments);
  mark(kReadName, Reads::name);
  return reads;
}();

}  // namespace

static constexpr int32_t kMostArguments = 8;

static void keep_arguments(Exception& exception, const Frame& frame) {
  const Instruction& call = *frame.at;
  const int32_t count = std::min(call.c, kMostArguments);
  for (int32_t k = 1; k < 2 + count; ++k) {
    exception.operands.push_back(frame.registers[call.b + k]);
  }
}

static void keep(Exception& exception, const Frame& frame, std::initializer_list<int32_t> indices) {
  exception.operands.reserve(indices.size());
  for (int32_t index : indices) exception.operands.push_back(frame.registers[index]);
}

static void keep_scope(Exception& exception, const Frame& frame) {
  const bool has_parameter = frame.code->parameters.positional > 0;
  const Value first = has_parameter ? frame.registers[0] : Value();
  exception.operands = {Value(frame.function), first.is<Cell>() ? first.as<Cell>()->value : first};
}

void keep_operands(Exception& exception, const Frame& frame) {
  const Instruction& i = *frame.at;
  exception.operands.clear();
  switch (kReads[static_cast<size_t>(i.op)]) {
    case Reads::nothing: return;
    case Reads::b: return keep(exception, frame, {i.b});
    case Reads::bc: return keep(exception, frame, {i.b, i.c});
    case Reads::bca: return keep(exception, frame, {i.b, i.c, i.a});
    case Reads::arguments: return keep_arguments(exception, frame);
    case Reads::name: return keep_scope(exception, frame);
  }
}

void keep_parameters(Exception& exception, const Frame& inside) {
  const auto known = static_cast<int32_t>(inside.code->parameters.positional);
  exception.operands.clear();
  for (int32_t i = 0; i < std::min(known, kMostArguments); ++i) {
    const Value& parameter = inside.registers[i];
    exception.operands.push_back(parameter.is<Cell>() ? parameter.as<Cell>()->value : parameter);
  }
}

void keep_library_call(Exception& exception, const Frame& frame) {
  const std::vector<Value> parameters = std::move(exception.operands);
  keep_operands(exception, frame);
  if (frame.at->op != Op::call && frame.at->op != Op::call_method) return;
  for (size_t i = 1; i < exception.operands.size() && i <= parameters.size(); ++i) {
    if (exception.operands[i].is_undefined()) exception.operands[i] = parameters[i - 1];
  }
}

// Freed operands may run a script's code, which may change the chain: each is held meanwhile.
static void forget_chain(Value at, int& left) {
  while (at.is<Exception>() && left-- > 0) {
    auto& each = *at.as<Exception>();
    std::vector<Value>().swap(each.operands);
    const Value cause = each.cause;
    at = Value(each.context);
    if (cause.is_object() && !(at.is_object() && at.as_object() == cause.as_object())) {
      forget_chain(cause, left);
    }
  }
}

void forget_operands(const Value& exception) {
  int left = 100;  // exceptions may lead to one another in a cycle
  forget_chain(exception, left);
}

}  // namespace gpy
