// The methods format, translate, encode.
#include "src/text/format_template.h"
#include "src/typed_native.h"
#include "src/types/str.h"
#include "src/types/text_codec.h"

namespace gpy {

static Value str_format(Interpreter& vm, Str& self, std::span<const Value> args,
                        const Value& kwargs) {
  return vm.str(format_template(vm, self.view(), {args, true, kwargs}));
}

static Value str_format_map(Interpreter& vm, Str& self, const Value& mapping) {
  return vm.str(format_template(vm, self.view(), {{}, false, mapping}));
}

static Value str_encode(Interpreter& vm, Str& self, const Value& encoding, const Value& errors) {
  const std::string_view name = vm.to_text(encoding, "encode() argument 'encoding'");
  const std::string_view handling = vm.to_text(errors, "encode() argument 'errors'");
  return vm.bytes(encode_text(vm, self.view(), name, handling));
}

// --- translate -----------------------------------------------------------------------------------

// The table's entry for a character; undefined when it has none.
static Value translation(Interpreter& vm, const Value& table, char32_t c) {
  Value key = Value::integer(static_cast<int64_t>(c));
  if (Dict* dict = table.try_as<Dict>()) {
    Value* found = dict->find(vm, key);
    return found ? *found : Value();
  }
  try {
    return vm.get_item(table, key);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.lookup_error)) throw;
    return Value();
  }
}

static void append_translation(Interpreter& vm, std::string& result, const Value& to) {
  if (to.is_none()) return;
  if (to.is<Str>()) {
    append_bytes(vm, result, text_of(to));
    return;
  }
  if (!to.is_integer()) vm.raise_type_error("character mapping must return integer, None or str");
  if (to.as_integer() < 0 || to.as_integer() > 0x10FFFF) {
    vm.raise_value_error("character mapping must be in range(0x110000)");
  }
  make_room(vm, result, 4);  // a code point's bytes at most
  append_utf8(result, static_cast<char32_t>(to.as_integer()));
}

static Value str_translate(Interpreter& vm, Str& self, const Value& table) {
  std::string result;
  each_code_point(vm, self.view(), [&](char32_t c, std::string_view bytes) {
    Value to = translation(vm, table, c);
    if (to.is_undefined()) {
      append_bytes(vm, result, bytes);
    } else {
      append_translation(vm, result, to);
    }
  });
  return vm.str(result);
}

static std::vector<Value> code_points(Interpreter& vm, std::string_view text) {
  std::vector<Value> result;
  each_code_point(vm, text, [&](char32_t c, std::string_view) {
    append_item(vm, result, Value::integer(static_cast<int64_t>(c)));
  });
  return result;
}

static Value table_from_dict(Interpreter& vm, const Value& source) {
  if (!source.is<Dict>()) {
    vm.raise_type_error("if you give only one argument to maketrans it must be a dict");
  }
  Ref<Dict> table = vm.dict();
  for (auto& entry : source.as<Dict>()->entries()) {
    if (entry.key.is_undefined()) continue;
    if (entry.key.is_integer()) {
      table->set(vm, entry.key, entry.value);
      continue;
    }
    if (!entry.key.is<Str>()) {
      vm.raise_type_error("keys in translate table must be strings or integers");
    }
    auto key = code_points(vm, text_of(entry.key));
    if (key.size() != 1) vm.raise_value_error("string keys in translate table must be of length 1");
    table->set(vm, key[0], entry.value);
  }
  return table;
}

static Value str_maketrans(Interpreter& vm, const Value& x, const Value& y, const Value& z) {
  if (y.is_undefined()) return table_from_dict(vm, x);
  if (!x.is<Str>()) {
    vm.raise_type_error("first maketrans argument must be a string if there is a second argument");
  }
  auto from = code_points(vm, text_of(x));
  auto to = code_points(vm, text_argument(vm, y, "maketrans", 2));
  if (from.size() != to.size()) {
    vm.raise_value_error("the first two maketrans arguments must have equal length");
  }
  Ref<Dict> table = vm.dict();
  for (size_t i = 0; i < from.size(); ++i) table->set(vm, from[i], to[i]);
  if (z.is_defined()) {
    for (const Value& c : code_points(vm, text_argument(vm, z, "maketrans", 3))) {
      table->set(vm, c, Value::none());
    }
  }
  return table;
}

static const Native kMethods[] = {
    {"encode", "(self, /, encoding='utf-8', errors='strict')", typed<str_encode>, "As bytes."},
    {"format", "(self, /, *args, **kwargs)", typed<str_format>,
     "With values put into its {fields}."},
    {"format_map", "(self, mapping, /)", typed<str_format_map>,
     "With a mapping's values put into its {fields}."},
    {"maketrans", "(x, y=<omitted>, z=<omitted>, /)", typed<str_maketrans>,
     "A table for translate.", Native::static_method},
    {"translate", "(self, table, /)", typed<str_translate>,
     "With each character replaced as a table says."},
};

std::span<const Native> str_convert_methods() { return kMethods; }

}  // namespace gpy
