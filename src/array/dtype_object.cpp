// numpy.dtype: what element type an array has.
#include "src/array/arrays.h"
#include "src/array/convert.h"
#include "src/array/typed_arguments.h"
#include "src/calls/override.h"
#include "src/types/generic_alias.h"

namespace gpy {

static rt::DType of(const Value& self) { return self.as<DTypeObject>()->dtype; }

static std::string dtype_repr(Interpreter&, const Value& self) {
  const std::string_view name = rt::name(of(self));
  return rt::is_numpys_own(of(self)) ? fmt::format("dtype('{}')", name)
                                     : fmt::format("dtype({})", name);
}

static std::string dtype_str(Interpreter&, const Value& self) {
  return std::string(rt::name(of(self)));
}

// A dtype equals whatever names it.
static Value dtype_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  std::optional<rt::DType> same;
  if (const Str* text = other.try_as<Str>()) {
    same = rt::dtype_from_name(text->view());
  } else if (other.is<Type>() || other.is<DTypeObject>()) {
    try {
      same = to_dtype(vm, other);
    } catch (const Raised&) {
    } catch (const Override&) {  // the dtype of another kind
    }
  }
  if (op == CompareOp::equal) return Value::boolean(same && *same == of(self));
  if (op == CompareOp::not_equal) return Value::boolean(!same || *same != of(self));
  if (!same) return Value::not_implemented();
  const bool up = rt::can_cast(of(self), *same, rt::Casting::kSafe);
  const bool down = rt::can_cast(*same, of(self), rt::Casting::kSafe);
  switch (op) {
    case CompareOp::less: return Value::boolean(up && *same != of(self));
    case CompareOp::less_equal: return Value::boolean(up);
    case CompareOp::greater: return Value::boolean(down && *same != of(self));
    default: return Value::boolean(down);
  }
}

static int64_t dtype_hash(Interpreter&, const Value& self) { return 0x5bd1e995 + of(self).key(); }

// The letter behind the byte order; bfloat16's is V, as ml_dtypes has it.
static char kind_letter(rt::DType dtype) { return rt::info(dtype).swapped_name[1]; }

static Value text(Interpreter& vm, std::string_view value) { return vm.str(value); }

static Value none(Interpreter&, const Value&) { return Value::none(); }

static const NativeGetter kGetters[] = {
    {"name", [](Interpreter& vm, const Value& self) { return text(vm, rt::info(of(self)).name); },
     nullptr, "The name: 'float32'."},
    {"itemsize",
     [](Interpreter&, const Value& self) { return Value::integer(rt::item_size(of(self))); },
     nullptr, "Bytes of one element."},
    {"alignment",
     [](Interpreter&, const Value& self) {
       const rt::DType part = rt::real_type(of(self));
       return Value::integer(rt::item_size(part));
     },
     nullptr, "Bytes that an element's address is a multiple of."},
    {"kind",
     [](Interpreter& vm, const Value& self) {
       const char letter = kind_letter(of(self));
       return text(vm, {&letter, 1});
     },
     nullptr, "b, i, u, f or c."},
    {"char",
     [](Interpreter& vm, const Value& self) {
       const char letter = rt::info(of(self)).character;
       return text(vm, {&letter, 1});
     },
     nullptr, "NumPy's letter for the type."},
    {"num",
     [](Interpreter&, const Value& self) {
       static constexpr int kNumbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 23, 11, 12, 14, 15, 256};
       return Value::integer(kNumbers[of(self).index()]);
     },
     nullptr, "NumPy's number for the type."},
    {"str", [](Interpreter& vm, const Value& self) { return text(vm, rt::dtype_descr(of(self))); },
     nullptr, "Byte order, kind and size: '<f4'."},
    {"byteorder",
     [](Interpreter& vm, const Value& self) {
       if (!of(self).is_native()) return text(vm, ">");
       return text(vm, rt::item_size(of(self)) == 1 ? "|" : "=");
     },
     nullptr, "The byte order: '=' the machine's, '>' the other, '|' of one byte."},
    {"isnative",
     [](Interpreter&, const Value& self) { return Value::boolean(of(self).is_native()); }, nullptr,
     "True if the byte order is the machine's."},
    {"hasobject", [](Interpreter&, const Value&) { return Value::boolean(false); }, nullptr,
     "False: arrays hold numbers."},
    {"names", none, nullptr, "None: numbers have no fields."},
    {"fields", none, nullptr, "None: numbers have no fields."},
    {"subdtype", none, nullptr, "None: an element is one number."},
    {"metadata", none, nullptr, "None."},
    {"base", [](Interpreter&, const Value& self) { return self; }, nullptr, "The dtype itself."},
    {"flags", [](Interpreter&, const Value&) { return Value::integer(0); }, nullptr, "0."},
    {"isalignedstruct", [](Interpreter&, const Value&) { return Value::boolean(false); }, nullptr,
     "False: numbers have no fields."},
    {"isbuiltin",
     [](Interpreter&, const Value& self) {
       return Value::integer(of(self).is_native() && rt::is_numpys_own(of(self)) ? 1 : 0);
     },
     nullptr, "1 for NumPy's own types in the machine's byte order, else 0."},
    {"descr",
     [](Interpreter& vm, const Value& self) -> Value {
       const Value field = vm.tuple({text(vm, ""), text(vm, rt::dtype_descr(of(self)))});
       return vm.list({field});
     },
     nullptr, "The type as that of a record's only field: [('', '<f4')]."},
    {"ndim", [](Interpreter&, const Value&) { return Value::integer(0); }, nullptr, "0."},
    {"shape", [](Interpreter& vm, const Value&) { return vm.tuple({}); }, nullptr, "()."},
    {"type",
     [](Interpreter& vm, const Value& self) {
       return Value(static_cast<Object*>(arrays(vm).scalars[of(self).index()]));
     },
     nullptr, "The type of its scalars."},
};

