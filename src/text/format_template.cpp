#include "src/text/format_template.h"

#include <charconv>

#include "src/text/format.h"
#include "src/interpreter.h"
#include "src/memory/pieces.h"

namespace gpy {

namespace {

// Whether fields are numbered automatically: the first one decides.
struct Numbering {
  enum { undecided, automatic, manual } kind = undecided;
  size_t next = 0;
};

struct Field {
  std::string_view name, spec;
  char32_t conversion = 0;
};

class Template {
 public:
  Template(Interpreter& vm, const TemplateArguments& arguments) : vm_(vm), arguments_(arguments) {}
  std::string expand(std::string_view text, int depth);

 private:
  Field take_field(std::string_view text, size_t& at);
  size_t end_of_name(std::string_view text, size_t at);
  size_t end_of_spec(std::string_view text, size_t at);
  char32_t take_conversion(std::string_view text, size_t& at);
  std::string show(const Field& field, int depth);
  Value find(std::string_view name);
  Value find_first(std::string_view first);
  Value positional(size_t index);
  Value follow(Value value, std::string_view path);
  Value follow_index(const Value& value, std::string_view path, size_t& at);

  Interpreter& vm_;
  const TemplateArguments& arguments_;
  Numbering numbering_;
};

}  // namespace

static bool as_number(Interpreter& vm, std::string_view text, size_t& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = end == text.data() + text.size();
  if (all && error == std::errc::result_out_of_range) {
    vm.raise_value_error("Too many decimal digits in format string");
  }
  return error == std::errc() && all;
}

// The position of the next brace, or the end.
static size_t find_brace(Interpreter& vm, std::string_view text, size_t at) {
  for (; at < text.size(); at += kPieceBytes) {
    poll_interrupt(vm);
    const size_t found = text.substr(at, kPieceBytes).find_first_of("{}");
    if (found != text.npos) return at + found;
  }
  return text.size();
}

std::string Template::expand(std::string_view text, int depth) {
  if (depth < 0) vm_.raise_value_error("Max string recursion exceeded");
  std::string result;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c != '{' && c != '}') {
      size_t end = find_brace(vm_, text, at);
      append_bytes(vm_, result, text.substr(at, end - at));
      at = end;
    } else if (at + 1 < text.size() && text[at + 1] == c) {
      result.push_back(c);
      at += 2;
    } else if (c == '}') {
      vm_.raise_value_error("Single '}}' encountered in format string");
    } else {
      append_bytes(vm_, result, show(take_field(text, ++at), depth));
    }
  }
  return result;
}

// The end of the name of a field; an index in brackets may hold the characters that would end it.
size_t Template::end_of_name(std::string_view text, size_t at) {
  bool in_index = false;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (c == '{' && !in_index) vm_.raise_value_error("unexpected '{{' in field name");
    if (c == '[') in_index = true;
    if (c == ']') in_index = false;
    if (!in_index && (c == '}' || c == ':' || c == '!')) return at;
  }
  vm_.raise_value_error("expected '}}' before end of string");
}

// The position of the brace that closes the field, from within its spec.
size_t Template::end_of_spec(std::string_view text, size_t at) {
  for (int open = 1; at < text.size(); ++at) {
    open += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (open == 0) return at;
  }
  vm_.raise_value_error("unmatched '{{' in format spec");
}

// The letter behind a `!`; the character that follows is checked.
char32_t Template::take_conversion(std::string_view text, size_t& at) {
  if (at == text.size()) {
    vm_.raise_value_error("end of string while looking for conversion specifier");
  }
  const char* next = text.data() + at;
  char32_t conversion = decode_utf8(next, text.data() + text.size());
  at = static_cast<size_t>(next - text.data());
  if (at < text.size() && text[at] != ':' && text[at] != '}') {
    vm_.raise_value_error("expected ':' after conversion specifier");
  }
  return conversion;
}

