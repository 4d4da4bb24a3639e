// The declarations and the assignments of a kernel's variables: their reading by BlockVariables.

#include "runtime/host_kernel/block_variables.h"
#include "runtime/host_kernel/cpp_words.h"

namespace gpy::rt {

std::string BlockVariables::text(TokenRange range) const {
  std::string out;
  for (int i = range.begin; i < range.end; ++i) out.append(tokens_.at(i)) += ' ';
  return out;
}

int BlockVariables::declare(int name, TokenRange base, TokenRange stars, TokenRange extents) {
  BlockVariable out;
  out.name = tokens_.at(name);
  out.declared = name;
  for (int i = base.begin; i < base.end; ++i) {
    const bool own_const = tokens_.at(i) == "const" && stars.empty();
    if (!own_const) out.type.append(tokens_.at(i)) += ' ';
  }
  for (int i = stars.begin; i < stars.end; ++i) {
    if (tokens_.at(i) != "const") out.type.append(tokens_.at(i)) += ' ';
  }
  out.extents = text(extents);
  out.is_builtin = !stars.empty() || is_builtin_type(tokens_.at(base.end - 1));
  variables_.push_back(std::move(out));
  const int number = static_cast<int>(variables_.size()) - 1;
  scopes_.back()[tokens_.at(name)] = number;
  of_token_[name] = number;
  return number;
}

// Declarators behind a type. Nothing where it is no declaration, an empty list where it is one of
// another form.
std::optional<std::vector<Assignment>> BlockVariables::read_declaration(TokenRange range) {
  int i = range.begin, names = 0;
  bool other = false;
  for (; i < range.end; ++i) {
    const std::string_view word = tokens_.at(i);
    if (word == "auto" || word == "volatile" || word == "static" || word == "register" ||
        word == "extern")
      other = true;
    if (word == "alignas" || word == "__align__" || word == "__attribute__") return std::nullopt;
    if (word == "::") continue;
    if (word == "<" && names > 0) {
      const int after = tokens_.after_template(i, range.end);
      if (after == i) return std::nullopt;
      i = after - 1;
      continue;
    }
    if (!tokens_.is_name(i)) break;
    const bool of_type = word == "typename" || word == "struct" || word == "class" ||
                         word == "union" || word == "enum";
    if (of_type) continue;
    if (is_cpp_keyword(word) && word != "const" && !other) return std::nullopt;
    const std::string_view next = tokens_.at(i + 1);
    const bool last = i + 1 == range.end;
    const bool ends =
        last || next == "=" || next == "[" || next == "," || next == "{" || next == "(";
    if (ends && names > 0 && word != "const") break;
    if (word != "const") ++names;
  }
  if (names == 0 || i >= range.end) return std::nullopt;
  const TokenRange base{range.begin, i};
  const std::string_view at = tokens_.at(i);
  if (!tokens_.is_name(i) && at != "*" && at != "&" && at != "&&") return std::nullopt;
  if (tokens_.at(i - 1) == "::") return std::nullopt;             // a call
  if (resolve(tokens_.at(base.begin)) >= 0) return std::nullopt;  // a product
  if (at == "&" || at == "&&") return std::vector<Assignment>{};
  std::vector<Assignment> out;
  while (i < range.end) {
    const TokenRange part{i, tokens_.find_outside_brackets({i, range.end}, ",")};
    int k = part.begin;
    while (k < part.end && (tokens_.at(k) == "*" || tokens_.at(k) == "const" ||
                            tokens_.at(k).find("restrict") != std::string_view::npos))
      ++k;
    const TokenRange stars{part.begin, k};
    if (other || !tokens_.is_name(k) || functions_.macro(tokens_.at(k)))
      return std::vector<Assignment>{};
    const int name = k++;
    const int extents = k;
    while (k < part.end && tokens_.at(k) == "[") k = tokens_[k].match + 1;
    const std::string_view mark = tokens_.at(k);
    if (k < part.end && mark != "=" && mark != "{" && mark != "(") return std::vector<Assignment>{};
    if (!use({extents, part.end}) || !is_known(base) || !is_known({extents, k}))
      return std::vector<Assignment>{};
    Assignment each{declare(name, base, stars, {extents, k}), name, {}, {k, part.end}, true};
    out.push_back(each);
    i = part.end + 1;
  }
  return out;
}

// `alignas(8) int x[4];`, `int (*f)(int) = g;`: declarations that are not read, of which a name may
// be that of another variable.
bool BlockVariables::may_declare(const Statement& statement) const {
  const int begin = statement.begin;
  for (const char* each : {"alignas", "__align__", "__attribute__", "struct", "class", "union",
                           "enum", "decltype", "auto", "typename", "const", "constexpr"}) {
    if (tokens_.at(begin) == each) return true;
  }
  if (tokens_.at(begin) == "[" && tokens_.at(begin + 1) == "[") return true;
  if (functions_.is_type(tokens_.at(begin)) && tokens_.at(begin + 1) == "(") return true;
  for (int i = begin + 1; i < statement.end; ++i) {
    if (tokens_.at(i) != "(") continue;
    const std::string_view inside = tokens_.at(i + 1), behind = tokens_.at(tokens_[i].match + 1);
    return (inside == "*" || inside == "&") && (behind == "(" || behind == "[");
  }
  return false;
}

// Whether a type, or an array's extent, is the same outside of the function.
bool BlockVariables::is_known(TokenRange type) const {
  for (int i = type.begin; i < type.end; ++i) {
    if (own_names_.contains(tokens_.at(i)) || of_token(i) >= 0) return false;
  }
  return true;
}

// `a = b, ++c`; nothing for others.
std::optional<std::vector<Assignment>> BlockVariables::read_assignments(TokenRange range) {
  std::vector<Assignment> out;
  for (int i = range.begin; i < range.end;) {
    const TokenRange part{i, tokens_.find_outside_brackets({i, range.end}, ",")};
    const bool before = is_step(tokens_.at(i)), after = is_step(tokens_.at(i + 1));
    const int name = before ? i + 1 : i;
    const int variable = tokens_.is_name(name) ? resolve(tokens_.at(name)) : -1;
    if (variable < 0 || !variables_[static_cast<size_t>(variable)].extents.empty())
      return std::nullopt;
    Assignment each{variable, name, part, {}};
    if (before || after) {
      if (part.end - part.begin != 2) return std::nullopt;
    } else if (is_assignment(tokens_.at(i + 1))) {
      each.value = {i + 2, part.end};
      if (!use(each.value)) return std::nullopt;
    } else {
      return std::nullopt;
    }
    out.push_back(each);
    i = part.end + 1;
  }
  return out;
}

bool BlockVariables::read_parameters(const CppFunction& function) {
  for (int i = function.open + 1; i < function.close;) {
    TokenRange part{i, i};
    while (part.end < function.close && tokens_.at(part.end) != ",") {
      const int match = tokens_[part.end].match;
      const int behind =
          tokens_.at(part.end) == "<" ? tokens_.after_template(part.end, function.close) : part.end;
      part.end = match > part.end ? match + 1 : behind > part.end ? behind : part.end + 1;
    }
    const auto read = read_declaration(part);
    if (!read || read->size() != 1 || !read->front().value.empty()) return false;
    BlockVariable& variable = variables_[static_cast<size_t>(read->front().variable)];
    variable.parameter = true;
    if (!variable.extents.empty()) return false;
    i = part.end + 1;
  }
  return true;
}

}  // namespace gpy::rt
