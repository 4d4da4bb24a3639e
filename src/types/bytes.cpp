// The type bytes: its slots, construction and iterator.
#include "src/types/bytes.h"

#include "src/number.h"
#include "src/types/sequence.h"
#include "src/types/setup.h"
#include "src/types/text_codec.h"

namespace gpy {

static const SequenceWords kWords = {"byte indices must be integers or slices",
                                     "index out of range"};

static const std::string& data_of(const Value& v) { return v.as<Bytes>()->data; }

// --- bytes(...) ----------------------------------------------------------------------------------

static std::string zeros(Interpreter& vm, const Value& count) {
  Value size = vm.to_index_value(count);
  if (!size.is_integer()) {
    vm.raise_overflow_error("cannot fit 'int' into an index-sized integer");
  }
  if (size.as_integer() < 0) vm.raise_value_error("negative count");
  vm.claim(static_cast<size_t>(size.as_integer()), 2);
  return std::string(static_cast<size_t>(size.as_integer()), '\0');
}

static std::string from_items(Interpreter& vm, const Value& iterable) {
  std::string data;
  vm.for_each(iterable, [&](const Value& item) {
    int64_t byte = vm.to_index(item);
    if (byte < 0 || byte > 255) vm.raise_value_error("bytes must be in range(0, 256)");
    data.push_back(static_cast<char>(byte));
  });
  return data;
}

static Value make_bytes(Interpreter& vm, Args args) {
  const Value& source = args[1];
  if (!args.has(1)) return vm.bytes("");
  if (const Str* text = source.try_as<Str>()) {
    if (!args.has(2)) vm.raise_type_error("string argument without an encoding");
    return vm.bytes(
        encode_text(vm, text->view(), vm.to_text(args[2], "bytes() argument 'encoding'"),
                    args.has(3) ? vm.to_text(args[3], "bytes() argument 'errors'") : "strict"));
  }
  if (args.has(2)) vm.raise_type_error("encoding without a string argument");
  if (source.is<Bytes>()) return source;
  bool countable = vm.type_of(source)->slots.iter == nullptr && vm.has_index(source);
  if (!countable && !vm.type_of(source)->slots.iter) {
    vm.raise_type_error("cannot convert '{}' object to bytes", vm.type_name(source));
  }
  return vm.bytes(countable ? zeros(vm, source) : from_items(vm, source));
}

static const Native kConstructor = {"bytes",
                                    "(cls, source=<omitted>, encoding=<omitted>, errors=<omitted>)",
                                    make_bytes, "A row of bytes that does not change."};

// --- slots ---------------------------------------------------------------------------------------

static std::string bytes_repr(Interpreter&, const Value& self) {
  const std::string& data = data_of(self);
  bool single = data.find('\'') != data.npos && data.find('"') == data.npos;
  char quote = single ? '"' : '\'';
  std::string text = {'b', quote};
  for (unsigned char c : data) {
    if (c == static_cast<unsigned char>(quote) || c == '\\') {
      text += {'\\', static_cast<char>(c)};
    } else if (c == '\n' || c == '\r' || c == '\t') {
      text += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (c < ' ' || c > 126) {
      text += fmt::format("\\x{:02x}", c);
    } else {
      text.push_back(static_cast<char>(c));
    }
  }
  return text += quote;
}

static int64_t bytes_hash(Interpreter&, const Value& self) { return hash_bytes(data_of(self)); }

static Value bytes_compare(Interpreter&, CompareOp op, const Value& self, const Value& other) {
  if (!other.is<Bytes>()) return Value::not_implemented();
  return comparison(op, data_of(self).compare(data_of(other)));
}

static int64_t bytes_length(Interpreter&, const Value& self) {
  return static_cast<int64_t>(data_of(self).size());
}

static Value byte_at(const Value& self, int64_t i) {
  return Value::integer(static_cast<unsigned char>(data_of(self)[static_cast<size_t>(i)]));
}

static Value bytes_getitem(Interpreter& vm, const Value& self, const Value& key) {
  const Slice* slice = key.try_as<Slice>();
  if (!slice) return byte_at(self, sequence_index(vm, key, bytes_length(vm, self), kWords));
  auto indices = slice->indices(vm, bytes_length(vm, self));
  std::string part;
  for (int64_t i = 0; i < indices.length; ++i) {
    part.push_back(data_of(self)[static_cast<size_t>(indices.start + i * indices.step)]);
  }
  return vm.bytes(std::move(part));
}

static bool bytes_contains(Interpreter& vm, const Value& self, const Value& item) {
  if (item.is<Bytes>()) return data_of(self).find(data_of(item)) != std::string::npos;
  if (!is_int(item)) {
    vm.raise_type_error("a bytes-like object is required, not '{}'", vm.type_name(item));
  }
  int64_t byte = vm.to_index(item);
  if (byte < 0 || byte > 255) vm.raise_value_error("byte must be in range(0, 256)");
  return data_of(self).find(static_cast<char>(byte)) != std::string::npos;
}

static Value bytes_add(Interpreter& vm, const Value& lhs, const Value& rhs) {
  if (!lhs.is<Bytes>()) return Value::not_implemented();
  if (!rhs.is<Bytes>()) vm.raise_type_error("can't concat {} to bytes", vm.type_name(rhs));
  return vm.bytes(data_of(lhs) + data_of(rhs));
}

static Value bytes_multiply(Interpreter& vm, const Value& lhs, const Value& rhs) {
  const Value& bytes = lhs.is<Bytes>() ? lhs : rhs;
  size_t count = repeat_count(vm, lhs.is<Bytes>() ? rhs : lhs, data_of(bytes).size(), 1);
  std::string repeated(data_of(bytes).size() * count, 0);
  repeat_bytes(vm, repeated.data(), data_of(bytes), count);
  return vm.bytes(std::move(repeated));
}

static Value bytes_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op == BinaryOp::add) return bytes_add(vm, lhs, rhs);
  if (op == BinaryOp::multiply) return bytes_multiply(vm, lhs, rhs);
  return Value::not_implemented();
}

// --- the iterator --------------------------------------------------------------------------------

namespace {

struct BytesIterator : Object {
  static constexpr Layout kLayout = Layout::native_iterator;
  BytesIterator(Type* type, Value bytes) : Object(type), bytes(std::move(bytes)) {}
  Value bytes;
  int64_t next = 0;
};

}  // namespace

static Value bytes_iter(Interpreter& vm, const Value& self) {
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
                                        .methods = bytes_methods(),
                                        .constructor = &kConstructor,
                                        .is_final = false});
  vm.types.bytes_iterator = vm.make_type<BytesIterator>(
      {.name = "bytes_iterator", .slots = {.iter = iterator_itself, .next = bytes_iterator_next}});
}

}  // namespace gpy
