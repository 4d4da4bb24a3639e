// The type bytes: its slots, construction and iterator.
#include "src/types/bytes.h"

#include "src/classes/class_slots.h"
#include "src/text/format.h"
#include "src/numbers/number.h"
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/bytearray.h"
#include "src/types/setup.h"
#include "src/types/text_codec.h"
#include "src/types/text_search.h"

namespace gpy {

// --- what both types share -----------------------------------------------------------------------

Value bytes_like(Interpreter& vm, const Value& self, std::string data) {
  if (!is_bytearray(self)) return vm.bytes(std::move(data));
  return make_bytearray(vm, self.as_object()->type, std::move(data));
}

Value bytes_unless_same(Interpreter& vm, const Value& self, std::string_view data) {
  bool same = data.size() == bytes_of(self).size() && vm.type_of(self) == vm.types.bytes;
  return same ? self : bytes_like(vm, self, copy_text(vm, data));
}

std::string_view bytes_argument(Interpreter& vm, const Value& v) {
  if (v.is<Bytes>()) return bytes_of(v);
  vm.raise_type_error("a bytes-like object is required, not '{}'", vm.type_name(v));
}

char byte_argument(Interpreter& vm, const Value& v) {
  Value exact = vm.to_index_value(v);
  bool fits = exact.is_integer() && exact.as_integer() >= 0 && exact.as_integer() < 256;
  if (!fits) vm.raise_value_error("byte must be in range(0, 256)");
  return static_cast<char>(exact.as_integer());
}

// --- bytes(...) ----------------------------------------------------------------------------------

std::string zero_bytes(Interpreter& vm, size_t count) {
  std::string data;
  data.reserve(count);
  append_fill(vm, data, count, '\0');
  return data;
}

static std::string zeros(Interpreter& vm, const Value& count) {
  Value exact = vm.to_index_value(count);
  if (!exact.is_integer()) {
    vm.raise_overflow_error("cannot fit '{}' into an index-sized integer", vm.type_name(count));
  }
  if (exact.as_integer() < 0) vm.raise_value_error("negative count");
  vm.claim(static_cast<size_t>(exact.as_integer()), 2);
  return zero_bytes(vm, static_cast<size_t>(exact.as_integer()));
}

static std::string from_items(Interpreter& vm, const Value& iterable, const char* type_name) {
  std::string data;
  vm.expected_length(iterable);
  vm.for_each(iterable, [&](const Value& item) {
    Value exact = vm.to_index_value(item);
    if (!exact.is_integer() || exact.as_integer() < 0 || exact.as_integer() > 255) {
      const char* what = std::string_view(type_name) == "bytes" ? "bytes" : "byte";
      vm.raise_value_error("{} must be in range(0, 256)", what);
    }
    append_byte(vm, data, static_cast<char>(exact.as_integer()));
  });
  return data;
}

static std::string encoded(Interpreter& vm, const Str& source, const Value& encoding,
                           const Value& errors, const char* type_name) {
  auto text = [&](const Value& v, const char* name, const char* fallback) -> std::string_view {
    if (v.is_undefined()) return fallback;
    return vm.to_text(v, fmt::format("{}() argument '{}'", type_name, name));
  };
  std::string_view codec = text(encoding, "encoding", "utf-8");
  return encode_text(vm, source.view(), codec, text(errors, "errors", "strict"));
}

// Whether the source is a count of zeros: an int, or an array or scalar that is one.
static bool counts_zeros(Interpreter& vm, const Value& source) {
  if (!vm.has_index(source)) return false;
  try {
    vm.to_index_value(source);
    return true;
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.type_error)) throw;
    return false;
  }
}

// The bytes of an object: of an array by tobytes, and for bytes alone of an instance of a class by
// __bytes__. Undefined where it has neither.
static Value own_bytes(Interpreter& vm, const Value& source, bool for_bytes) {
  Type* type = vm.type_of(source);
  if (!type->is_class) {
    if (counts_zeros(vm, source)) return {};
    Value method = vm.try_get_attribute(source, vm.intern("tobytes"));
    return method.is_defined() ? vm.call(method) : Value();
  }
  const Value* method = for_bytes ? find_special(vm, type, "__bytes__") : nullptr;
  if (!method) return {};
  Value data = call_special(vm, Value(*method), source);
  if (data.is<Bytes>() && !is_bytearray(data)) return data;
  vm.raise_type_error("__bytes__ returned non-bytes (type {})", vm.type_name(data));
}

