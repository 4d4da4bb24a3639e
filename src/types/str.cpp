// The type str: its slots, construction and iterator. Methods are in the files beside this one.
#include "src/types/str.h"

#include <charconv>
#include <cstring>

#include "src/text/format.h"
#include "src/text/format_spec.h"
#include "src/typed_native.h"
#include "src/types/setup.h"
#include "src/types/text_codec.h"
#include "src/types/text_search.h"

namespace gpy {

static const SequenceWords kWords = {"string indices must be integers",
                                     "string index out of range"};

std::string_view text_argument(Interpreter& vm, const Value& v) {
  if (v.is<Str>()) return text_of(v);
  vm.raise_type_error("must be str, not {}", vm.type_name(v));
}

std::string_view text_argument(Interpreter& vm, const Value& v, const char* method, int position) {
  if (v.is<Str>()) return text_of(v);
  std::string which = position ? fmt::format(" {}", position) : std::string();
  vm.raise_type_error("{}() argument{} must be str, not {}", method, which, vm.type_name(v));
}

Ref<Str> number_text(Interpreter& vm, int64_t number) {
  char buffer[24];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  const auto bytes = static_cast<size_t>(end - buffer);
  if (bytes == 1) return Str::make(vm, {buffer, bytes});
  Ref<Str> text = Str::make_joined(vm, bytes, bytes);
  std::memcpy(text->mutable_data(), buffer, bytes);
  return text;
}

static Value decoded(Interpreter& vm, const Value& object, const Value& encoding,
                     const Value& errors) {
  const std::string_view name =
      encoding.is_defined() ? vm.to_text(encoding, "str() argument 'encoding'") : "utf-8";
  const std::string_view handling =
      errors.is_defined() ? vm.to_text(errors, "str() argument 'errors'") : "strict";
  const Bytes* bytes = object.try_as<Bytes>();
  if (object.is<Str>()) vm.raise_type_error("decoding str is not supported");
  if (!bytes) {
    vm.raise_type_error("decoding to str: need a bytes-like object, {} found",
                        vm.type_name(object));
  }
  if (bytes->data.empty()) return vm.str("");  // for any name of an encoding
  return Str::make_part(vm, decode_text(vm, bytes->data, name, handling));
}

static Value make_str(Interpreter& vm, const Value&, const Value& object, const Value& encoding,
                      const Value& errors) {
  if (encoding.is_defined() || errors.is_defined()) return decoded(vm, object, encoding, errors);
  if (object.is_undefined()) return vm.str("");
  if (object.is<Str>() && vm.type_of(object) == vm.types.str) return object;
  if (object.is_integer()) return number_text(vm, object.as_integer());
  return vm.str(vm.to_str(object));
}

// The quick version of str(object).
static Value quick_str(Interpreter& vm, std::span<const Value> arguments) {
  if (arguments.size() != 2) return Value();
  if (vm.type_of(arguments[1]) == vm.types.str) return arguments[1];
  if (arguments[1].is_integer()) return number_text(vm, arguments[1].as_integer());
  return vm.str(vm.to_str(arguments[1]));
}

static const Native kConstructor = {"str",
                                    "(cls, object=<''>, encoding=<utf-8>, errors=<strict>)",
                                    typed<make_str>,
                                    "Text; of any value, what print shows.",
                                    Native::instance,
                                    quick_str};

static std::string str_repr(Interpreter& vm, const Value& self) {
  return quoted(vm, text_of(self));
}
static std::string str_str(Interpreter&, const Value& self) { return std::string(text_of(self)); }
static int64_t str_hash(Interpreter&, const Value& self) { return str_of(self)->hash(); }
static bool str_truth(Interpreter&, const Value& self) { return str_of(self)->bytes != 0; }

static int64_t str_length(Interpreter&, const Value& self) {
  return static_cast<int64_t>(str_of(self)->length);
}

// The order of UTF-8 bytes is that of code points.
static Value str_compare(Interpreter&, CompareOp op, const Value& self, const Value& other) {
  if (!other.is<Str>()) return Value::not_implemented();
  if (op == CompareOp::equal) return Value::boolean(text_of(self) == text_of(other));
  if (op == CompareOp::not_equal) return Value::boolean(text_of(self) != text_of(other));
  return Value::boolean(holds(op, text_of(self) <=> text_of(other)));
}

static bool str_contains(Interpreter& vm, const Value& self, const Value& item) {
  if (!item.is<Str>()) {
    vm.raise_type_error("'in <string>' requires string as left operand, not {}",
                        vm.type_name(item));
  }
  return find_text(vm, text_of(self), text_of(item)) != std::string_view::npos;
}

static Value str_slice(Interpreter& vm, const Value& self, const Slice& slice) {
  Str* text = str_of(self);
  auto indices = slice.indices(vm, static_cast<int64_t>(text->length));
  if (indices.step == 1) {
    if (indices.length == static_cast<int64_t>(text->length)) return unchanged(vm, self);
    const auto start = static_cast<size_t>(indices.start);
    const auto length = static_cast<size_t>(indices.length);
    return Str::make_part(vm, text->slice(start, start + length), length);
  }
  std::string picked;
  std::vector<std::string_view> characters;
  if (!text->is_ascii()) {
    make_room(vm, characters, text->length);
    each_code_point(vm, text->view(),
                    [&](char32_t, std::string_view c) { characters.push_back(c); });
  }
  make_room(vm, picked, static_cast<size_t>(indices.length));
  InterruptPoll poll(vm);
  for (int64_t i = 0, at = indices.start; i < indices.length; ++i, at += indices.step) {
    poll.step();
    auto index = static_cast<size_t>(at);
    append_bytes(vm, picked, text->is_ascii() ? text->view().substr(index, 1) : characters[index]);
  }
  return vm.str(picked);
}

static Value str_getitem(Interpreter& vm, const Value& self, const Value& key) {
  if (const Slice* slice = key.try_as<Slice>()) return str_slice(vm, self, *slice);
  if (!vm.has_index(key)) {
    vm.raise_type_error("string indices must be integers, not '{}'", vm.type_name(key));
  }
  auto index = static_cast<size_t>(sequence_index(vm, key, str_length(vm, self), kWords));
  return Str::make_part(vm, str_of(self)->slice(index, index + 1), 1);
}

// --- operators -----------------------------------------------------------------------------------

Value join_texts(Interpreter& vm, const Str& a, const Str& b, size_t capacity) {
  Ref<Str> result = Str::make_joined(vm, a.bytes + b.bytes, a.length + b.length, capacity);
  copy_bytes(vm, result->mutable_data(), a.data(), a.bytes);
  copy_bytes(vm, result->mutable_data() + a.bytes, b.data(), b.bytes);
  return result;
}

static Value str_add(Interpreter& vm, const Value& lhs, const Value& rhs) {
  if (!lhs.is<Str>()) return Value::not_implemented();
  if (rhs.is<Str>()) return join_texts(vm, *str_of(lhs), *str_of(rhs));
  Value answer = let_other_answer(vm, BinaryOp::add, lhs, rhs, rhs);
  if (answer.is_defined()) return answer;
  raise_concatenation(vm, "str", rhs);
}

static Value repeated(Interpreter& vm, const Str& text, size_t count) {
  Ref<Str> result = Str::make_joined(vm, text.bytes * count, text.length * count);
  repeat_bytes(vm, result->mutable_data(), text.view(), count);
  return result;
}

static Value str_multiply(Interpreter& vm, const Value& lhs, const Value& rhs) {
  const Value& text = lhs.is<Str>() ? lhs : rhs;
  const Value& times = lhs.is<Str>() ? rhs : lhs;
  Value answer =
      times.is<Str>() ? Value() : let_other_answer(vm, BinaryOp::multiply, lhs, rhs, times);
  if (answer.is_defined()) return answer;
  return repeated(vm, *str_of(text),
                  repeat_count(vm, times, str_of(text)->bytes, 1, "repeated string is too long"));
}

static Value str_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op == BinaryOp::add) return str_add(vm, lhs, rhs);
  if (op == BinaryOp::multiply) return str_multiply(vm, lhs, rhs);
  if (op == BinaryOp::remainder && lhs.is<Str>())
    return vm.str(format_percent(vm, text_of(lhs), rhs));
  return Value::not_implemented();
}

