#include "stdlib/native/numpy/resolve_dtypes.h"

#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// What stands for an input of a type: Python's int, float and complex are as wide as is needed.
rt::Operand stand_in(Interpreter& vm, const Value& type) {
  if (const Type* python = type.try_as<Type>()) {
    if (python == vm.types.integer) return rt::Scalar::weak(int64_t{0});
    if (python == vm.types.real) return rt::Scalar::weak(0.0);
    if (python == vm.types.complex) return rt::Scalar::weak(std::complex<double>());
  }
  const DTypeObject* dtype = type.try_as<DTypeObject>();
  if (!dtype) {
    vm.raise_type_error(
        "Provided dtype must be a valid NumPy dtype, int, float, complex, or None.");
  }
  return rt::empty(session(vm), rt::Dims{0}, dtype->dtype, rt::Space::host());
}

// What a reduction of elements of a type is kept in while it runs: sums and products of bools and
// small ints in 64 bits.
rt::DType kept_in(const rt::Ufunc& ufunc, rt::DType dtype) {
  const bool grows = ufunc.is(rt::Row::add) || ufunc.is(rt::Row::multiply);
  if (!grows || rt::is_inexact(dtype)) return dtype;
  return rt::kind(dtype) == rt::DTypeKind::kUnsigned ? rt::DType::kUInt64 : rt::DType::kInt64;
}

std::vector<rt::Operand> stand_ins(Interpreter& vm, const TypesQuestion& asked, Tuple& dtypes) {
  std::vector<rt::Operand> inputs;
  const bool reduces = asked.reduction && asked.ufunc.arity == 2 && dtypes[0].is_none();
  for (int i = 0; i < asked.ufunc.arity; ++i) {
    const Value& type = dtypes[reduces ? 1 : i];
    if (type.is_none()) {
      vm.raise_type_error("All input dtypes must be provided (except the first one in reductions)");
    }
    inputs.push_back(stand_in(vm, type));
    if (!reduces) continue;
    const rt::DType kept = kept_in(asked.ufunc, inputs.back().dtype());
    inputs.back() = rt::empty(session(vm), rt::Dims{0}, kept, rt::Space::host());
  }
  return inputs;
}

void check_casts(Interpreter& vm, const TypesQuestion& asked, const rt::UfuncLoop& loop,
                 std::span<const rt::Operand> inputs, const Value& out) {
  const rt::Casting casting = to_casting(vm, asked.casting, rt::Casting::kSameKind);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].is_array()) continue;
    rt::check_cast(asked.ufunc.name, fmt::format("input {}", i), inputs[i].dtype(), loop.in[i],
                   casting);
  }
  if (out.is_none()) return;
  rt::check_cast(asked.ufunc.name, "output", loop.out, stand_in(vm, out).dtype(), casting);
}

}  // namespace

Value resolve_dtypes(Interpreter& vm, const TypesQuestion& asked) {
  Tuple* dtypes = asked.dtypes.try_as<Tuple>();
  const auto arity = static_cast<uint32_t>(asked.ufunc.arity);
  if (!dtypes || dtypes->size != arity + 1) {
    vm.raise_type_error("resolve_dtypes: The dtypes must be a tuple of `ufunc.nargs` length.");
  }
  const std::vector<rt::Operand> inputs = stand_ins(vm, asked, *dtypes);
  const rt::UfuncLoop& loop =
      asked.loop ? *asked.loop
                 : rt::resolve_loop(asked.ufunc, rt::Terms(std::span(inputs))).signature();
  check_casts(vm, asked, loop, inputs, (*dtypes)[arity]);
  std::vector<Value> found;
  for (uint32_t i = 0; i < arity; ++i) found.push_back(wrap_dtype(vm, loop.in[i]));
  found.push_back(wrap_dtype(vm, loop.out));
  return vm.tuple(found);
}

}  // namespace gpy::lib
