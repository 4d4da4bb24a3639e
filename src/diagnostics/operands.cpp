#include "src/diagnostics/operands.h"

#include <algorithm>

#include "src/run/frame.h"

namespace gpy {

static constexpr int32_t kMostArguments = 8;

static void keep_arguments(Exception& exception, const Frame& frame) {
  const Instruction& call = *frame.at;
  const int32_t count = std::min(call.c, kMostArguments);
  for (int32_t k = 1; k < 2 + count; ++k) {
    exception.operands.push_back(frame.registers[call.b + k]);
  }
}

static void keep(Exception& exception, const Frame& frame, std::initializer_list<int32_t> indices) {
  for (int32_t index : indices) exception.operands.push_back(frame.registers[index]);
}

void keep_operands(Exception& exception, const Frame& frame) {
  const Instruction& i = *frame.at;
  exception.operands.clear();
  switch (i.op) {
    case Op::call:
    case Op::call_method:
    case Op::call_keywords:
    case Op::call_method_keywords: return keep_arguments(exception, frame);
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::true_divide:
    case Op::floor_divide:
    case Op::remainder:
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::binary:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::jump_less:
    case Op::jump_less_equal:
    case Op::jump_greater:
    case Op::jump_greater_equal:
    case Op::jump_equal:
    case Op::jump_not_equal:
    case Op::contains:
    case Op::contains_not:
    case Op::get_item:
    case Op::get_items:
    case Op::delete_item: return keep(exception, frame, {i.b, i.c});
    case Op::set_item:
    case Op::set_items: return keep(exception, frame, {i.b, i.c, i.a});
    case Op::jump_if_true:
    case Op::jump_if_false:
    case Op::logical_not:
    case Op::unary:
    case Op::get_attribute:
    case Op::load_method:
    case Op::get_iterator:
    case Op::unpack: return keep(exception, frame, {i.b});
    default: return;
  }
}

}  // namespace gpy
