// Finding and replacing within bytes.
#include "src/memory/pieces.h"
#include "src/types/bytes.h"
#include "src/types/sequence.h"
#include "src/types/text_search.h"

namespace gpy {

// What to look for: bytes, or one byte as an int.
static std::string wanted_bytes(Interpreter& vm, const Value& v) {
  if (v.is<Bytes>()) return bytes_of(v);
  if (vm.has_index(v)) return std::string(1, byte_argument(vm, v));
  vm.raise_type_error("argument should be integer or bytes-like object, not '{}'", vm.type_name(v));
}

namespace {

// The part between search bounds, and where it begins.
struct Window {
  std::string_view data;
  int64_t offset;
  bool empty;  // start beyond the end: not even b"" is found
};

}  // namespace

static Window window(Interpreter& vm, Args args) {
  auto length = static_cast<int64_t>(bytes_of(args[0]).size());
  bool beyond = starts_beyond(vm, args[2], length);
  Bounds bounds = search_bounds(vm, args[2], args[3], length);
  std::string_view data = bytes_of(args[0]);  // a bound's __index__ may have changed it
  auto first = static_cast<size_t>(bounds.start);
  if (bounds.start > bounds.stop || beyond || first > data.size()) return {{}, 0, true};
  return {data.substr(first, static_cast<size_t>(bounds.stop) - first), bounds.start, false};
}

static int64_t find(Interpreter& vm, Args args, Direction direction) {
  std::string wanted = wanted_bytes(vm, args[1]);
  Window in = window(vm, args);
  if (in.empty) return -1;
  size_t at = find_text(vm, in.data, wanted, direction);
  return at == in.data.npos ? -1 : in.offset + static_cast<int64_t>(at);
}

static Value bytes_find(Interpreter& vm, Args args) {
  return Value::integer(find(vm, args, Direction::forward));
}
static Value bytes_rfind(Interpreter& vm, Args args) {
  return Value::integer(find(vm, args, Direction::backward));
}

static Value found(Interpreter& vm, int64_t at) {
  if (at < 0) vm.raise_value_error("subsection not found");
  return Value::integer(at);
}

static Value bytes_index(Interpreter& vm, Args args) {
  return found(vm, find(vm, args, Direction::forward));
}
static Value bytes_rindex(Interpreter& vm, Args args) {
  return found(vm, find(vm, args, Direction::backward));
}

static Value bytes_count(Interpreter& vm, Args args) {
  std::string wanted = wanted_bytes(vm, args[1]);
  Window in = window(vm, args);
  if (in.empty) return Value::integer(0);
  if (wanted.empty()) return Value::integer(static_cast<int64_t>(in.data.size()) + 1);
  return Value::integer(count_text(vm, in.data, wanted));
}

// --- the ends ------------------------------------------------------------------------------------

template <class Matches>
static Value matches_any(Interpreter& vm, Args args, const char* method, Matches&& matches) {
  const Value& wanted = args[1];
  Window in = window(vm, args);
  if (wanted.is<Bytes>()) return Value::boolean(!in.empty && matches(in.data, bytes_of(wanted)));
  Tuple* choices = wanted.try_as<Tuple>();
  if (!choices) {
    vm.raise_type_error("{} first arg must be bytes or a tuple of bytes, not {}", method,
                        vm.type_name(wanted));
  }
  for (const Value& choice : choices->items()) {
    std::string_view part = bytes_argument(vm, choice);
    if (!in.empty && matches(in.data, part)) return Value::boolean(true);
  }
  return Value::boolean(false);
}

static Value bytes_startswith(Interpreter& vm, Args args) {
  return matches_any(vm, args, "startswith", [](std::string_view data, std::string_view part) {
    return data.starts_with(part);
  });
}

static Value bytes_endswith(Interpreter& vm, Args args) {
  return matches_any(vm, args, "endswith", [](std::string_view data, std::string_view part) {
    return data.ends_with(part);
  });
}

static Value bytes_removeprefix(Interpreter& vm, Args args) {
  std::string_view data = bytes_of(args[0]), part = bytes_argument(vm, args[1]);
  if (data.starts_with(part)) data.remove_prefix(part.size());
  return bytes_unless_same(vm, args[0], data);
}

static Value bytes_removesuffix(Interpreter& vm, Args args) {
  std::string_view data = bytes_of(args[0]), part = bytes_argument(vm, args[1]);
  if (data.ends_with(part)) data.remove_suffix(part.size());
  return bytes_unless_same(vm, args[0], data);
}

// --- replace -------------------------------------------------------------------------------------

// Puts `with` before each byte and at the end.
static std::string interleaved(Interpreter& vm, std::string_view data, std::string_view with,
                               int64_t most) {
  std::string result;
  Heed heed(vm);
  for (char c : data) {
    heed.step();
    if (most-- > 0) append_bytes(vm, result, with);
    append_byte(vm, result, c);
  }
  if (most > 0) append_bytes(vm, result, with);
  return result;
}

static Value bytes_replace(Interpreter& vm, Args args) {
  int64_t most = vm.to_index(args[3]);
  if (most < 0) most = INT64_MAX;
  std::string_view data = bytes_of(args[0]), old = bytes_argument(vm, args[1]);
  std::string_view with = bytes_argument(vm, args[2]);
  if (old.empty()) return bytes_like(vm, args[0], interleaved(vm, data, with, most));
  return bytes_like(vm, args[0], replace_text(vm, data, old, with, most));
}

static const Native kMethods[] = {
    {"count", "(self, sub, start=<0>, end=<end>, //)", bytes_count,
     "How often bytes occur, without overlap."},
    {"endswith", "(self, suffix, start=<0>, end=<end>, //)", bytes_endswith,
     "Whether it ends with bytes, or with one of a tuple."},
    {"find", "(self, sub, start=<0>, end=<end>, //)", bytes_find,
     "The first position of bytes, -1 if there is none."},
    {"index", "(self, sub, start=<0>, end=<end>, //)", bytes_index,
     "The first position of bytes; ValueError if there is none."},
    {"removeprefix", "(self, prefix, /)", bytes_removeprefix, "Without some bytes at the start."},
    {"removesuffix", "(self, suffix, /)", bytes_removesuffix, "Without some bytes at the end."},
    {"replace", "(self, old, new, count=-1, /)", bytes_replace, "With some bytes put for others."},
    {"rfind", "(self, sub, start=<0>, end=<end>, //)", bytes_rfind,
     "The last position of bytes, -1 if there is none."},
    {"rindex", "(self, sub, start=<0>, end=<end>, //)", bytes_rindex,
     "The last position of bytes; ValueError if there is none."},
    {"startswith", "(self, prefix, start=<0>, end=<end>, //)", bytes_startswith,
     "Whether it starts with bytes, or with one of a tuple."},
};

std::span<const Native> bytes_search_methods() { return kMethods; }

}  // namespace gpy
