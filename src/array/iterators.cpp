#include "src/array/iterators.h"

#include "runtime/ops/element.h"
#include "runtime/ops/shape.h"
#include "src/array/convert.h"
#include "src/array/indexing.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

struct Flags : Object {
  static constexpr ObjectLayout kLayout = kFlagsLayout;
  Flags(Type* type, Value array) : Object(type), array(std::move(array)) {}
  Value array;
};

Value itself(Interpreter&, const Value& self) { return self; }

Value next_item(Interpreter& vm, const Value& self) {
  auto* iterator = self.as<ArrayIterator>();
  const rt::Array& array = as_ndarray(iterator->array)->array;
  if (iterator->next >= array.shape()[0]) return Value();
  if (array.rank() == 1 && array.space().is_host()) {
    const std::byte* element = rt::try_find_element(array, {&iterator->next, 1});
    if (element) return ++iterator->next, wrap_element(vm, array.dtype(), element);
  }
  return array_getitem(vm, iterator->array, Value::integer(iterator->next++));
}

// --- .flags --------------------------------------------------------------------------------------

struct FlagRow {
  const char* name;
  const char* attribute;
  bool (*get)(const Ndarray&);
};
const FlagRow kFlags[] = {
    {"C_CONTIGUOUS", "c_contiguous",
     [](const Ndarray& a) { return rt::is_c_contiguous(a.array.layout()); }},
    {"F_CONTIGUOUS", "f_contiguous",
     [](const Ndarray& a) { return rt::is_f_contiguous(a.array.layout()); }},
    {"OWNDATA", "owndata", [](const Ndarray& a) { return a.owner.is_none(); }},
    {"WRITEABLE", "writeable", [](const Ndarray& a) { return a.array.writeable(); }},
    {"ALIGNED", "aligned", [](const Ndarray&) { return true; }},
    {"WRITEBACKIFCOPY", "writebackifcopy", [](const Ndarray&) { return false; }},
};

bool is_only_f(const Ndarray& a) {
  return rt::is_f_contiguous(a.array.layout()) && !rt::is_c_contiguous(a.array.layout());
}

// What is told of several flags together; repr does not show it.
struct CombinedFlag {
  std::string_view name, letters;
  bool (*get)(const Ndarray& array);
};

const CombinedFlag kCombined[] = {
    {"BEHAVED", "B", [](const Ndarray& a) { return a.array.writeable(); }},
    {"CARRAY", "CA",
     [](const Ndarray& a) { return a.array.writeable() && rt::is_c_contiguous(a.array.layout()); }},
    // NumPy has it of all arrays that are not C contiguous.
    {"FARRAY", "FA", [](const Ndarray& a) { return !rt::is_c_contiguous(a.array.layout()); }},
    {"FNC", "FNC", is_only_f},
    {"FORC", "FORC",
     [](const Ndarray& a) {
       return rt::is_f_contiguous(a.array.layout()) || rt::is_c_contiguous(a.array.layout());
     }},
};

const Ndarray& flagged(const Value& self) { return *as_ndarray(self.as<Flags>()->array); }

std::string flags_repr(Interpreter&, const Value& self) {
  std::string text;
  for (const FlagRow& row : kFlags) {
    text += fmt::format("  {} : {}\n", row.name, row.get(flagged(self)) ? "True" : "False");
  }
  return text;
}

Value flags_getitem(Interpreter& vm, const Value& self, const Value& key) {
  const std::string_view name = vm.to_text(key, "flag");
  for (const FlagRow& row : kFlags) {
    const char letter = row.get == kFlags[5].get ? 'X' : row.name[0];
    if (name == row.name || (name.size() == 1 && name[0] == letter)) {
      return Value::boolean(row.get(flagged(self)));
    }
  }
  for (const CombinedFlag& row : kCombined) {
    if (name == row.name || name == row.letters) return Value::boolean(row.get(flagged(self)));
  }
  vm.raise_key_error(vm.str("Unknown flag"));
}

template <int kRow> Value flag(Interpreter&, const Value& self) {
  return Value::boolean(kFlags[kRow].get(flagged(self)));
}

// True for a view of a writable array, and for an array that was set to read-only itself.
bool may_be_writeable(const Ndarray& array) {
  const Ndarray* owner = as_ndarray(array.owner);
  return owner ? owner->array.writeable() : array.frozen;
}

