#include "src/exceptions/fields.h"

#include <algorithm>
#include <initializer_list>

#include "src/text/format.h"

namespace gpy {

using Names = std::initializer_list<const char*>;

static bool is_kind(Exception* e, const Type* type) { return e->type->is_subclass_of(type); }

static void set(Interpreter& vm, Exception* e, const char* name, const Value& item) {
  if (!e->attributes) e->attributes = vm.dict();
  e->attributes->set(vm.intern(name), item);
}

Value own_attribute(const Exception* e, Str* name) {
  const Value* found = e->attributes ? e->attributes->find(name) : nullptr;
  return found ? *found : Value();
}

static Value get(Interpreter& vm, Exception* e, const char* name) {
  Value found = own_attribute(e, vm.intern(name));
  return found.is_defined() ? found : Value::none();
}

// --- fields given by keyword ---------------------------------------------------------------------

static bool contains(Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

static void take_keywords(Interpreter& vm, Exception* e, Dict& keywords, const char* kind,
                          Names names) {
  if (keywords.size() > names.size()) {
    vm.raise_type_error("{}() takes at most {} keyword argument{} ({} given)", kind, names.size(),
                        names.size() == 1 ? "" : "s", keywords.size());
  }
  for (auto& entry : keywords.entries()) {
    std::string_view name = entry.key.as<Str>()->view();
    if (!contains(names, name)) {
      vm.raise_type_error("'{}' is an invalid keyword argument for {}()", name, kind);
    }
    set(vm, e, std::string(name).c_str(), entry.value);
  }
}

// --- SyntaxError ---------------------------------------------------------------------------------

static void fill_syntax_error(Interpreter& vm, Exception* e) {
  Tuple& args = *e->args;
  if (args.size > 0) set(vm, e, "msg", args[0]);
  if (args.size != 2) return;
  std::vector<Value> place = vm.collect(args[1]);
  if (place.size() < 4) {
    vm.raise_type_error("function takes at least 4 arguments ({} given)", place.size());
  }
  if (place.size() > 6) {
    vm.raise_type_error("function takes at most 6 arguments ({} given)", place.size());
  }
  if (place.size() == 5) {
    vm.raise_type_error("end_offset must be provided when end_lineno is provided");
  }
  const char* names[] = {"filename", "lineno", "offset", "text", "end_lineno", "end_offset"};
  for (size_t i = 0; i < place.size(); ++i) set(vm, e, names[i], place[i]);
}

std::string syntax_error_message(Interpreter& vm, Exception* e) {
  const Value file = get(vm, e, "filename"), line = get(vm, e, "lineno");
  Value said = get(vm, e, "msg");
  if (said.is_none() && e->args->size == 1) said = (*e->args)[0];
  std::string message = vm.to_str(said);
  const bool has_line = line.is_integer();
  if (!file.is<Str>())
    return has_line ? fmt::format("{} (line {})", message, vm.to_str(line)) : message;
  std::string_view name = file.as<Str>()->view();
  name.remove_prefix(name.rfind('/') + 1);
  return has_line ? fmt::format("{} ({}, line {})", message, name, vm.to_str(line))
                  : fmt::format("{} ({})", message, name);
}

// --- UnicodeError --------------------------------------------------------------------------------

static void check_argument(Interpreter& vm, Tuple& args, size_t i, const Type* type) {
  if (vm.is_instance(args[i], type)) return;
  vm.raise_type_error("argument {} must be {}, not {}", i + 1, type->name, vm.type_name(args[i]));
}

static void fill_unicode_error(Interpreter& vm, Exception* e) {
  const Types& t = vm.types;
  Tuple& args = *e->args;
  const bool translate = is_kind(e, t.unicode_translate_error);
  const size_t wanted = translate ? 4 : 5;
  if (args.size != wanted) {
    vm.raise_type_error("function takes exactly {} arguments ({} given)", wanted, args.size);
  }
  size_t i = 0;
  if (!translate) {
    check_argument(vm, args, i, t.str);
    set(vm, e, "encoding", args[i++]);
  }
  if (is_kind(e, t.unicode_decode_error)) {
    if (!args[i].is<Bytes>()) {
      vm.raise_type_error("a bytes-like object is required, not '{}'", vm.type_name(args[i]));
    }
  } else {
    check_argument(vm, args, i, t.str);
  }
  set(vm, e, "object", args[i]);
  set(vm, e, "start", vm.to_index_value(args[i + 1]));
  set(vm, e, "end", vm.to_index_value(args[i + 2]));
  check_argument(vm, args, i + 3, t.str);
  set(vm, e, "reason", args[i + 3]);
}

static std::string character_at(const Value& object, int64_t at) {
  const Str& text = *object.as<Str>();
  std::string_view character = text.slice(static_cast<size_t>(at), static_cast<size_t>(at) + 1);
  const char* begin = character.data();
  return escaped(decode_utf8(begin, begin + character.size()));
}

// The part that does not fit, if it is one character or byte: "character '\xe9'", "byte 0xff".
static std::string misfit(const Value& object, int64_t start) {
  if (!object.is<Bytes>()) return "character '" + character_at(object, start) + "'";
  const std::string& data = object.as<Bytes>()->data;
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(data[static_cast<size_t>(start)]));
}

std::string unicode_error_message(Interpreter& vm, Exception* e) {
  Value object = get(vm, e, "object"), start = get(vm, e, "start"), end = get(vm, e, "end");
  if (!start.is_integer() || !end.is_integer()) return "";
  const bool decoding = object.is<Bytes>();
  auto size = static_cast<int64_t>(decoding           ? object.as<Bytes>()->data.size()
                                   : object.is<Str>() ? object.as<Str>()->length
                                                      : 0);
  int64_t from = start.as_integer(), to = end.as_integer();
  const bool single = from >= 0 && from < size && to == from + 1;
  // This comes before a str() of a script, which may shorten the object.
  const std::string misfits = single ? misfit(object, from) : decoding ? "bytes" : "characters";
  Value encoding = get(vm, e, "encoding");
  std::string text = encoding.is_none() ? "" : "'" + vm.to_str(encoding) + "' codec ";
  text += encoding.is_none() ? "can't translate " : decoding ? "can't decode " : "can't encode ";
  text += misfits;
  text += single ? fmt::format(" in position {}", from)
                 : fmt::format(" in position {}-{}", from, to - 1);
  return text + ": " + vm.to_str(get(vm, e, "reason"));
}

void raise_unicode_error(Interpreter& vm, Type* type, std::string_view encoding,
                         const Value& object, size_t start, size_t end, std::string_view reason) {
  auto integer = [](size_t i) { return Value::integer(static_cast<int64_t>(i)); };
  vm.raise(vm.call(Value(type),
                   {vm.str(encoding), object, integer(start), integer(end), vm.str(reason)}));
}

// --- all -----------------------------------------------------------------------------------------

static bool is_placed_unicode_error(const Types& t, Exception* e) {
  return is_kind(e, t.unicode_decode_error) || is_kind(e, t.unicode_encode_error) ||
         is_kind(e, t.unicode_translate_error);
}

void fill_fields(Interpreter& vm, Exception* e, Dict& keywords) {
  const Types& t = vm.types;
  if (is_kind(e, t.import_error)) {
    take_keywords(vm, e, keywords, "ImportError", {"name", "path"});
    if (e->args->size == 1) set(vm, e, "msg", (*e->args)[0]);
  } else if (is_kind(e, t.name_error)) {
    take_keywords(vm, e, keywords, "NameError", {"name"});
  } else if (is_kind(e, t.attribute_error)) {
    take_keywords(vm, e, keywords, "AttributeError", {"name", "obj"});
  } else if (keywords.size() > 0 && !e->type->is_class) {
    vm.raise_type_error("{}() takes no keyword arguments", e->type->name);
  } else if (is_kind(e, t.syntax_error)) {
    fill_syntax_error(vm, e);
  } else if (is_placed_unicode_error(t, e)) {
    fill_unicode_error(vm, e);
  }
}

bool has_field(Interpreter& vm, Exception* e, std::string_view name) {
  const Types& t = vm.types;
  auto kind_has = [&](const Type* type, Names names) {
    return is_kind(e, type) && contains(names, name);
  };
  return kind_has(t.os_error, {"errno", "strerror", "filename", "filename2"}) ||
         kind_has(t.import_error, {"name", "path", "msg"}) || kind_has(t.name_error, {"name"}) ||
         kind_has(t.attribute_error, {"name", "obj"}) ||
         kind_has(t.syntax_error, {"msg", "filename", "lineno", "offset", "text", "end_lineno",
                                   "end_offset", "print_file_and_line"});
}

}  // namespace gpy