std::string bytes_from_source(Interpreter& vm, const Value& source, const Value& encoding,
                              const Value& errors, const char* type_name) {
  const Str* text = source.try_as<Str>();
  if (encoding.is_defined() || errors.is_defined()) {
    if (text) return encoded(vm, *text, encoding, errors, type_name);
    const char* given = encoding.is_defined() ? "encoding" : "errors";
    vm.raise_type_error("{} without a string argument", given);
  }
  if (source.is_undefined()) return "";
  Value own = own_bytes(vm, source, std::string_view(type_name) == "bytes");
  if (own.is_defined()) return copy_text(vm, bytes_of(own));
  if (text) vm.raise_type_error("string argument without an encoding");
  if (source.is<Bytes>()) return copy_text(vm, bytes_of(source));
  if (counts_zeros(vm, source)) return zeros(vm, source);
  if (!vm.is_iterable(source)) {
    vm.raise_type_error("cannot convert '{}' object to {}", vm.type_name(source), type_name);
  }
  return from_items(vm, source, type_name);
}

static Value make_bytes(Interpreter& vm, Type& cls, const Value& source, const Value& encoding,
                        const Value& errors) {
  bool is_bytes = source.is_defined() && vm.type_of(source) == vm.types.bytes;
  bool is_alone = encoding.is_undefined() && errors.is_undefined();
  if (is_bytes && is_alone && &cls == vm.types.bytes) return source;
  return vm.make<Bytes>(&cls, bytes_from_source(vm, source, encoding, errors, "bytes"));
}

static const Native kConstructor = {"bytes",
                                    "(cls, source=<b''>, encoding=<omitted>, errors=<omitted>)",
                                    typed<make_bytes>, "A row of bytes that does not change."};

// --- slots ---------------------------------------------------------------------------------------

