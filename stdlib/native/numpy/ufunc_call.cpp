#include "stdlib/native/numpy/ufunc_call.h"

#include <algorithm>

#include "runtime/ops/create.h"
#include "runtime/ops/row_facts.h"
#include "src/array/errors.h"
#include "src/array/operators.h"
#include "src/array/sequence_objects.h"
#include "src/calls/call_errors.h"
#include "src/calls/override.h"
#include "stdlib/native/numpy/reduce_call.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/numpy/ufunc_classes.h"
#include "stdlib/native/numpy/ufunc_object.h"

namespace gpy::lib {

namespace {

using ReadKeyword = void (*)(Interpreter&, const UfuncObject&, const Value&, ArrayCall&);

void read_out(Interpreter& vm, const UfuncObject&, const Value& value, ArrayCall& call) {
  if (call.out.is_defined()) {
    vm.raise_type_error("cannot specify 'out' as both a positional and keyword argument");
  }
  if (value.is_ellipsis()) {
    call.as_array = true;
    return;
  }
  check_out_tuple(vm, value);
  call.out = value;
}

void read_where(Interpreter& vm, const UfuncObject& self, const Value& value, ArrayCall& call) {
  if (!value.is_boolean() || !value.as_boolean()) call.where = to_mask(vm, value, self.names);
}

void read_order(Interpreter& vm, const UfuncObject&, const Value& value, ArrayCall& call) {
  call.order = to_order(vm, value, 'K');
}

void read_casting(Interpreter& vm, const UfuncObject&, const Value& value, ArrayCall& call) {
  call.options.casting = to_casting(vm, value, rt::Casting::kSameKind);
}

void read_dtype(Interpreter& vm, const UfuncObject&, const Value& value, ArrayCall& call) {
  if (call.loop) vm.raise_type_error("cannot specify both 'signature' and 'dtype'");
  call.options.dtype = to_loop_dtype(vm, value);
}

using TypesAsked = std::vector<std::optional<rt::DType>>;  // the inputs', then the output's

TypesAsked types_of_text(Interpreter& vm, const rt::Ufunc& op, std::string_view text) {
  const auto arity = static_cast<size_t>(op.arity);
  if (text.size() == 1) {
    vm.raise_type_error("Use `dtype` or  fill the tuple with more than one 'None'.");
  }
  if (text.size() != arity + 3 || text.substr(arity, 2) != "->") {
    vm.raise_value_error("a type-string for {}, {} typecode(s) before and 1 after the -> sign",
                         op.name, op.arity);
  }
  TypesAsked types;
  for (char letter : text) {
    if (letter != '-' && letter != '>')
      types.push_back(to_dtype(vm, vm.str(std::string(1, letter))));
  }
  return types;
}

TypesAsked types_of_tuple(Interpreter& vm, const rt::Ufunc& op, Tuple& tuple) {
  if (tuple.size == 1) {
    vm.raise_type_error("Use `dtype` or  fill the tuple with more than one 'None'.");
  }
  if (tuple.size != static_cast<size_t>(op.arity) + 1) {
    vm.raise_value_error("a type-tuple must be specified of length {} for ufunc '{}'", op.arity + 1,
                         op.name);
  }
  TypesAsked types;
  for (const Value& each : tuple.items()) {
    types.push_back(each.is_none() ? std::nullopt : std::optional(to_dtype(vm, each)));
  }
  return types;
}

bool fits(const rt::UfuncLoop& loop, int arity, const TypesAsked& types) {
  for (int i = 0; i < arity; ++i) {
    if (types[i] && *types[i] != loop.in[i]) return false;
  }
  return !types.back() || *types.back() == loop.out;
}

// "dd->d", or a tuple of dtypes and None: the loop to run, to whose types the inputs are cast.
void read_signature(Interpreter& vm, const UfuncObject& self, const Value& value, ArrayCall& call) {
  if (call.loop) vm.raise_type_error("cannot specify both 'sig' and 'signature'");
  if (call.options.dtype) vm.raise_type_error("cannot specify both 'signature' and 'dtype'");
  Tuple* tuple = value.try_as<Tuple>();
  if (!tuple && !value.is<Str>()) {
    vm.raise_type_error("the signature object to ufunc must be a string or a tuple.");
  }
  const TypesAsked types = tuple ? types_of_tuple(vm, self.op, *tuple)
                                 : types_of_text(vm, self.op, value.as<Str>()->view());
  if (std::ranges::none_of(types, [](const auto& type) { return type.has_value(); })) return;
  const auto found = std::ranges::find_if(
      self.op.loops, [&](const auto& loop) { return fits(loop, self.op.arity, types); });
  if (found == self.op.loops.end()) {
    vm.raise_type_error(
        "No loop matching the specified signature and casting was found for ufunc {}",
        self.op.name);
  }
  call.loop = &*found;
}

void cast_to_loop(Interpreter& vm, const UfuncObject& self, ArrayCall& call) {
  for (int i = 0; i < self.op.arity; ++i) {
    rt::Operand& input = call.inputs[i];
    const rt::DType to = call.loop->in[i];
    rt::check_cast(self.op.name, fmt::format("input {}", i), input.dtype(), to,
                   call.options.casting);
    input =
        input.is_array()
            ? rt::Operand(rt::astype(session(vm), input.array(), to, rt::Casting::kUnsafe, false))
            : rt::Operand(input.scalar().cast(to));
  }
}

void ignore(Interpreter&, const UfuncObject&, const Value&, ArrayCall&) {}

struct Keyword {
  std::string_view name;
  ReadKeyword read;
};
constexpr Keyword kKeywords[] = {{"out", read_out},
                                 {"where", read_where},
                                 {"casting", read_casting},
                                 {"order", read_order},
                                 {"dtype", read_dtype},
                                 {"subok", ignore},
                                 {"signature", read_signature},
                                 {"sig", read_signature}};

}  // namespace

void read_keyword(Interpreter& vm, const UfuncObject& self, std::string_view name,
                  const Value& value, ArrayCall& call) {
  for (const Keyword& each : kKeywords) {
    if (each.name == name) return each.read(vm, self, value, call);
  }
  std::vector<std::string_view> known;
  for (const Keyword& each : kKeywords) known.push_back(each.name);
  raise_unexpected_keyword(vm, self.op.name, name, known);
}

namespace {

Use use_of(const rt::Ufunc& ufunc) {
  if (ufunc.is(rt::Row::divide)) return Use::kDivision;
  return ufunc.compares ? Use::kComparison : Use::kArithmetic;
}

// An int beyond 64 bits, as the number that it is beside the other inputs.
std::optional<rt::Scalar> huge_input(Interpreter& vm, const UfuncObject& self,
                                     const CallArgs& arguments, int i) {
  for (int other = 0; other < self.op.arity; ++other) {
    if (other == i) continue;
    auto huge = huge_number(vm, arguments.values[i], arguments.values[other], use_of(self.op));
    if (huge) return huge;
  }
  return std::nullopt;
}

// An input as an operand. Text and bytes have no loop on numbers.
rt::Operand input_of(Interpreter& vm, const UfuncObject& self, const CallArgs& arguments, int i) {
  const Value& value = arguments.values[i];
  const bool is_lone_object = self.op.arity == 1 && is_beyond_64_bits(value);
  if (is_lone_object && !self.names.is_cupy()) leave_to_other_kinds(vm);
  if (value.is<Str>() || value.is<Bytes>()) {
    if (!self.names.is_cupy()) leave_to_other_kinds(vm);
    if (self.op.arity == 2) {
      raise_no_loop(vm, self.op, {arguments.values[0], arguments.values[1]});
    }
    raise_no_loop(vm, self.op, {value});
  }
  if (auto huge = huge_input(vm, self, arguments, i)) return *huge;
  const rt::Operand operand = to_operand(vm, value, self.names);
  // A single int has the dtype that an array of it would have.
  const bool is_unsigned = operand.dtype() == rt::DType::kUInt64;
  if (self.op.arity > 1 || !is_unsigned || operand.weakness() == rt::Weak::kNo) return operand;
  return operand.scalar().cast(rt::DType::kUInt64);
}

ArrayCall read_call(Interpreter& vm, const UfuncObject& self, const CallArgs& arguments) {
  const int arity = self.op.arity;
  const int given = static_cast<int>(arguments.positional);
  if (given < arity || given > arity + 1) {
    vm.raise_type_error("{}() takes from {} to {} positional arguments but {} {} given",
                        self.op.name, arity, arity + 1, given, given == 1 ? "was" : "were");
  }
  ArrayCall call;
  for (int i = 0; i < arity; ++i) call.inputs.push_back(input_of(vm, self, arguments, i));
  if (given > arity) read_out(vm, self, arguments.values[arity], call);
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    read_keyword(vm, self, arguments.names[i]->view(), arguments.keyword(i), call);
  }
  return call;
}

bool numbers_alone(const ArrayCall& call) {
  return std::none_of(call.inputs.begin(), call.inputs.end(),
                      [](const rt::Operand& input) { return input.is_array(); });
}

// The result in the order asked for. A is Fortran's where all inputs lie in it.
rt::Array ordered(Interpreter& vm, const ArrayCall& call, rt::Array result) {
  char order = call.order;
  if (order == 'K') return result;
  if (order == 'A') {
    const bool fortran = std::ranges::all_of(call.inputs, [](const rt::Operand& input) {
      return !input.is_array() || rt::is_f_contiguous(input.array().layout());
    });
    order = fortran ? 'F' : 'C';
  }
  return rt::astype(session(vm), result, result.dtype(), rt::Casting::kUnsafe, false, order);
}

}  // namespace

