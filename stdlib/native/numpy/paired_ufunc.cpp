#include "stdlib/native/numpy/paired_ufunc.h"

#include <array>

#include "runtime/graph/write.h"
#include "runtime/ops/elementwise.h"
#include "src/array/errors.h"
#include "src/calls/documentation.h"
#include "src/calls/override.h"
#include "src/typed_native.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/numpy/ufunc_classes.h"
#include "stdlib/native/numpy/ufunc_object.h"

namespace gpy::lib {

namespace {

struct PairRow {
  std::string_view name;
  uint32_t inputs;
  std::array<rt::Row, 2> rows;
};
constexpr PairRow kPairs[] = {
    {"divmod", 2, {rt::Row::floor_divide, rt::Row::remainder}},
    {"frexp", 1, {rt::Row::frexp_mantissa, rt::Row::frexp_exponent}},
    {"modf", 1, {rt::Row::modf_fraction, rt::Row::modf_whole}},
};

struct PairedUfunc : Object {
  static constexpr ObjectLayout kLayout = kPairedUfuncLayout;
  PairedUfunc(Type* type, const PairRow& pair, const Namespace& names)
      : Object(type), pair(pair), names(names) {}
  const PairRow& pair;
  const Namespace& names;
};

const PairedUfunc& of(const Value& self) { return *self.as<PairedUfunc>(); }

struct PairCall {
  Value inputs[2];
  Value out[2];
  Value where;
  rt::Casting casting = rt::Casting::kSameKind;
  std::vector<Value> values;  // values of the keywords that each row takes
  std::vector<Str*> names;
};

void read_out(Interpreter& vm, const Value& value, PairCall& call) {
  if (!is_given(value)) return;
  Tuple* both = value.try_as<Tuple>();
  if (!both) vm.raise_type_error("'out' must be a tuple of arrays");
  if (both->size != 2) {
    vm.raise_value_error("The 'out' tuple must have exactly one entry per ufunc output");
  }
  for (int i = 0; i < 2; ++i) call.out[i] = (*both)[i];
}

PairCall read_call(Interpreter& vm, const PairedUfunc& self, const CallArgs& arguments) {
  const uint32_t given = arguments.positional, inputs = self.pair.inputs;
  if (given < inputs || given > inputs + 2) {
    vm.raise_type_error("{}() takes from {} to {} positional arguments but {} {} given",
                        self.pair.name, inputs, inputs + 2, given, given == 1 ? "was" : "were");
  }
  PairCall call;
  for (uint32_t i = 0; i < given; ++i) {
    (i < inputs ? call.inputs[i] : call.out[i - inputs]) = arguments.values[i];
  }
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    const std::string_view name = arguments.names[i]->view();
    if (name == "out") {
      if (given > inputs) {
        vm.raise_type_error("cannot specify 'out' as both a positional and keyword argument");
      }
      read_out(vm, arguments.keyword(i), call);
    } else {
      if (name == "where") call.where = arguments.keyword(i);
      if (name == "casting") {
        call.casting = to_casting(vm, arguments.keyword(i), rt::Casting::kSameKind);
      }
      call.names.push_back(arguments.names[i]);
      call.values.push_back(arguments.keyword(i));
    }
  }
  return call;
}

// The names of the rows are not for scripts.
void refuse_types(Interpreter& vm, const PairedUfunc& self, const PairCall& call) {
  for (uint32_t i = 0; i < self.pair.inputs; ++i) {
    const Value& input = call.inputs[i];
    if (input.is<Str>() || input.is<Bytes>() ||
        rt::is_complex(to_operand(vm, input, self.names).dtype())) {
      raise_no_loop(vm, self.pair.name, Refusal::plain, {});
    }
  }
}

Value row_object(Interpreter& vm, const PairedUfunc& self, rt::Row row) {
  return make_ufunc_object(vm, self.names, rt::ufunc(row));
}

Value row_result(Interpreter& vm, const PairedUfunc& self, const PairCall& call, int i) {
  const uint32_t inputs = self.pair.inputs;
  std::vector<Value> values(call.inputs, call.inputs + inputs);
  values.insert(values.end(), call.values.begin(), call.values.end());
  return vm.call(row_object(vm, self, self.pair.rows[i]),
                 CallArgs{values.data(), inputs, call.names});
}

// Stores a result: `out` keeps its elements where the mask is false.
Value stored(Interpreter& vm, const PairedUfunc& self, const PairCall& call, const Value& result,
             const Value& out) {
  if (!is_given(out)) return result;
  const Ndarray* target = as_ndarray(out);
  if (!target) vm.raise_type_error("return arrays must be of ArrayType");
  const rt::Array& array = target->array;
  const rt::Operand value = to_operand(vm, result, self.names);
  rt::check_cast(self.pair.name, "output", value.dtype(), array.dtype(), call.casting);
  if (call.where.is_undefined()) {
    rt::write(session(vm), array, value);
  } else {
    const rt::Operand mask = to_mask(vm, call.where, self.names);
    rt::write(session(vm), array, ops::where(vm, mask, value, array));
  }
  return out;
}

Value numbers_call(Interpreter& vm, const PairedUfunc& self, const CallArgs& arguments) {
  const PairCall call = read_call(vm, self, arguments);
  refuse_types(vm, self, call);
  // Both are computed before either is stored: an output may be an input.
  const Value results[] = {row_result(vm, self, call, 0), row_result(vm, self, call, 1)};
  Value first = stored(vm, self, call, results[0], call.out[0]);
  return vm.tuple({first, stored(vm, self, call, results[1], call.out[1])});
}

Value call_on_arrays(Interpreter& vm, const Value& callable, const CallArgs& arguments) {
  try {
    return numbers_call(vm, of(callable), arguments);
  } catch (const Override& override) {
    return answer_for_ufunc(vm, callable, arguments, override.by);
  }
}

Value paired_call(Interpreter& vm, const Value& callable, const CallArgs& arguments) {
  if (holds_classes(arguments)) {
    return call_with_classes(vm, callable, of(callable).pair.inputs, arguments, call_on_arrays);
  }
  return call_on_arrays(vm, callable, arguments);
}

Value paired_outer(Interpreter& vm, const Value& callable, const Value& a, const Value& b) {
  const PairedUfunc& self = of(callable);
  if (self.pair.inputs != 2) {
    vm.raise_value_error("outer product only supported for binary functions");
  }
  std::vector<Value> results;
  for (rt::Row row : self.pair.rows) {
    const Value outer = vm.get_attribute(row_object(vm, self, row), "outer");
    results.push_back(vm.call(outer, {a, b}));
  }
  return vm.tuple(results);
}

template <const char* kMethod>
Value refused(Interpreter& vm, const Value& self, std::span<const Value>, const Value&) {
  vm.raise_value_error(
      "{} only supported for {}", kMethod,
      of(self).pair.inputs == 2 ? "functions returning a single value" : "binary functions");
}

Value refused_at(Interpreter& vm, const Value&, std::span<const Value>, const Value&) {
  vm.raise_value_error("Only single output ufuncs supported at this time");
}

constexpr char kReduce[] = "reduce", kAccumulate[] = "accumulate";
const Native kMethods[] = {
    {"outer", "(self, A, B, /)", typed<paired_outer>, "The ufunc on every pair of elements."},
    {"reduce", "(self, *args, **kwargs)", typed<refused<kReduce>>, ""},
    {"accumulate", "(self, *args, **kwargs)", typed<refused<kAccumulate>>, ""},
    {"at", "(self, *args, **kwargs)", typed<refused_at>, ""},
};

const NativeGetter kGetters[] = {
    {"nin", [](Interpreter&, const Value& self) { return Value::integer(of(self).pair.inputs); },
     nullptr, "How many inputs."},
    {"nout", [](Interpreter&, const Value&) { return Value::integer(2); }, nullptr,
     "How many outputs."},
    {"nargs",
     [](Interpreter&, const Value& self) { return Value::integer(of(self).pair.inputs + 2); },
     nullptr, "How many arguments, the outputs included."},
    {"signature", [](Interpreter&, const Value&) { return Value::none(); }, nullptr,
     "None: it takes single elements."},
    {"identity", [](Interpreter&, const Value&) { return Value::none(); }, nullptr,
     "The start of a reduction, or None."},
    {"__name__", [](Interpreter& vm, const Value& self) { return vm.str(of(self).pair.name); },
     nullptr, ""},
    {"__doc__",
     [](Interpreter& vm, const Value& self) {
       return vm.str(
           documentation(vm, "Two results of each element.", "numpy", of(self).pair.name));
     },
     nullptr, ""},
};

std::string paired_repr(Interpreter&, const Value& self) {
  return fmt::format("<ufunc '{}'>", of(self).pair.name);
}

Type* paired_type(Interpreter& vm) {
  return kept_type(vm, "_paired_ufunc", [&] {
    return vm.make_type<PairedUfunc>({.name = "ufunc",
                                      .module = "numpy",
                                      .doc = "A function of elements that has two results.",
                                      .slots = {.repr = paired_repr, .call = paired_call},
                                      .methods = kMethods,
                                      .getters = kGetters});
  });
}

}  // namespace

Value find_paired_ufunc(Interpreter& vm, const Namespace& names, std::string_view name) {
  for (const PairRow& pair : kPairs) {
    if (pair.name == name) return vm.make<PairedUfunc>(paired_type(vm), pair, names);
  }
  return Value();
}

void list_paired_ufuncs(Interpreter& vm, std::vector<Str*>& names) {
  for (const PairRow& pair : kPairs) names.push_back(vm.intern(pair.name));
}

}  // namespace gpy::lib