std::string bytes_in_quotes(Interpreter& vm, std::string_view data) {
  bool single = data.find('\'') != data.npos && data.find('"') == data.npos;
  char quote = single ? '"' : '\'';
  std::string text = {'b', quote};
  make_room(vm, text, data.size() + 1);
  InterruptPoll poll(vm);
  for (unsigned char c : data) {
    poll.step();
    if (c == static_cast<unsigned char>(quote) || c == '\\') {
      text += {'\\', static_cast<char>(c)};
    } else if (c == '\n' || c == '\r' || c == '\t') {
      text += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (c < ' ' || c > 126) {
      append_bytes(vm, text, fmt::format("\\x{:02x}", c));
    } else {
      text.push_back(static_cast<char>(c));
    }
  }
  return text += quote;
}

static std::string bytes_repr(Interpreter& vm, const Value& self) {
  return bytes_in_quotes(vm, bytes_of(self));
}

static int64_t bytes_hash(Interpreter&, const Value& self) { return hash_bytes(bytes_of(self)); }

Value bytes_compare(Interpreter&, CompareOp op, const Value& self, const Value& other) {
  if (!other.is<Bytes>()) return Value::not_implemented();
  return Value::boolean(holds(op, bytes_of(self) <=> bytes_of(other)));
}

int64_t bytes_length(Interpreter&, const Value& self) {
  return static_cast<int64_t>(bytes_of(self).size());
}

static Value byte_at(const Value& self, int64_t i) {
  return Value::integer(static_cast<unsigned char>(bytes_of(self)[static_cast<size_t>(i)]));
}

Value bytes_getitem(Interpreter& vm, const Value& self, const Value& key) {
  static constexpr SequenceWords kBytesWords = {"byte indices must be integers or slices",
                                                "index out of range"};
  const SequenceWords& words = is_bytearray(self) ? kBytearrayWords : kBytesWords;
  const Slice* slice = key.try_as<Slice>();
  if (!slice) return byte_at(self, sequence_index(vm, key, self, bytes_length, words));
  auto indices = slice_indices(vm, *slice, self, bytes_length);
  auto start = static_cast<size_t>(indices.start), length = static_cast<size_t>(indices.length);
  if (indices.step == 1) {
    return bytes_like(vm, self,
                      copy_text(vm, std::string_view(bytes_of(self)).substr(start, length)));
  }
  std::string part;
  make_room(vm, part, length);
  InterruptPoll poll(vm);
  for (int64_t i = 0; i < indices.length; ++i) {
    poll.step();
    part.push_back(bytes_of(self)[static_cast<size_t>(indices.start + i * indices.step)]);
  }
  return bytes_like(vm, self, std::move(part));
}

bool bytes_contains(Interpreter& vm, const Value& self, const Value& item) {
  if (item.is<Bytes>()) return find_text(vm, bytes_of(self), bytes_of(item)) != std::string::npos;
  if (!vm.has_index(item)) bytes_argument(vm, item);
  const char byte = byte_argument(vm, item);
  return find_text(vm, bytes_of(self), {&byte, 1}) != std::string::npos;
}

static Value bytes_add(Interpreter& vm, const Value& lhs, const Value& rhs) {
  if (!lhs.is<Bytes>()) return Value::not_implemented();
  if (!rhs.is<Bytes>()) {
    Value answer = let_other_answer(vm, BinaryOp::add, lhs, rhs, rhs);
    if (answer.is_defined()) return answer;
    vm.raise_type_error("can't concat {} to {}", vm.type_name(rhs), vm.type_name(lhs));
  }
  std::string joined;
  make_room(vm, joined, bytes_of(lhs).size() + bytes_of(rhs).size());
  append_bytes(vm, joined, bytes_of(lhs));
  append_bytes(vm, joined, bytes_of(rhs));
  return bytes_like(vm, lhs, std::move(joined));
}

static Value bytes_multiply(Interpreter& vm, const Value& lhs, const Value& rhs) {
  const Value& bytes = lhs.is<Bytes>() ? lhs : rhs;
  const Value& times = lhs.is<Bytes>() ? rhs : lhs;
  Value answer = let_other_answer(vm, BinaryOp::multiply, lhs, rhs, times);
  if (answer.is_defined()) return answer;
  const char* too_long = is_bytearray(bytes) ? nullptr : "repeated bytes are too long";
  size_t count = repeat_count(vm, times, bytes_of(bytes).size(), 1, too_long);
  std::string repeated = zero_bytes(vm, bytes_of(bytes).size() * count);
  repeat_bytes(vm, repeated.data(), bytes_of(bytes), count);
  return bytes_like(vm, bytes, std::move(repeated));
}

Value bytes_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op == BinaryOp::add) return bytes_add(vm, lhs, rhs);
  if (op == BinaryOp::multiply) return bytes_multiply(vm, lhs, rhs);
  if (op == BinaryOp::remainder && lhs.is<Bytes>()) {
    return bytes_like(vm, lhs, format_percent_bytes(vm, bytes_of(lhs), rhs));
  }
  return Value::not_implemented();
}

// --- the iterator --------------------------------------------------------------------------------

namespace {

struct BytesIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  BytesIterator(Type* type, Value bytes) : Object(type), bytes(std::move(bytes)) {}
  Value bytes;
  int64_t next = 0;
};

}  // namespace

Value bytes_iter(Interpreter& vm, const Value& self) {
  return vm.make<BytesIterator>(vm.types.bytes_iterator, self);
}

static Value bytes_iterator_next(Interpreter& vm, const Value& self) {
  auto* it = self.as<BytesIterator>();
  return it->next < bytes_length(vm, it->bytes) ? byte_at(it->bytes, it->next++) : Value();
}

void setup_bytes(Interpreter& vm) {
  vm.types.bytes = vm.make_type<Bytes>({.name = "bytes",
                                        .doc = "A row of bytes that does not change.",
                                        .slots = {.repr = bytes_repr,
                                                  .hash = bytes_hash,
                                                  .compare = bytes_compare,
                                                  .length = bytes_length,
                                                  .getitem = bytes_getitem,
                                                  .contains = bytes_contains,
                                                  .iter = bytes_iter,
                                                  .binary = bytes_binary},
                                        .constructor = &kConstructor,
                                        .is_final = false});
  vm.types.bytes->methods = {bytes_search_methods(), bytes_split_methods(), bytes_case_methods(),
                             bytes_layout_methods(), bytes_convert_methods()};
  vm.types.bytes_iterator = vm.make_type<BytesIterator>(
      {.name = "bytes_iterator", .slots = {.iter = iterator_itself, .next = bytes_iterator_next}});
}

}  // namespace gpy
