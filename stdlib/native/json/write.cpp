// json.dumps: values to text, letter for letter as CPython writes it.
#include <algorithm>
#include <cmath>

#include "src/objects/builtin.h"
#include "src/text/format.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/dict.h"
#include "src/types/list_sort.h"
#include "stdlib/native/json/json.h"

namespace gpy::lib {

namespace {

struct Writer {
  Interpreter& vm;
  bool skip_keys, ensure_ascii, check_circular, allow_nan, sort_keys;
  bool indented = false;
  std::string indent;
  std::string item_separator, key_separator;
  Value fallback;  // default(value)
  std::string text = "";
  std::vector<const Object*> open = {};  // the containers that hold what is being written

  void value(const Value& v);
  void array(std::span<const Value> items);
  void object(Dict& dict);
  void pair(const Value& key, const Value& item, bool& first);
  bool key(const Value& key);
  void real(double number);
  void string(std::string_view s);
  void other(const Value& v);
  // Begins a line for an item, or with `back` of 1 for the closing bracket.
  void new_line(size_t back = 0) {
    if (!indented) return;
    text += '\n';
    for (size_t i = back; i < open.size(); ++i) append_bytes(vm, text, indent);
  }
};

// A container being written.
struct Inside {
  Inside(Writer& writer, const Value& container) : writer(writer) {
    Interpreter& vm = writer.vm;
    vm.check_stack();
    const Object* object = container.as_object();
    auto& open = writer.open;
    if (writer.check_circular && std::find(open.begin(), open.end(), object) != open.end()) {
      vm.raise_value_error("Circular reference detected");
    }
    if (static_cast<int64_t>(open.size()) >= vm.recursion_limit) {
      vm.raise(vm.types.recursion_error,
               "maximum recursion depth exceeded while encoding a JSON object");
    }
    open.push_back(object);
  }
  ~Inside() { writer.open.pop_back(); }
  Writer& writer;
};

}  // namespace

// --- strings -------------------------------------------------------------------------------------

static void append_unit(std::string& text, char32_t unit) {
  text += fmt::format("\\u{:04x}", static_cast<unsigned>(unit));
}

static void append_code_point(std::string& text, char32_t c) {
  if (c < 0x10000) return append_unit(text, c);
  append_unit(text, 0xD800 + ((c - 0x10000) >> 10));
  append_unit(text, 0xDC00 + ((c - 0x10000) & 0x3FF));
}

static const char* short_escape(char c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    case '\f': return "\\f";
    case '\b': return "\\b";
    default: return nullptr;
  }
}

// The most bytes that an escaped character takes.
static constexpr size_t kMostEscaped = 16;

void Writer::string(std::string_view s) {
  make_room(vm, text, s.size() + 2);
  text += '"';
  const char* end = s.data() + s.size();
  InterruptPoll poll(vm);
  for (const char* at = s.data(); at < end;) {
    poll.step();
    auto c = static_cast<unsigned char>(*at);
    const char* escape = short_escape(*at);
    if (escape) {
      append_bytes(vm, text, escape);
    } else if (c < 0x20 || (c == 0x7F && ensure_ascii)) {
      make_room(vm, text, kMostEscaped);
      append_unit(text, c);
    } else if (c >= 0x80 && ensure_ascii) {
      make_room(vm, text, kMostEscaped);
      append_code_point(text, decode_utf8(at, end));
      continue;
    } else {
      text += *at;
    }
    ++at;
  }
  text += '"';
}

// --- values --------------------------------------------------------------------------------------

void Writer::real(double number) {
  if (std::isfinite(number)) {
    text += real_to_text(number);
    return;
  }
  if (!allow_nan) vm.raise_value_error("Out of range float values are not JSON compliant");
  text += std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
}

