// The type bytearray: its methods beside those of bytes.
#include "src/types/bytearray.h"

#include <algorithm>

#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/bytes.h"

namespace gpy {

static constexpr uint16_t kChanging = 1;  // in an object's flags

bool is_bytearray(const Value& v) { return v.is<Bytes>() && (v.as_object()->flags & kChanging); }

static Ref<Bytes> make(Interpreter& vm, Type* type, std::string data) {
  Ref<Bytes> array = vm.make<Bytes>(type, std::move(data));
  array->flags |= kChanging;
  return array;
}

Value make_bytearray(Interpreter& vm, const Type* type, std::string data) {
  for (Type* base : type->mro) {
    if (!base->is_class) return make(vm, base, std::move(data));
  }
  return Value();
}

static Value construct(Interpreter& vm, Type& cls, const Value& source, const Value& encoding,
                       const Value& errors) {
  return make(vm, &cls, bytes_from_source(vm, source, encoding, errors, "bytearray"));
}

static const Native kConstructor = {"bytearray",
                                    "(cls, source=<b''>, encoding=<omitted>, errors=<omitted>)",
                                    typed<construct>, "A row of bytes that can change."};

static std::string bytearray_repr(Interpreter& vm, const Value& self) {
  return self.as_object()->type->name + "(" + bytes_in_quotes(vm, bytes_of(self)) + ")";
}

// Access to the bytes that counts them again after a change.
class Changing {
 public:
  explicit Changing(const Value& self) : bytes_(*self.as<Bytes>()) {}
  ~Changing() { bytes_.count(); }
  std::string& operator*() { return bytes_.data; }
  std::string* operator->() { return &bytes_.data; }

 private:
  Bytes& bytes_;
};

// --- items ---------------------------------------------------------------------------------------

static int64_t size_of(const Value& self) { return static_cast<int64_t>(bytes_of(self).size()); }

// The bytes to insert: those of bytes, or of an iterable of ints.
static std::string new_items(Interpreter& vm, const Value& items) {
  if (items.is<Bytes>()) return copy_text(vm, bytes_of(items));
  if (!vm.is_iterable(items)) {
    vm.raise_type_error("can't extend bytearray with {}", vm.type_name(items));
  }
  std::string data;
  vm.for_each(items, [&](const Value& item) { append_byte(vm, data, byte_argument(vm, item)); });
  return data;
}

// The remaining bytes are copied, so that an interrupt leaves all of them as they were.
static void delete_slice(Interpreter& vm, std::string& data, Slice::Indices gone) {
  if (gone.length == 0) return;
  if (gone.step < 0) {  // the same places from the other end
    gone.start += (gone.length - 1) * gone.step;
    gone.step = -gone.step;
  }
  const auto start = static_cast<size_t>(gone.start), step = static_cast<size_t>(gone.step);
  const auto length = static_cast<size_t>(gone.length);
  if (step == 1) {
    data.erase(start, length);
    return;
  }
  std::string kept;
  kept.reserve(data.size() - length);
  append_bytes(vm, kept, std::string_view(data).substr(0, start));
  in_pieces(vm, data.size() - start, [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      if (i % step != 0 || i / step >= length) kept.push_back(data[start + i]);
    }
  });
  data = std::move(kept);
}

static void set_slice(Interpreter& vm, const Value& self, const Slice& slice, std::string data) {
  auto indices = slice_indices(vm, slice, self, bytes_length);
  auto start = static_cast<size_t>(indices.start), length = static_cast<size_t>(indices.length);
  if (indices.step == 1) {
    make_room(vm, bytes_of(self), data.size());
    Changing(self)->replace(start, length, data);
    return;
  }
  if (data.empty()) return delete_slice(vm, bytes_of(self), indices);
  if (data.size() != length) {
    vm.raise_value_error("attempt to assign bytes of size {} to extended slice of size {}",
                         data.size(), length);
  }
  for (size_t i = 0; i < length; ++i) {
    int64_t at = indices.start + static_cast<int64_t>(i) * indices.step;
    bytes_of(self)[static_cast<size_t>(at)] = data[i];
  }
}

static void bytearray_setitem(Interpreter& vm, const Value& self, const Value& key,
                              const Value& item) {
  if (const Slice* slice = key.try_as<Slice>()) {
    if (vm.has_index(item) || item.is<Str>() || !vm.is_iterable(item)) {
      vm.raise_type_error("can assign only bytes, buffers, or iterables of ints in range(0, 256)");
    }
    return set_slice(vm, self, *slice, new_items(vm, item));
  }
  char byte = byte_argument(vm, item);
  int64_t at = sequence_index(vm, key, self, bytes_length, kBytearrayWords);
  bytes_of(self)[static_cast<size_t>(at)] = byte;
}

static void bytearray_delitem(Interpreter& vm, const Value& self, const Value& key) {
  const Slice* slice = key.try_as<Slice>();
  if (!slice) {
    int64_t at = sequence_index(vm, key, self, bytes_length, kBytearrayWords);
    bytes_of(self).erase(static_cast<size_t>(at), 1);
    return;
  }
  delete_slice(vm, bytes_of(self), slice_indices(vm, *slice, self, bytes_length));
}

static Value lengthen(Interpreter& vm, const Value& self, const Value& more) {
  if (!more.is<Bytes>()) {
    vm.raise_type_error("can't concat {} to {}", vm.type_name(more), vm.type_name(self));
  }
  append_bytes(vm, *Changing(self), copy_text(vm, bytes_of(more)));
  return self;
}

