#include "runtime/cpp_text/library_text.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace gpy::rt {

namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool goes_on_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Names and marks of one character. Comments, literals and numbers are none.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // The next token; empty at the end. Of a directive its whole text, up to the line's end.
  std::string_view next() {
    skip_blanks();
    begin_ = at_;
    if (at_ == text_.size()) return {};
    const char c = text_[at_];
    if (c == '#' && is_first_of_line_) return take(directive_end());
    is_first_of_line_ = false;
    if (c == '"' || c == '\'') return take(literal_end(c));
    if (!goes_on_name(c)) return take(at_ + 1);
    size_t end = at_;
    while (end < text_.size() && goes_on_name(text_[end])) ++end;
    return take(end);
  }
  size_t begin() const { return begin_; }
  size_t end() const { return at_; }

 private:
  std::string_view take(size_t end) {
    const std::string_view token = text_.substr(at_, end - at_);
    at_ = end;
    return token;
  }
  void skip_blanks() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest[0] == '\n') is_first_of_line_ = true;
      if (std::isspace(static_cast<unsigned char>(rest[0]))) ++at_;
      else if (rest.starts_with("//")) at_ = std::min(text_.find('\n', at_), text_.size());
      else if (rest.starts_with("/*")) at_ = std::min(text_.find("*/", at_), text_.size() - 2) + 2;
      else return;
    }
  }
  size_t directive_end() const {
    size_t end = text_.find('\n', at_);
    while (end != text_.npos && text_[end - 1] == '\\') end = text_.find('\n', end + 1);
    return std::min(end, text_.size());
  }
  size_t literal_end(char quote) const {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text_.size());
  }

  std::string_view text_;
  size_t at_ = 0, begin_ = 0;
  bool is_first_of_line_ = true;
};

using Tokens = std::vector<std::string_view>;

bool is_name(std::string_view token) { return starts_name(token[0]); }

Tokens tokens_of(std::string_view text) {
  Tokens out;
  Scanner scanner(text);
  for (std::string_view token; !(token = scanner.next()).empty();) out.push_back(token);
  return out;
}

// Behind the bracket that closes the one at `at`.
size_t after_bracket(const Tokens& tokens, size_t at) {
  const std::string_view open = tokens[at], close = open == "<" ? ">" : open == "(" ? ")" : "}";
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at] == open) ++depth;
    if (tokens[at] == close && --depth == 0) return at + 1;
  }
  return at;
}

bool is_in(std::string_view token, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, token) != words.end();
}

// Behind what may stand before a declaration: template parameters, attributes, specifiers.
size_t after_specifiers(const Tokens& tokens, size_t at) {
  while (at + 1 < tokens.size()) {
    if (tokens[at] == "template" && tokens[at + 1] == "<") at = after_bracket(tokens, at + 1);
    else if (is_in(tokens[at], {"__attribute__", "alignas"})) at = after_bracket(tokens, at + 1);
    else if (is_in(tokens[at],
                   {"static", "extern", "inline", "constexpr", "const", "thread_local"}))
      ++at;
    else break;
  }
  return at;
}

}  // namespace

// Reads the parts of a text, one declaration or directive each.
class LibraryText::Reader {
 public:
  Reader(LibraryText& out, std::string_view text) : out_(out), text_(text), scanner_(text) {}

  void read() {
    token_ = scanner_.next();
    while (!token_.empty()) read_part();
  }

 private:
  void read_part() {
    part_ = {};
    tokens_.clear();
    begin_ = scanner_.begin();
    if (token_[0] == '#') return read_directive();
    read_tokens();
    part_.text = text_.substr(begin_, end_ - begin_);
    for (std::string_view each : tokens_) mention(each);
    if (!part_.always) read_names();
    finish();
  }