Field Template::take_field(std::string_view text, size_t& at) {
  if (at == text.size()) vm_.raise_value_error("Single '{{' encountered in format string");
  Field field;
  size_t end = end_of_name(text, at);
  field.name = text.substr(at, end - at);
  at = end + 1;
  if (text[end] == '!') {
    field.conversion = take_conversion(text, at);
    end = at;
    if (at < text.size()) ++at;
  }
  if (end < text.size() && text[end] == '}') return field;
  size_t close = end_of_spec(text, at);
  field.spec = text.substr(at, close - at);
  at = close + 1;
  return field;
}

static Value convert(Interpreter& vm, const Value& value, char32_t conversion) {
  switch (conversion) {
    case 0: return value;
    case U's': return vm.str(vm.to_str(value));
    case U'r': return vm.str(vm.repr(value));
    case U'a': return vm.str(ascii_only(vm, vm.repr(value)));
    default: break;
  }
  std::string shown;
  append_utf8(shown, conversion);
  vm.raise_value_error("Unknown conversion specifier {}", shown);
}

std::string Template::show(const Field& field, int depth) {
  Value value = convert(vm_, find(field.name), field.conversion);
  bool nested = field.spec.find_first_of("{}") != field.spec.npos;
  return format_value(vm_, value, nested ? expand(field.spec, depth - 1) : std::string(field.spec));
}

Value Template::find(std::string_view name) {
  size_t end = std::min(name.find_first_of(".["), name.size());
  return follow(find_first(name.substr(0, end)), name.substr(end));
}

Value Template::find_first(std::string_view first) {
  size_t index = 0;
  bool numbered = as_number(vm_, first, index);
  if (!numbered && !first.empty()) return vm_.get_item(arguments_.named, vm_.str(first));
  if (!arguments_.has_positional) {
    vm_.raise_value_error("Format string contains positional fields");
  }
  auto kind = numbered ? Numbering::manual : Numbering::automatic;
  if (numbering_.kind != Numbering::undecided && numbering_.kind != kind) {
    std::string_view field = "automatic field numbering", own = "manual field specification";
    if (!numbered) std::swap(field, own);
    vm_.raise_value_error("cannot switch from {} to {}", field, own);
  }
  numbering_.kind = kind;
  return positional(numbered ? index : numbering_.next++);
}

Value Template::positional(size_t index) {
  if (index < arguments_.positional.size()) return arguments_.positional[index];
  vm_.raise_index_error("Replacement index {} out of range for positional args tuple", index);
}

// Follows .attribute and [index] in turn.
Value Template::follow(Value value, std::string_view path) {
  for (size_t at = 0; at < path.size();) {
    if (path[at] == '[') {
      value = follow_index(value, path, at);
      continue;
    }
    if (path[at] != '.')
      vm_.raise_value_error("Only '.' or '[' may follow ']' in format field specifier");
    size_t end = std::min(path.find_first_of(".[", at + 1), path.size());
    std::string_view name = path.substr(at + 1, end - at - 1);
    if (name.empty()) vm_.raise_value_error("Empty attribute in format string");
    value = vm_.get_attribute(value, name);
    at = end;
  }
  return value;
}

Value Template::follow_index(const Value& value, std::string_view path, size_t& at) {
  size_t close = path.find(']', at);
  if (close == path.npos) vm_.raise_value_error("Missing ']' in format string");
  std::string_view key = path.substr(at + 1, close - at - 1);
  if (key.empty()) vm_.raise_value_error("Empty attribute in format string");
  at = close + 1;
  size_t index;
  if (as_number(vm_, key, index))
    return vm_.get_item(value, Value::integer(static_cast<int64_t>(index)));
  return vm_.get_item(value, vm_.str(key));
}

std::string format_template(Interpreter& vm, std::string_view text,
                            const TemplateArguments& arguments) {
  constexpr int kNesting = 1;  // a spec may hold fields, theirs may not
  return Template(vm, arguments).expand(text, kNesting);
}

}  // namespace gpy