void set_writeable(Interpreter& vm, const Value& self, const Value& item) {
  Ndarray& found = *as_ndarray(self.as<Flags>()->array);
  rt::Array& array = found.array;
  const bool writeable = vm.truth(item);
  if (writeable == array.writeable()) return;
  if (writeable && !may_be_writeable(found)) {
    vm.raise_value_error("cannot set WRITEABLE flag to True of this array");
  }
  array =
      writeable ? rt::Array(array.storage_ref(), array.layout(), array.space()) : array.read_only();
  found.frozen = !writeable;
}

void set_aligned(Interpreter& vm, const Value&, const Value& item) {
  if (!vm.truth(item)) vm.raise_value_error("ALIGNED: the elements of gpy's arrays always are");
}

void set_writebackifcopy(Interpreter& vm, const Value&, const Value& item) {
  if (vm.truth(item)) vm.raise_value_error("cannot set WRITEBACKIFCOPY flag to True");
}

void flags_setitem(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  const std::string_view name = vm.to_text(key, "flag");
  if (name == "W" || name == "WRITEABLE") return set_writeable(vm, self, item);
  if (name == "A" || name == "ALIGNED") return set_aligned(vm, self, item);
  if (name == "X" || name == "WRITEBACKIFCOPY") return set_writebackifcopy(vm, self, item);
  vm.raise_key_error(vm.str("Unknown flag"));
}

template <int kRow> Value combined(Interpreter&, const Value& self) {
  return Value::boolean(kCombined[kRow].get(flagged(self)));
}

// NumPy's bits of the flags.
int bits_of(const Value& self) {
  constexpr int kBits[] = {0x1, 0x2, 0x4, 0x400, 0x100, 0x2000};
  int bits = 0;
  for (size_t i = 0; i < std::size(kFlags); ++i) {
    if (kFlags[i].get(flagged(self))) bits |= kBits[i];
  }
  return bits;
}

Value flag_bits(Interpreter&, const Value& self) { return Value::integer(bits_of(self)); }

Value flags_compare(Interpreter&, CompareOp op, const Value& self, const Value& other) {
  const bool tests = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!tests || !other.is<Flags>()) return Value::not_implemented();
  return Value::boolean((bits_of(self) == bits_of(other)) == (op == CompareOp::equal));
}

const NativeGetter kFlagGetters[] = {
    {"c_contiguous", flag<0>, nullptr, "Rows one after another."},
    {"f_contiguous", flag<1>, nullptr, "Columns one after another."},
    {"owndata", flag<2>, nullptr, "Not a view."},
    {"writeable", flag<3>, set_writeable, "May be assigned to."},
    {"aligned", flag<4>, set_aligned, "True."},
    {"writebackifcopy", flag<5>, set_writebackifcopy, "False."},
    {"behaved", combined<0>, nullptr, "Aligned and writeable."},
    {"carray", combined<1>, nullptr, "Behaved, and rows one after another."},
    {"farray", combined<2>, nullptr, "Aligned, and not rows one after another."},
    {"fnc", combined<3>, nullptr, "Only columns one after another."},
    {"forc", combined<4>, nullptr, "Rows or columns one after another."},
    {"num", flag_bits, nullptr, "The flags as NumPy's bits."},
    {"contiguous", flag<0>, nullptr, "As c_contiguous."},
    {"fortran", flag<1>, nullptr, "As f_contiguous."},
};

}  // namespace

Value make_array_iterator(Interpreter& vm, const Value& array) {
  if (as_ndarray(array)->array.rank() == 0) vm.raise_type_error("iteration over a 0-d array");
  return vm.make<ArrayIterator>(arrays(vm).array_iterator, array);
}

Value make_flags(Interpreter& vm, const Value& array) {
  return vm.make<Flags>(arrays(vm).flags, array);
}

void setup_array_iterators(Arrays& state) {
  Interpreter& vm = state.vm;
  state.array_iterator = vm.make_type<ArrayIterator>(
      {.name = "iterator", .slots = {.iter = itself, .next = next_item}});
  setup_flat_iterator(state);
  state.flags = vm.make_type<Flags>({.name = "flagsobj",
                                     .module = "numpy",
                                     .slots = {.repr = flags_repr,
                                               .compare = flags_compare,
                                               .getitem = flags_getitem,
                                               .setitem = flags_setitem},
                                     .getters = kFlagGetters});
}

}  // namespace gpy