// 'S' swaps, '=' and '<' are the machine's order, '>' is the other, '|' changes nothing.
static Value newbyteorder(Interpreter& vm, const Value& self, std::string_view order) {
  const rt::DType dtype = of(self);
  switch (order.empty() ? ' ' : order[0]) {
    case 's':
    case 'S': return wrap_dtype(vm, dtype.swapped());
    case '=':
    case 'n':
    case 'N':
    case '<':
    case 'l':
    case 'L': return wrap_dtype(vm, dtype.native());
    case '>':
    case 'b':
    case 'B': return wrap_dtype(vm, dtype.native().swapped());
    case '|':
    case 'i':
    case 'I': return self;
    default: vm.raise_value_error("byteorder not recognized (got '{}')", order);
  }
}

static const Native kMethods[] = {
    {"newbyteorder", "(self, new_order='S', /)", typed<newbyteorder>,
     "The same type with its bytes in another order: 'S' swaps, '<', '>' and '=' tell it."},
};

// The type of a dtype stands for it where none is named: Int32DType().
static Value make_dtype(Interpreter& vm, const Value& cls, const Value& dtype, const Value&,
                        const Value&) {
  if (dtype.is_defined()) return wrap_dtype(vm, to_dtype(vm, dtype));
  const auto& types = arrays(vm).dtype_types;
  const auto own = std::ranges::find(types, cls.as<Type>());
  if (own == types.end()) {
    vm.raise_type_error("dtype() missing required argument 'dtype' (pos 1)");
  }
  return wrap_dtype(vm, rt::dtype_at(static_cast<size_t>(own - types.begin())));
}

static const Native kConstructor = {"dtype", "(cls, dtype=<omitted>, align=False, copy=False)",
                                    typed<make_dtype>,
                                    "The element type that a name or a type stands for."};

static constexpr const char* kTypeNames[] = {
    "BoolDType",    "Int8DType",    "UInt8DType",     "Int16DType",      "UInt16DType",
    "Int32DType",   "UInt32DType",  "Int64DType",     "UInt64DType",     "Float16DType",
    "Float32DType", "Float64DType", "Complex64DType", "Complex128DType", "BFloat16DType"};

void setup_dtypes(Arrays& state) {
  state.dtype = state.vm.make_type<DTypeObject>({.name = "dtype",
                                                 .module = "numpy",
                                                 .doc = "An element type of arrays.",
                                                 .slots = {.repr = dtype_repr,
                                                           .str = dtype_str,
                                                           .hash = dtype_hash,
                                                           .compare = dtype_compare},
                                                 .methods = kMethods,
                                                 .getters = kGetters,
                                                 .constructor = &kConstructor});
  take_type_arguments(state.dtype);
  for (int i = 0; i < rt::kTypeCodes; ++i) {
    state.dtype_types[i] = state.vm.make_type<DTypeObject>(
        {.name = kTypeNames[i], .module = "numpy.dtypes", .base = state.dtype});
  }
}

}  // namespace gpy