Value append_text(Interpreter& vm, const Value& lhs, const Str& more, bool ahead) {
  Str* text = str_of(lhs);
  if (text->try_append(more)) return lhs;
  const bool grows = ahead && text->is_unshared() && text != &more;
  const size_t needed = text->bytes + more.bytes;
  return join_texts(vm, *text, more, grows ? needed + needed / 2 : 0);
}

static Value str_inplace(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op != BinaryOp::add || !rhs.is<Str>()) return Value::not_implemented();
  return append_text(vm, lhs, *str_of(rhs), true);
}

static std::string str_format(Interpreter& vm, const Value& self, std::string_view spec) {
  if (spec.empty()) return vm.to_str(self);
  return format_str(vm, text_of(self), FormatSpec::parse(vm, spec, "str"));
}

// --- the iterator --------------------------------------------------------------------------------

static Value str_iter(Interpreter& vm, const Value& self) {
  return vm.make<StrIterator>(vm.types.str_iterator, Ref<Str>(str_of(self)));
}

static Value str_iterator_next(Interpreter& vm, const Value& self) {
  auto* it = self.as<StrIterator>();
  if (it->offset >= it->text->bytes) return Value();
  const std::string_view rest = it->text->view().substr(it->offset);
  const char *begin = rest.data(), *at = begin;
  decode_utf8(at, begin + rest.size());
  const auto bytes = static_cast<size_t>(at - begin);
  it->offset += bytes;
  return Str::make_part(vm, rest.substr(0, bytes), 1);
}

void setup_str(Interpreter& vm) {
  vm.types.str = vm.make_type({.name = "str",
                               .doc = "Text.",
                               .slots = {.repr = str_repr,
                                         .str = str_str,
                                         .hash = str_hash,
                                         .compare = str_compare,
                                         .truth = str_truth,
                                         .length = str_length,
                                         .getitem = str_getitem,
                                         .contains = str_contains,
                                         .iter = str_iter,
                                         .binary = str_binary,
                                         .inplace = str_inplace,
                                         .format = str_format},
                               .constructor = &kConstructor,
                               .is_final = false},
                              ObjectLayout::str, Str::destroy);
  vm.types.str->methods = {str_search_methods(), str_case_methods(),   str_test_methods(),
                           str_split_methods(),  str_layout_methods(), str_convert_methods()};
  vm.types.str_iterator = vm.make_type<StrIterator>(
      {.name = "str_iterator", .slots = {.iter = iterator_itself, .next = str_iterator_next}});
}

}  // namespace gpy