  void read_directive() {
    part_.text = token_;
    const Tokens words = tokens_of(token_.substr(1));
    part_.always = words[0] != "define";
    if (!part_.always) {
      declare(words[1]);
      macros_[words[1]] = words;
    }
    // A condition needs the macros that it asks for.
    for (size_t i = 1; i < words.size() && words[0] != "undef"; ++i) mention(words[i]);
    token_ = scanner_.next();
    finish();
  }

  void finish() { out_.parts_.push_back(std::move(part_)); }

  // Up to the declaration's end, or behind the head of a namespace.
  void read_tokens() {
    if (macros_.contains(token_) && is_called()) return read_macro_call();
    int depth = 0;
    bool has_parameters = false, has_value = false;
    while (!token_.empty()) {
      const std::string_view token = take();
      if (depth == 0 && token == "(") has_parameters = true;
      if (depth == 0 && token == "=") has_value = true;
      if (is_in(token, {"(", "[", "{"})) {
        if (opens_scope(token)) return;
        ++depth;
      }
      if (is_in(token, {")", "]", "}"})) --depth;
      part_.always |= depth < 0;  // of a namespace
      const bool ends_function =
          token == "}" && depth == 0 && has_parameters && !has_value && !is_type();
      if (depth < 0 || ends_function || (depth == 0 && token == ";")) return;
    }
  }

  bool opens_scope(std::string_view token) {
    if (token != "{" || tokens_.size() > 3) return false;
    const bool links = tokens_.size() == 3 && tokens_[0] == "extern" && tokens_[1][0] == '"';
    return part_.always = links || tokens_[0] == "namespace";
  }

  bool is_called() const {
    const size_t next = text_.find_first_not_of(' ', scanner_.end());
    return next != text_.npos && text_[next] == '(' && macros_.at(token_).size() > 2;
  }
  void read_macro_call() {
    take();
    for (int depth = 0; !token_.empty();) {
      const std::string_view token = take();
      depth += token == "(" ? 1 : token == ")" ? -1 : 0;
      if (depth == 0) return;
    }
  }

  bool is_type() const {
    const size_t at = after_specifiers(tokens_, 0);
    return at < tokens_.size() && is_in(tokens_[at], {"struct", "class", "union", "enum"});
  }

  std::string_view take() {
    const std::string_view token = token_;
    tokens_.push_back(token);
    end_ = scanner_.end();
    token_ = scanner_.next();
    return token;
  }

  // --- what a part declares ---

  void read_names() {
    const size_t at = after_specifiers(tokens_, 0);
    if (macros_.contains(tokens_[0]) && tokens_[1] == "(" && tokens_.back() == ")")
      return read_macro_names();
    if (is_type()) return read_type(at);
    if (tokens_[at] == "typedef") return declare_last();
    if (tokens_[at] == "using")
      return tokens_[at + 2] == "=" ? declare(tokens_[at + 1]) : declare_last();
    part_.always = tokens_[at] == "static_assert";
    if (!part_.always) read_function_or_variables(at);
  }

  // Its arguments are the names, and what its text says of types the parameters.
  void read_macro_names() {
    for (size_t i = 2; i < tokens_.size(); ++i) declare(tokens_[i]);
    const Tokens& macro = macros_[tokens_[0]];
    add_operands(macro, 2, macro.size());
  }

  void declare_last() {
    size_t at = tokens_.size() - 1;
    while (at > 0 && !is_name(tokens_[at])) --at;
    declare(tokens_[at]);
  }

  void read_type(size_t at) {
    const bool numbered = tokens_[at] == "enum";
    at = after_specifiers(tokens_, at + 1);
    if (numbered && tokens_[at] == "class") ++at;
    if (is_name(tokens_[at])) {
      part_.is_type = !numbered;
      declare(tokens_[at++]);
    }
    if (tokens_[at] == "<") add_operands(tokens_, at, after_bracket(tokens_, at));
    if (!numbered) return;
    for (; at + 1 < tokens_.size(); ++at) {
      if (is_in(tokens_[at], {"{", ","}) && is_name(tokens_[at + 1])) declare(tokens_[at + 1]);
    }
  }

