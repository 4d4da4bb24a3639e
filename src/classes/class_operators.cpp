// Binary operators of classes: the method, the reflected one, and the operator of the builtin type
// underneath.
#include "src/classes/class_slots.h"
#include "src/classes/for_classes.h"
#include "src/interpreter.h"
#include "src/objects/int.h"

namespace gpy {

static constexpr int kOperators = static_cast<int>(BinaryOp::divmod) + 1;

#define GPY_NAMES(prefix)                                                                     \
  {                                                                                           \
    "__" prefix "add__", "__" prefix "sub__", "__" prefix "mul__", "__" prefix "truediv__",   \
        "__" prefix "floordiv__", "__" prefix "mod__", "__" prefix "pow__",                   \
        "__" prefix "matmul__", "__" prefix "lshift__", "__" prefix "rshift__",               \
        "__" prefix "and__", "__" prefix "or__", "__" prefix "xor__", "__" prefix "divmod__", \
  }
static constexpr const char* kForward[kOperators] = GPY_NAMES("");
static constexpr const char* kReflected[kOperators] = GPY_NAMES("r");
static constexpr const char* kInPlace[kOperators] = GPY_NAMES("i");
#undef GPY_NAMES

static const Value* operator_method(Interpreter& vm, Type* type, const char* const* names,
                                    BinaryOp op) {
  return type->is_class ? find_special(vm, type, names[static_cast<int>(op)]) : nullptr;
}

static Value call_operator(Interpreter& vm, const Value* method, const Value& self,
                           const Value& other) {
  if (method->is_none()) return Value::not_implemented();
  return call_special(vm, *method, self, {other});
}

// The result of the builtin type under an operand's class.
static Value operate_natively(Interpreter& vm, BinaryOp op, const Value& whose, const Value& lhs,
                              const Value& rhs) {
  auto slot = slots_for_classes(native_base(vm.type_of(whose))).binary;
  return slot ? slot(vm, op, without_class(vm, lhs), without_class(vm, rhs))
              : Value::not_implemented();
}

static Value operate_forward(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  const Value* method = operator_method(vm, vm.type_of(lhs), kForward, op);
  return method ? call_operator(vm, method, lhs, rhs) : operate_natively(vm, op, lhs, lhs, rhs);
}

static Value operate_reflected(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  const Value* method = operator_method(vm, vm.type_of(rhs), kReflected, op);
  return method ? call_operator(vm, method, rhs, lhs) : operate_natively(vm, op, rhs, lhs, rhs);
}

// The right operand comes first if its class is made from the left's and reflects in its own way.
static bool right_goes_first(Interpreter& vm, BinaryOp op, Type* left, Type* right) {
  if (left == right || !right->is_subclass_of(left)) return false;
  const Value* own = operator_method(vm, right, kReflected, op);
  const Value* other = operator_method(vm, left, kReflected, op);
  return own && !(other && own->same(*other));
}

Value class_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  vm.check_stack();
  Type* left = vm.type_of(lhs);
  Type* right = vm.type_of(rhs);
  bool right_first = right_goes_first(vm, op, left, right);
  if (right_first) {
    Value result = operate_reflected(vm, op, lhs, rhs);
    if (!result.is_not_implemented()) return result;
  }
  Value result = operate_forward(vm, op, lhs, rhs);
  if (!result.is_not_implemented() || right_first || left == right) return result;
  return operate_reflected(vm, op, lhs, rhs);
}

Value answer_by_method(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs,
                       bool is_right) {
  vm.check_stack();
  const Value& self = is_right ? rhs : lhs;
  const auto* names = is_right ? kReflected : kForward;
  const Value* method = operator_method(vm, vm.type_of(self), names, op);
  return method ? call_operator(vm, method, self, is_right ? lhs : rhs) : Value::not_implemented();
}

// The result of the methods of one operand, for natives that ask the other operand.
static Value class_answer(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  return vm.type_of(lhs)->is_class ? operate_forward(vm, op, lhs, rhs)
                                   : operate_reflected(vm, op, lhs, rhs);
}

static Value class_inplace(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (const Value* method = operator_method(vm, vm.type_of(lhs), kInPlace, op)) {
    return call_operator(vm, method, lhs, rhs);
  }
  auto slot = slots_for_classes(native_base(vm.type_of(lhs))).inplace;
  return slot ? slot(vm, op, lhs, rhs) : Value::not_implemented();
}

void take_operators(Interpreter& vm, Type& type) {
  for (int i = 0; i < kOperators; ++i) {
    auto op = static_cast<BinaryOp>(i);
    bool answers =
        operator_method(vm, &type, kForward, op) || operator_method(vm, &type, kReflected, op);
    if (answers) type.slots.binary = class_answer;
    if (operator_method(vm, &type, kInPlace, op)) type.slots.inplace = class_inplace;
  }
}

}  // namespace gpy
