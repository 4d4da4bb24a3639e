// Reading a native's signature text.
#include <charconv>

#include "src/calls/args.h"
#include "src/interpreter.h"

namespace gpy {

static std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Takes the text up to the next comma outside quotes and brackets.
static std::string_view take_item(std::string_view& text) {
  char quote = 0;
  int depth = 0;
  size_t i = 0;
  for (; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '<') {
      ++depth;
    } else if (c == ')' || c == '>') {
      --depth;
    } else if (c == ',' && depth == 0) {
      break;
    }
  }
  std::string_view item = trimmed(text.substr(0, i));
  text.remove_prefix(std::min(i + 1, text.size()));
  return item;
}

static Value number_from(std::string_view text) {
  int64_t integer = 0;
  const char* end = text.data() + text.size();
  if (std::from_chars(text.data(), end, integer).ptr == end) return Value::integer(integer);
  double real = 0;
  std::from_chars(text.data(), end, real);
  return Value::real(real);
}

static Value default_from(Interpreter& vm, std::string_view text) {
  if (text == "None") return Value::none();
  if (text == "True") return Value::boolean(true);
  if (text == "False") return Value::boolean(false);
  if (text == "..." || text == "Ellipsis") return Value::ellipsis();
  if (text == "()") return vm.tuple({});
  if (text.front() == '<') return Value();
  if (text.front() == '\'' || text.front() == '"') {
    return Value(vm.intern(text.substr(1, text.size() - 2)));
  }
  return number_from(text);
}

static void read_default(Interpreter& vm, std::string_view item, Parameter& parameter) {
  size_t equals = item.find('=');
  parameter.name = std::string(trimmed(item.substr(0, equals)));
  parameter.required = equals == std::string_view::npos;
  if (parameter.required) return;
  parameter.fallback_text = std::string(trimmed(item.substr(equals + 1)));
  parameter.fallback = default_from(vm, parameter.fallback_text);
  parameter.may_be_no_value = parameter.fallback_text == "<no value>";
}

static void summarise(Signature& signature) {
  signature.simple = true;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    bool by_position = parameter.kind <= Parameter::positional;
    signature.positional += by_position;
    signature.required += by_position && parameter.required;
    signature.simple &= by_position;
    signature.may_have_no_value |= parameter.may_be_no_value;
    if (parameter.kind == Parameter::var_positional) signature.var_positional = static_cast<int>(i);
    if (parameter.kind == Parameter::var_keyword) signature.var_keyword = static_cast<int>(i);
  }
}

Signature Signature::parse(Interpreter& vm, std::string_view text) {
  Signature signature;
  text = text.substr(1, text.size() - 2);
  auto kind = Parameter::positional;
  while (!text.empty()) {
    std::string_view item = take_item(text);
    if (item == "/" || item == "//") {
      signature.like_c = true;
      signature.in_brackets = item == "//";
      for (auto& earlier : signature.parameters) earlier.kind = Parameter::positional_only;
    } else if (item == "*") {
      kind = Parameter::keyword_only;
    } else if (item.starts_with("**")) {
      signature.parameters.push_back(
          {std::string(item.substr(2)), Parameter::var_keyword, false, Value(), ""});
    } else if (item.starts_with("*")) {
      signature.parameters.push_back(
          {std::string(item.substr(1)), Parameter::var_positional, false, Value(), ""});
      kind = Parameter::keyword_only;
    } else {
      Parameter parameter{"", kind, true, Value(), ""};
      read_default(vm, item, parameter);
      signature.parameters.push_back(std::move(parameter));
    }
  }
  if (signature.parameters.empty()) signature.like_c = true;
  summarise(signature);
  return signature;
}

// The body fills in a default in "<...>"; if that is a value, readers see it without the brackets.
static std::string_view shown_default(std::string_view text) {
  if (!text.starts_with('<')) return text;
  const std::string_view inner = text.substr(1, text.size() - 2);
  const bool is_value = inner == "None" || inner.find_first_of("0123456789('\"") == 0 ||
                        inner.starts_with("b'") || inner.starts_with("math.");
  return is_value ? inner : text;
}

std::string Signature::text() const {
  std::string text = "(";
  auto add = [&](const std::string& item) { text += (text.size() > 1 ? ", " : "") + item; };
  bool star_seen = var_positional >= 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i];
    if (p.kind == Parameter::keyword_only && !std::exchange(star_seen, true)) add("*");
    const char* stars = p.kind == Parameter::var_positional ? "*"
                        : p.kind == Parameter::var_keyword  ? "**"
                                                            : "";
    const bool has_default = !p.required && !p.fallback_text.empty();
    add(stars + p.name + (has_default ? fmt::format("={}", shown_default(p.fallback_text)) : ""));
    bool next_by_name =
        i + 1 == parameters.size() || parameters[i + 1].kind != Parameter::positional_only;
    if (p.kind == Parameter::positional_only && next_by_name) add("/");
  }
  return text + ")";
}

}  // namespace gpy
