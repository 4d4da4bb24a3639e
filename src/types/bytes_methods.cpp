#include <algorithm>

#include "src/types/bytes.h"
#include "src/types/sequence.h"
#include "src/types/text_search.h"
#include "src/types/text_codec.h"

namespace gpy {

static std::string_view data_of(const Value& v) { return v.as<Bytes>()->data; }

static std::string_view bytes_argument(Interpreter& vm, const Value& v) {
  if (v.is<Bytes>()) return data_of(v);
  vm.raise_type_error("a bytes-like object is required, not '{}'", vm.type_name(v));
}

static Value bytes_decode(Interpreter& vm, Args args) {
  return vm.str(decode_text(vm, data_of(args[0]),
                            vm.to_text(args[1], "decode() argument 'encoding'"),
                            vm.to_text(args[2], "decode() argument 'errors'")));
}

static Value bytes_hex(Interpreter& vm, Args args) {
  std::string_view separator = args.has(1) ? vm.to_text(args[1], "sep") : std::string_view();
  std::string text;
  for (unsigned char c : data_of(args[0])) {
    if (!text.empty()) text += separator;
    text += fmt::format("{:02x}", c);
  }
  return vm.str(text);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static Value bytes_fromhex(Interpreter& vm, Args args) {
  std::string_view text = vm.to_text(args[1], "fromhex() argument");
  std::string data;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    int high = hex_digit(text[i]), low = i + 1 < text.size() ? hex_digit(text[i + 1]) : -1;
    if (high < 0 || low < 0) {
      vm.raise_value_error("non-hexadecimal number found in fromhex() arg at position {}",
                           high < 0 ? i : i + 1);
    }
    data.push_back(static_cast<char>(high * 16 + low));
    ++i;
  }
  return vm.bytes(std::move(data));
}

// What to look for: bytes, or one byte as an int.
static std::string wanted_bytes(Interpreter& vm, const Value& v) {
  if (v.is<Bytes>()) return std::string(data_of(v));
  if (!vm.has_index(v)) {
    vm.raise_type_error("argument should be integer or bytes-like object, not '{}'",
                        vm.type_name(v));
  }
  int64_t byte = vm.to_index(v);
  if (byte < 0 || byte > 255) vm.raise_value_error("byte must be in range(0, 256)");
  return std::string(1, static_cast<char>(byte));
}

static int64_t find(Interpreter& vm, Args args) {
  std::string_view data = data_of(args[0]);
  std::string wanted = wanted_bytes(vm, args[1]);
  Bounds bounds = search_bounds(vm, args[2], args[3], static_cast<int64_t>(data.size()));
  if (bounds.start > bounds.stop) return -1;
  size_t at = find_text(data.substr(0, static_cast<size_t>(bounds.stop)), wanted,
                        static_cast<size_t>(bounds.start));
  return at == data.npos ? -1 : static_cast<int64_t>(at);
}

static Value bytes_find(Interpreter& vm, Args args) { return Value::integer(find(vm, args)); }

static Value bytes_index(Interpreter& vm, Args args) {
  int64_t at = find(vm, args);
  if (at < 0) vm.raise_value_error("subsection not found");
  return Value::integer(at);
}

static Value bytes_count(Interpreter& vm, Args args) {
  std::string_view data = data_of(args[0]);
  std::string wanted = wanted_bytes(vm, args[1]);
  if (wanted.empty()) return Value::integer(static_cast<int64_t>(data.size()) + 1);
  int64_t count = 0;
  for (size_t at = find_text(data, wanted); at != data.npos;
       at = find_text(data, wanted, at + wanted.size())) {
    ++count;
    vm.poll();
  }
  return Value::integer(count);
}

static Value bytes_startswith(Interpreter& vm, Args args) {
  return Value::boolean(data_of(args[0]).starts_with(bytes_argument(vm, args[1])));
}
static Value bytes_endswith(Interpreter& vm, Args args) {
  return Value::boolean(data_of(args[0]).ends_with(bytes_argument(vm, args[1])));
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static Value bytes_strip(Interpreter& vm, Args args) {
  std::string_view data = data_of(args[0]);
  std::string_view set =
      args[1].is_none() ? std::string_view(" \t\n\v\f\r") : bytes_argument(vm, args[1]);
  size_t begin = std::min(data.find_first_not_of(set), data.size());
  size_t end = data.find_last_not_of(set) + 1;
  return vm.bytes(std::string(data.substr(begin, std::max(begin, end) - begin)));
}

static std::vector<Value> split_at_spaces(Interpreter& vm, std::string_view data) {
  std::vector<Value> parts;
  for (size_t at = 0; at < data.size();) {
    if (is_space(data[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < data.size() && !is_space(data[end])) ++end;
    parts.push_back(vm.bytes(std::string(data.substr(at, end - at))));
    at = end;
  }
  return parts;
}

static Value bytes_split(Interpreter& vm, Args args) {
  std::string_view data = data_of(args[0]);
  if (args[1].is_none()) return vm.list(split_at_spaces(vm, data));
  std::string_view separator = bytes_argument(vm, args[1]);
  if (separator.empty()) vm.raise_value_error("empty separator");
  std::vector<Value> parts;
  int64_t most = vm.to_index(args[2]);
  size_t at = 0;
  for (size_t next = data.find(separator); next != data.npos && most != 0; --most) {
    parts.push_back(vm.bytes(std::string(data.substr(at, next - at))));
    at = next + separator.size();
    next = find_text(data, separator, at);
    vm.poll();
  }
  parts.push_back(vm.bytes(std::string(data.substr(at))));
  return vm.list(std::move(parts));
}

static Value bytes_join(Interpreter& vm, Args args) {
  std::string joined;
  size_t position = 0;
  vm.for_each(args[1], [&](const Value& item) {
    if (!item.is<Bytes>()) {
      vm.raise_type_error("sequence item {}: expected a bytes-like object, {} found", position,
                          vm.type_name(item));
    }
    if (position++ > 0) joined += data_of(args[0]);
    joined += data_of(item);
  });
  return vm.bytes(std::move(joined));
}

static Value bytes_replace(Interpreter& vm, Args args) {
  std::string_view data = data_of(args[0]), old = bytes_argument(vm, args[1]);
  std::string_view with = bytes_argument(vm, args[2]);
  if (old.empty()) vm.raise_value_error("empty bytes cannot be replaced");
  std::string result;
  size_t at = 0;
  for (size_t next = find_text(data, old); next != data.npos; next = find_text(data, old, at)) {
    vm.poll();
    result += data.substr(at, next - at);
    result += with;
    at = next + old.size();
  }
  return vm.bytes(result += data.substr(at));
}

static Value mapped(Interpreter& vm, std::string_view data, char first, char last) {
  std::string result(data);
  for (char& c : result) {
    if (c >= first && c <= last) c = static_cast<char>(c ^ 0x20);
  }
  return vm.bytes(std::move(result));
}

static Value bytes_upper(Interpreter& vm, Args args) {
  return mapped(vm, data_of(args[0]), 'a', 'z');
}
static Value bytes_lower(Interpreter& vm, Args args) {
  return mapped(vm, data_of(args[0]), 'A', 'Z');
}

static const Native kMethods[] = {
    {"count", "(self, sub, /)", bytes_count, "How often bytes occur, without overlap."},
    {"decode", "(self, /, encoding='utf-8', errors='strict')", bytes_decode, "As text."},
    {"endswith", "(self, suffix, /)", bytes_endswith, "Whether it ends with bytes."},
    {"find", "(self, sub, start=<0>, end=<end>, /)", bytes_find,
     "The first position of bytes, or -1."},
    {"fromhex", "(cls, string, /)", bytes_fromhex, "The bytes that hexadecimal digits write.",
     Native::class_method},
    {"hex", "(self, sep=<omitted>)", bytes_hex, "In hexadecimal digits."},
    {"index", "(self, sub, start=<0>, end=<end>, /)", bytes_index,
     "The first position of bytes; or ValueError."},
    {"join", "(self, iterable, /)", bytes_join,
     "All bytes of an iterable with these between them."},
    {"lower", "(self, /)", bytes_lower, "ASCII letters in lower case."},
    {"replace", "(self, old, new, /)", bytes_replace, "With some bytes put for others."},
    {"split", "(self, /, sep=None, maxsplit=-1)", bytes_split, "The parts between separators."},
    {"startswith", "(self, prefix, /)", bytes_startswith, "Whether it starts with bytes."},
    {"strip", "(self, bytes=None, /)", bytes_strip,
     "Without white space, or such bytes, at both ends."},
    {"upper", "(self, /)", bytes_upper, "ASCII letters in upper case."},
};

std::span<const Native> bytes_methods() { return kMethods; }

}  // namespace gpy