static Value repeat(Interpreter& vm, const Value& self, const Value& times) {
  size_t count = repeat_count(vm, times, bytes_of(self).size(), 1);
  std::string repeated = zero_bytes(vm, bytes_of(self).size() * count);
  repeat_bytes(vm, repeated.data(), bytes_of(self), count);
  *Changing(self) = std::move(repeated);
  return self;
}

static Value bytearray_inplace(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op != BinaryOp::add && op != BinaryOp::multiply) return Value::not_implemented();
  Value answer = let_other_answer(vm, op, lhs, rhs, rhs);
  if (answer.is_defined()) return answer;
  return op == BinaryOp::add ? lengthen(vm, lhs, rhs) : repeat(vm, lhs, rhs);
}

// --- methods -------------------------------------------------------------------------------------

// A call by name does not ask the other operand for its own result.
static Value bytearray_iadd(Interpreter& vm, const Value& self, const Value& value) {
  return lengthen(vm, self, value);
}
static Value bytearray_imul(Interpreter& vm, const Value& self, const Value& value) {
  return repeat(vm, self, value);
}

static Value bytearray_append(Interpreter& vm, const Value& self, const Value& item) {
  append_byte(vm, *Changing(self), byte_argument(vm, item));
  return Value::none();
}

static Value bytearray_extend(Interpreter& vm, const Value& self, const Value& items) {
  std::string more = new_items(vm, items);
  append_bytes(vm, *Changing(self), more);
  return Value::none();
}

static Value bytearray_insert(Interpreter& vm, const Value& self, const Value& index,
                              const Value& item) {
  char byte = byte_argument(vm, item);
  Value position = vm.to_index_value(index);
  int64_t at = clip_bound(vm, position, size_of(self));
  make_room(vm, bytes_of(self), 1);
  Changing(self)->insert(static_cast<size_t>(at), 1, byte);
  return Value::none();
}

static Value bytearray_pop(Interpreter& vm, Bytes& self, int64_t index) {
  const auto size = static_cast<int64_t>(self.data.size());
  if (size == 0) vm.raise_index_error("pop from empty bytearray");
  const int64_t at = index < 0 ? index + size : index;
  if (at < 0 || at >= size) vm.raise_index_error("pop index out of range");
  auto byte = static_cast<unsigned char>(self.data[static_cast<size_t>(at)]);
  self.data.erase(static_cast<size_t>(at), 1);
  return Value::integer(byte);
}

static Value bytearray_remove(Interpreter& vm, Bytes& self, const Value& value) {
  size_t at = self.data.find(byte_argument(vm, value));
  if (at == std::string::npos) vm.raise_value_error("value not found in bytearray");
  self.data.erase(at, 1);
  return Value::none();
}

static Value bytearray_clear(Interpreter&, const Value& self) {
  *Changing(self) = std::string();
  return Value::none();
}

static Value bytearray_copy(Interpreter& vm, const Value& self) {
  return bytes_like(vm, self, copy_text(vm, bytes_of(self)));
}

static Value bytearray_reverse(Interpreter& vm, Bytes& self) {
  std::string& data = self.data;
  std::string turned;
  turned.reserve(data.size());
  in_pieces(vm, data.size(), [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) turned.push_back(data[data.size() - 1 - i]);
  });
  data = std::move(turned);
  return Value::none();
}

static const Native kMethods[] = {
    {"__iadd__", "(self, value, /)", typed<bytearray_iadd>, ""},
    {"__imul__", "(self, value, /)", typed<bytearray_imul>, ""},
    {"append", "(self, item, /)", typed<bytearray_append>, "Adds a byte to the end."},
    {"clear", "(self, /)", typed<bytearray_clear>, "Takes all bytes out."},
    {"copy", "(self, /)", typed<bytearray_copy>, "A new bytearray of the same bytes."},
    {"extend", "(self, iterable_of_ints, /)", typed<bytearray_extend>, "Adds bytes to the end."},
    {"insert", "(self, index, item, /)", typed<bytearray_insert>, "Puts a byte before a position."},
    {"pop", "(self, index=-1, /)", typed<bytearray_pop>, "Takes a byte out, by default the last."},
    {"remove", "(self, value, /)", typed<bytearray_remove>, "Takes the first such byte out."},
    {"reverse", "(self, /)", typed<bytearray_reverse>, "Turns the order round."},
};

void setup_bytearray(Interpreter& vm) {
  Type* type = vm.make_type<Bytes>({.name = "bytearray",
                                    .doc = "A row of bytes that can change.",
                                    .slots = {.repr = bytearray_repr,
                                              .compare = bytes_compare,
                                              .length = bytes_length,
                                              .getitem = bytes_getitem,
                                              .setitem = bytearray_setitem,
                                              .delitem = bytearray_delitem,
                                              .contains = bytes_contains,
                                              .iter = bytes_iter,
                                              .binary = bytes_binary,
                                              .inplace = bytearray_inplace},
                                    .constructor = &kConstructor,
                                    .is_final = false});
  type->methods = {bytes_search_methods(), bytes_split_methods(),   bytes_case_methods(),
                   bytes_layout_methods(), bytes_convert_methods(), kMethods};
  vm.builtins->set(vm.intern("bytearray"), Value(type));
}

}  // namespace gpy