Value run_call(Interpreter& vm, const UfuncObject& self, ArrayCall& call) {
  if (call.loop) cast_to_loop(vm, self, call);
  const bool plain = !call.as_array && !call.where && !is_given(call.out) &&
                     call.options.casting == rt::Casting::kSameKind;
  if (self.names.is_numpy() && plain && numbers_alone(call)) {
    return wrap_scalar(vm, apply_to_numbers(arrays(vm), self.op, call.inputs, call.options.dtype));
  }
  const Ndarray* out = to_out(vm, call.out);
  if (out) call.options.out = &out->array;
  if (call.where) call.options.where = &*call.where;
  const rt::Space space = self.names.space(session(vm));
  rt::Array result = rt::apply(session(vm), self.op, call.inputs, call.options, space);
  if (!out && call.as_array) return wrap_array(vm, ordered(vm, call, std::move(result)));
  if (!out) return wrap_result(vm, ordered(vm, call, std::move(result)));
  return as_ndarray(call.out) ? call.out : (*call.out.as<Tuple>())[0];
}

namespace {

// A call with arrays and numbers and no other arguments; undefined where the general path must do
// it.
Value call_plainly(Interpreter& vm, const UfuncObject& self, const CallArgs& arguments) {
  const uint32_t arity = static_cast<uint32_t>(self.op.arity);
  if (self.names.is_cupy() || arguments.positional != arity || !arguments.names.empty()) {
    return Value();
  }
  std::array<rt::Term, 3> room;
  const std::span terms = std::span(room).first(arity);
  bool any_array = false;
  for (uint32_t i = 0; i < arity; ++i) {
    if (!read_term(arguments.values[i], terms[i])) return Value();
    any_array |= terms[i].is_array();
  }
  if (any_array) {
    return wrap_result(vm, rt::apply(session(vm), self.op, terms, {}, rt::Space::host()));
  }
  if (!self.names.is_numpy()) return Value();
  const auto number = try_apply_to_terms(arrays(vm), self.op, terms);
  return number ? wrap_scalar(vm, *number) : Value();
}

Value call_on_arrays(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  Value quick = call_plainly(vm, as_ufunc(self), arguments);
  if (quick.is_defined()) return quick;
  try {
    ArrayCall call = read_call(vm, as_ufunc(self), arguments);
    return run_call(vm, as_ufunc(self), call);
  } catch (const Override& override) {
    return answer_for_ufunc(vm, self, arguments, override.by);
  }
}

}  // namespace

Value ufunc_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  if (!holds_classes(arguments)) return call_on_arrays(vm, self, arguments);
  const auto arity = static_cast<uint32_t>(as_ufunc(self).op.arity);
  return call_with_classes(vm, self, arity, arguments, call_on_arrays);
}

}  // namespace gpy::lib
