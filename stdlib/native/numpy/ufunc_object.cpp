#include "stdlib/native/numpy/ufunc_object.h"

#include <algorithm>
#include <cmath>

#include "runtime/ops/apply_at.h"
#include "runtime/ops/create.h"
#include "runtime/ops/reduction.h"
#include "runtime/ops/row_facts.h"
#include "src/array/errors.h"
#include "src/array/indexing.h"
#include "src/array/sequence_objects.h"
#include "src/calls/documentation.h"
#include "src/typed_native.h"
#include "stdlib/native/help_pages.h"
#include "stdlib/native/numpy/int64_argument.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/numpy/paired_ufunc.h"
#include "stdlib/native/numpy/reduce_call.h"
#include "stdlib/native/numpy/resolve_dtypes.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/numpy/ufunc_call.h"

namespace gpy::lib {

namespace {

std::string ufunc_repr(Interpreter&, const Value& self) {
  return fmt::format("<ufunc '{}'>", as_ufunc(self).op.name);
}

// --- methods -------------------------------------------------------------------------------------

void require_binary(Interpreter& vm, const UfuncObject& self, const char* method) {
  if (self.op.arity != 2) {
    vm.raise_value_error("{} only supported for binary functions", method);
  }
}

// The result has A's axes, then B's.
Value ufunc_outer(Interpreter& vm, const Value& callable, const Value& first, const Value& second,
                  const Value& kwargs) {
  const UfuncObject& self = as_ufunc(callable);
  require_binary(vm, self, "outer product");
  const rt::Array a = to_array(vm, first, self.names);
  const rt::Array b = to_array(vm, second, self.names);
  if (a.rank() + b.rank() > rt::kMaxRank) {
    vm.raise_value_error(
        "maximum supported dimension for an ndarray is {}, but `{}.outer()` result would have {}.",
        rt::kMaxRank, self.op.name, a.rank() + b.rank());
  }
  rt::Dims shape = a.shape();
  for (int i = 0; i < b.rank(); ++i) shape.push_back(1);
  ArrayCall call;
  call.inputs = {rt::Operand(rt::reshape(session(vm), a, shape)), rt::Operand(b)};
  for (auto& entry : kwargs.as<Dict>()->entries()) {
    if (entry.key.is_undefined()) continue;
    read_keyword(vm, self, entry.key.as<Str>()->view(), entry.value, call);
  }
  return run_call(vm, self, call);
}

Value ufunc_reduce(Interpreter& vm, const Value& callable, const Value& array, const Value& axis,
                   const Value& dtype, const Value& out, KeepDims keepdims, const Value& initial,
                   const Value& where) {
  const UfuncObject& self = as_ufunc(callable);
  require_binary(vm, self, "reduce");
  check_out_tuple(vm, out);
  ReduceCall call{to_array(vm, array, self.names), {}, out};
  call.read_axes(vm, axis);
  call.read_dtype(vm, dtype);
  if (call.options.dtype) require_foldable(vm, self.op, *call.options.dtype);
  call.options.keepdims = keepdims.kept;
  call.initial = initial;
  call.read_where(vm, where, self.names);
  const rt::Reduction* reduction = rt::reduction_of(self.op);
  return reduction ? call.run(vm, *reduction) : call.fold(vm, self.op);
}

// The axis, alone or in a tuple; None for an array of one axis.
int accumulated_axis(Interpreter& vm, const Value& axis, int rank) {
  std::vector<int64_t> axes;
  if (axis.is_none()) {
    for (int i = 0; i < rank; ++i) axes.push_back(i);
  } else {
    axes = *to_axes(vm, axis);
  }
  for (int64_t& each : axes) each = rt::normalize_axis(each, rank);
  if (axes.size() != 1) vm.raise_value_error("accumulate does not allow multiple axes");
  return static_cast<int>(axes[0]);
}

// accumulate for a ufunc that no row scans: one slice after another.
Value accumulate_slices(Interpreter& vm, const UfuncObject& self, const rt::Array& array, int axis,
                        std::optional<rt::DType> dtype, const Value& out) {
  const rt::Operand both[] = {array, array};
  const rt::ResolvedLoop loop = rt::resolve_loop(self.op, rt::Terms(both), dtype);
  require_foldable(vm, self.op, array.dtype());
  const rt::Array input =
      rt::astype(session(vm), array, loop.signature().out, rt::Casting::kUnsafe, false);
  const std::vector<rt::Array> totals = running(vm, self.op, input, axis);
  if (totals.empty()) return finish(vm, rt::copy(session(vm), input), out);
  return finish(vm, rt::stack(session(vm), totals, axis), out);
}

Value ufunc_accumulate(Interpreter& vm, const Value& callable, const Value& operand,
                       const Value& axis, const Value& dtype, const Value& out) {
  const UfuncObject& self = as_ufunc(callable);
  require_binary(vm, self, "accumulate");
  check_out_tuple(vm, out);
  const rt::Reduction* scan = rt::reduction_of(self.op);
  const rt::Array array = to_array(vm, operand, self.names);
  if (array.rank() == 0) vm.raise_type_error("cannot accumulate on a scalar");
  const int along = accumulated_axis(vm, axis, array.rank());
  const auto wanted = to_loop_dtype(vm, dtype);
  if (wanted) {
    require_foldable(vm, self.op, *wanted);
    warn_of_lost_parts(vm, array.dtype(), *wanted);
  }
  if (!scan || !scan->scans) return accumulate_slices(vm, self, array, along, wanted, out);
  const Ndarray* target = to_out(vm, out);
  rt::Array result =
      rt::accumulate(session(vm), *scan, array, along, wanted, target ? &target->array : nullptr);
  return target ? out : wrap_array(vm, std::move(result));
}

void check_operand_count(Interpreter& vm, const UfuncObject& self, bool given) {
  if (self.op.arity == 1 && given) {
    vm.raise_value_error("second operand provided when ufunc is unary");
  }
  if (self.op.arity == 2 && !given) vm.raise_value_error("second operand needed for ufunc");
}

Value ufunc_at(Interpreter& vm, const Value& callable, const Value& a, const Value& indices,
               const Value& b) {
  const UfuncObject& self = as_ufunc(callable);
  const Ndarray* target = as_ndarray(a);
  if (!target) {
    if (a.is_object()) leave_to(vm, a);
    vm.raise_type_error("first operand must be array");
  }
  check_operand_count(vm, self, b.is_defined());
  if (!target->array.writeable()) vm.raise_value_error("array is read-only");
  const std::vector<rt::IndexItem> items = index_items(vm, indices, target->array.space());
  std::optional<rt::Operand> other;
  if (b.is_defined()) {
    if (b.is<Str>() || b.is<Bytes>()) raise_no_loop(vm, self.op, {a, b});
    other = to_operand(vm, b, self.names);
  }
  rt::apply_at(session(vm), self.op, target->array, items, other ? &*other : nullptr);
  return Value::none();
}

void require_row(Interpreter& vm, int rank) {
  if (rank == 1) return;
  vm.raise_value_error("object {} for desired array",
                       rank == 0 ? "of too small depth" : "too deep");
}

// Where segments start, as int64 on the host.
Value segment_starts(Interpreter& vm, const Value& indices) {
  const Ndarray* array = as_ndarray(indices);
  if (array) require_row(vm, array->array.rank());
  const rt::Space space = array ? array->array.space() : rt::Space::host();
  const rt::Array starts = int64_argument(vm, indices, space, rt::Casting::kSafe);
  require_row(vm, starts.rank());
  return wrap_array(vm, rt::to_space(session(vm), starts, rt::Space::host()));
}

Value ufunc_reduceat(Interpreter& vm, const Value& callable, const Value& array,
                     const Value& indices, const Value& axis, const Value& dtype,
                     const Value& out) {
  check_out_tuple(vm, out);
  static_cast<void>(to_axes(vm, axis));
  const Value reduceat = find_in_library(vm, as_ufunc(callable).names, "own", "reduceat");
  return vm.call(reduceat, {callable, array, segment_starts(vm, indices), axis, dtype, out});
}

Value ufunc_resolve_dtypes(Interpreter& vm, const Value& callable, const Value& dtypes,
                           const Value& signature, const Value& casting, bool reduction) {
  const UfuncObject& self = as_ufunc(callable);
  ArrayCall call;
  if (is_given(signature)) read_keyword(vm, self, "signature", signature, call);
  return resolve_dtypes(vm, {self.op, call.loop, dtypes, casting, reduction});
}

const Native kMethods[] = {
    {"reduceat", "(self, array, indices, axis=0, dtype=None, out=None)", typed<ufunc_reduceat>,
     "The ufunc between the elements from each index to before the next one."},
    {"outer", "(self, A, B, /, **kwargs)", typed<ufunc_outer>,
     "The ufunc on every pair of elements."},
    {"reduce",
     "(self, array, /, axis=0, dtype=None, out=None, keepdims=False, initial=<no value>, "
     "where=True)",
     typed<ufunc_reduce>, "The ufunc between all elements along axes."},
    {"accumulate", "(self, array, /, axis=0, dtype=None, out=None)", typed<ufunc_accumulate>,
     "The ufunc between each element and all before it."},
    {"at", "(self, a, indices, b=<omitted>, /)", typed<ufunc_at>,
     "The ufunc in place at indices, which may repeat."},
    {"resolve_dtypes", "(self, dtypes, *, signature=None, casting=None, reduction=False)",
     typed<ufunc_resolve_dtypes>, "The dtypes of the loop that runs for inputs of given dtypes."},
};

// --- attributes ----------------------------------------------------------------------------------

Value identity_of(Interpreter&, const Value& self) {
  const rt::Reduction* reduction = rt::reduction_of(as_ufunc(self).op);
  if (!reduction || !reduction->has_identity) return Value::none();
  // The row's identity for int64, or for float64 where integers have no loop.
  const auto loop = std::ranges::find_if(reduction->loops, [](const rt::ReductionLoop& each) {
    return each.in == rt::DType::kInt64 || each.in == rt::DType::kFloat64;
  });
  const auto index = static_cast<int>(loop - reduction->loops.begin());
  const rt::Scalar identity = rt::identity_of(*reduction, index);
  if (loop->out == rt::DType::kBool) return Value::boolean(identity.truth());
  const double number = identity.as_double();
  if (std::isinf(number)) return Value::real(number);
  return Value::integer(static_cast<int64_t>(number));
}

// "ff->f", as NumPy writes loops.
Value loop_types(Interpreter& vm, const Value& self) {
  std::vector<Value> types;
  for (const rt::UfuncLoop& loop : as_ufunc(self).op.loops) {
    std::string text;
    for (int i = 0; i < as_ufunc(self).op.arity; ++i) text += rt::info(loop.in[i]).character;
    types.push_back(vm.str(text + "->" + rt::info(loop.out).character));
  }
  return vm.list(std::move(types));
}

Value ufunc_doc(Interpreter& vm, const Value& self) {
  const rt::Ufunc& op = as_ufunc(self).op;
  const std::string common = std::string(op.doc) + "\n\n" + help_page("numpy", "ufunc");
  return vm.str(documentation(vm, common, "numpy", op.name));
}

Value ufunc_signature(Interpreter& vm, const Value& self) {
  std::string inputs = "x";
  if (as_ufunc(self).op.arity > 1) inputs = "x1, x2";
  if (as_ufunc(self).op.arity > 2) inputs += ", x3";
  return vm.str("(" + inputs +
                ", /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, "
                "subok=True[, signature])");
}

const NativeGetter kGetters[] = {
    {"nin", [](Interpreter&, const Value& self) { return Value::integer(as_ufunc(self).op.arity); },
     nullptr, "How many inputs."},
    {"nout", [](Interpreter&, const Value&) { return Value::integer(1); }, nullptr,
     "How many outputs."},
    {"nargs",
     [](Interpreter&, const Value& self) { return Value::integer(as_ufunc(self).op.arity + 1); },
     nullptr, "How many arguments, the output included."},
    {"ntypes",
     [](Interpreter&, const Value& self) {
       return Value::integer(static_cast<int64_t>(as_ufunc(self).op.loops.size()));
     },
     nullptr, "How many loops."},
    {"types", loop_types, nullptr, "The loops' types, in the order they are searched."},
    {"identity", identity_of, nullptr, "The start of a reduction, or None."},
    {"signature", [](Interpreter&, const Value&) { return Value::none(); }, nullptr,
     "None: it works on elements."},
    {"__name__", [](Interpreter& vm, const Value& self) { return vm.str(as_ufunc(self).op.name); },
     nullptr, ""},
    {"__doc__", ufunc_doc, nullptr, ""},
    {"__text_signature__", ufunc_signature, nullptr, ""},
};

rt::Modules module_of(const Namespace& names) {
  if (names.is_numpy()) return rt::kNumpy;
  return names.is_cupy() ? rt::kCupy : rt::kGp;
}

}  // namespace

Value answer_for_ufunc(Interpreter& vm, const Value& self, const CallArgs& arguments,
                       const Value& by) {
  std::vector<Value> values = {self, vm.str("__call__")};
  values.insert(values.end(), arguments.values,
                arguments.values + arguments.positional + arguments.names.size());
  const Value method = vm.get_attribute(by, "__array_ufunc__");
  const Value answer = vm.call(method, {values.data(), arguments.positional + 2, arguments.names});
  if (!answer.is_not_implemented()) return answer;
  vm.raise_type_error(
      "operand type(s) all returned NotImplemented from __array_ufunc__({}, "
      "'__call__'): '{}'",
      vm.repr(self), vm.type_name(by));
}

Type* ufunc_type(Interpreter& vm) {
  return kept_type(vm, "_ufunc", [&] {
    return vm.make_type<UfuncObject>({.name = "ufunc",
                                      .module = "numpy",
                                      .doc = "A function of elements.",
                                      .slots = {.repr = ufunc_repr, .call = ufunc_call},
                                      .methods = kMethods,
                                      .getters = kGetters});
  });
}

Value make_ufunc_object(Interpreter& vm, const Namespace& names, const rt::Ufunc& ufunc) {
  return vm.make<UfuncObject>(ufunc_type(vm), ufunc, names);
}

Value find_ufunc_object(Interpreter& vm, const Namespace& names, std::string_view name) {
  const rt::Ufunc* ufunc = rt::find_ufunc(name);
  if (!ufunc) return find_paired_ufunc(vm, names, name);
  if (!(rt::facts_of(*ufunc).in & module_of(names))) return Value();
  return make_ufunc_object(vm, names, *ufunc);
}

Value find_special_ufunc(Interpreter& vm, const Namespace& names, std::string_view name) {
  const rt::Ufunc* ufunc = rt::find_ufunc(name);
  if (!ufunc || !(rt::facts_of(*ufunc).in & rt::kSpecial)) return Value();
  return make_ufunc_object(vm, names, *ufunc);
}

static void list_names(Interpreter& vm, rt::Modules module, std::vector<Str*>& names) {
  for (const rt::Ufunc& ufunc : rt::ufuncs()) {
    const rt::RowFacts& facts = rt::facts_of(ufunc);
    if (!(facts.in & module)) continue;
    names.push_back(vm.intern(ufunc.name));
    for (std::string_view name : facts.also) {
      if (!name.empty()) names.push_back(vm.intern(name));
    }
  }
}

void list_ufunc_names(Interpreter& vm, const Namespace& module, std::vector<Str*>& names) {
  list_names(vm, module_of(module), names);
  list_paired_ufuncs(vm, names);
}

void list_special_ufuncs(Interpreter& vm, std::vector<Str*>& names) {
  list_names(vm, rt::kSpecial, names);
}

}  // namespace gpy::lib