  void read_function_or_variables(size_t at) {
    for (; at < tokens_.size(); ++at) {
      const std::string_view token = tokens_[at];
      const std::string_view before = at ? tokens_[at - 1] : token;
      if (is_in(token, {"__attribute__", "alignas", "decltype"})) {
        at = after_bracket(tokens_, at + 1) - 1;
      } else if (token == "<") {
        at = after_bracket(tokens_, at) - 1;
      } else if (token == "operator") {
        while (tokens_[at] != "(") ++at;
        part_.is_operator = true;
        return add_operands(tokens_, at, after_bracket(tokens_, at));
      } else if (token == "(") {
        // A macro that stands for the whole list, or for specifiers, is followed by another one.
        declare(before);
        return add_operands(tokens_, at, after_bracket(tokens_, at));
      } else if (is_in(token, {"=", ";", ",", "["}) && is_name(before)) {
        declare(before);
      }
      if (is_in(token, {"=", "["})) at = after_value(at) - 1;
    }
  }

  // Behind a variable's extents and its first value: the comma or the end.
  size_t after_value(size_t at) const {
    while (at < tokens_.size() && !is_in(tokens_[at], {",", ";"}))
      at = is_in(tokens_[at], {"(", "{"}) ? after_bracket(tokens_, at) : at + 1;
    return at;
  }

  int number(std::string_view name) {
    const auto [at, is_new] =
        out_.numbers_.try_emplace(name, static_cast<int>(out_.numbers_.size()));
    return at->second;
  }
  void declare(std::string_view name) {
    if (is_name(name)) part_.declares.push_back(number(name));
  }
  void mention(std::string_view token) {
    if (is_name(token)) part_.mentions.push_back(number(token));
  }
  void add_operands(const Tokens& tokens, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (is_name(tokens[i])) part_.operands.push_back(number(tokens[i]));
    }
  }

  LibraryText& out_;
  std::string_view text_;
  Scanner scanner_;
  std::string_view token_;  // the next one
  Part part_;
  Tokens tokens_;  // of the part
  size_t begin_ = 0, end_ = 0;
  std::map<std::string_view, Tokens> macros_;
};

LibraryText::LibraryText(std::string_view text) {
  Reader(*this, text).read();
  declared_.resize(numbers_.size());
  types_.resize(numbers_.size());
  for (const Part& part : parts_) {
    for (int name : part.declares) ++declared_[static_cast<size_t>(name)];
    if (part.is_type) types_[static_cast<size_t>(part.declares[0])] = true;
  }
  const auto is_no_type = [&](int name) { return !types_[static_cast<size_t>(name)]; };
  for (Part& part : parts_) {
    std::erase_if(part.operands, is_no_type);
    if (part.is_operator) part.declares = part.operands;
  }
}

std::string LibraryText::used_by(std::string_view user) const {
  std::vector<bool> reached(numbers_.size()), kept(parts_.size());
  const auto reach = [&](int name) { reached[static_cast<size_t>(name)] = true; };
  const auto is_reached = [&](int name) {
    return static_cast<bool>(reached[static_cast<size_t>(name)]);
  };
  const auto is_needed = [&](const Part& part) {
    if (part.always) return true;
    const auto name = std::ranges::find_if(part.declares, is_reached);
    if (name == part.declares.end()) return false;
    return declared_[static_cast<size_t>(*name)] == 1 ||
           std::ranges::all_of(part.operands, is_reached);
  };
  for (std::string_view token : tokens_of(user)) {
    if (const auto known = numbers_.find(token); known != numbers_.end()) reach(known->second);
  }
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (kept[i] || !is_needed(parts_[i])) continue;
      kept[i] = goes_on = true;
      std::ranges::for_each(parts_[i].mentions, reach);
    }
  }
  std::string out;
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (kept[i]) out.append(parts_[i].text).append("\n");
  }
  return out;
}

}  // namespace gpy::rt