void Writer::value(const Value& v) {
  vm.poll();
  if (const Str* s = v.try_as<Str>()) return string(s->view());
  if (v.is_none()) {
    text += "null";
  } else if (v.is_boolean()) {
    text += v.as_boolean() ? "true" : "false";
  } else if (is_int(v)) {
    append_bytes(vm, text, int_to_text(v));
  } else if (v.is_real()) {
    real(v.as_real());
  } else if (vm.is_instance(v, vm.types.real)) {
    real(vm.to_real(v));
  } else if (vm.is_instance(v, vm.types.integer)) {
    append_bytes(vm, text, int_to_text(vm.to_index_value(v)));
  } else if (v.is<List>() || v.is<Tuple>()) {
    Inside inside(*this, v);
    auto items = vm.collect(v);
    array(items);
  } else if (Dict* dict = v.try_as<Dict>()) {
    if (dict->size() == 0) {
      text += "{}";
      return;
    }
    Inside inside(*this, v);
    object(*dict);
  } else {
    other(v);
  }
}

void Writer::other(const Value& v) {
  if (fallback.is_none()) {
    vm.raise_type_error("Object of type {} is not JSON serializable", vm.type_of(v)->name);
  }
  Inside inside(*this, v);
  Value made = vm.call(fallback, {v});
  const Object* self = open.back();
  open.pop_back();  // the replacement is no deeper
  struct Again {
    std::vector<const Object*>& open;
    const Object* object;
    ~Again() { open.push_back(object); }
  } again{open, self};
  if (made.same(v)) vm.raise_value_error("Circular reference detected");
  vm.check_stack();
  value(made);
}

void Writer::array(std::span<const Value> items) {
  if (items.empty()) {
    text += "[]";
    return;
  }
  text += '[';
  bool first = true;
  for (const Value& item : items) {
    if (!std::exchange(first, false)) append_bytes(vm, text, item_separator);
    new_line();
    value(item);
  }
  new_line(1);
  text += ']';
}

// --- objects -------------------------------------------------------------------------------------

// Writes a key. False: the pair is to be left out.
bool Writer::key(const Value& key) {
  if (const Str* s = key.try_as<Str>()) {
    string(s->view());
  } else if (key.is_none() || key.is_boolean()) {
    text += '"';
    value(key);
    text += '"';
  } else if (is_int(key)) {
    text += '"' + int_to_text(key) + '"';
  } else if (key.is_real() || vm.is_instance(key, vm.types.real)) {
    text += '"';
    real(vm.to_real(key));
    text += '"';
  } else {
    if (skip_keys) return false;
    vm.raise_type_error("keys must be str, int, float, bool or None, not {}", vm.type_name(key));
  }
  return true;
}

void Writer::pair(const Value& name, const Value& item, bool& first) {
  size_t before = text.size();
  if (!first) append_bytes(vm, text, item_separator);
  new_line();
  if (!key(name)) {
    text.resize(before);
    return;
  }
  first = false;
  append_bytes(vm, text, key_separator);
  value(item);
}

void Writer::object(Dict& dict) {
  std::vector<Value> pairs;
  each_entry(dict, [&](const Value& name, const Value& item) {
    append_item(vm, pairs, vm.tuple({name, item}));
  });
  if (sort_keys) sort_values(vm, pairs, Value::none(), false);
  text += '{';
  bool first = true;
  for (const Value& each : pairs) {
    pair((*each.as<Tuple>())[0], (*each.as<Tuple>())[1], first);
  }
  if (!first) new_line(1);
  text += '}';
}

static std::string indent_text(Interpreter& vm, const Value& indent) {
  if (indent.is<Str>()) return std::string(indent.as<Str>()->view());
  return std::string(static_cast<size_t>(std::max<int64_t>(vm.to_index(indent), 0)), ' ');
}

static Value write(Interpreter& vm, const Value& value, const Value& fallback, bool skip_keys,
                   bool ensure_ascii, bool check_circular, bool allow_nan, bool sort_keys,
                   const Value& indent, const Value& item_separator, const Value& key_separator) {
  Writer writer{.vm = vm,
                .skip_keys = skip_keys,
                .ensure_ascii = ensure_ascii,
                .check_circular = check_circular,
                .allow_nan = allow_nan,
                .sort_keys = sort_keys,
                .indented = !indent.is_none(),
                .indent = indent.is_none() ? "" : indent_text(vm, indent),
                .item_separator = std::string(vm.to_text(item_separator, "separator")),
                .key_separator = std::string(vm.to_text(key_separator, "separator")),
                .fallback = fallback};
  writer.value(value);
  return vm.str(writer.text);
}

constinit const NativeBody json_write = typed<write>;

}  // namespace gpy::lib
