#include "runtime/host_kernel/inline_ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/host_kernel/ptx_meanings.h"
#include "runtime/kernel/cuda_source.h"
#include "runtime/kernel/line_directives.h"

namespace gpy::rt {
namespace {

// Calls visit(part) for each part between marks outside of brackets. `clean` is the text without
// comments and literals.
template <class Visit>
void each_part(std::string_view text, std::string_view clean, char mark, Visit visit) {
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? clean[i] : mark;
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (i < text.size() && (c != mark || depth > 0)) continue;
    visit(text.substr(start, i - start), clean.substr(start, i - start));
    start = i + 1;
  }
}

// An assembly statement: what it says, and the expressions of its operands, outputs first.
struct Statement {
  std::vector<std::string> instructions;
  std::vector<std::string> operands;
};

void add_operands(Statement& statement, std::string_view text, std::string_view clean) {
  each_part(text, clean, ',', [&](std::string_view operand, std::string_view blanked) {
    const size_t open = blanked.find('('), close = blanked.rfind(')');
    if (open == blanked.npos || close == blanked.npos) return;
    statement.operands.emplace_back(operand.substr(open, close + 1 - open));
  });
}

void add_instructions(Statement& statement, std::string_view literals) {
  std::string text;
  while (literals.find('"') != literals.npos) text += take_quoted(literals);
  std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
  each_part(text, text, ';', [&](std::string_view instruction, std::string_view) {
    if (!trimmed(instruction).empty()) statement.instructions.emplace_back(trimmed(instruction));
  });
}

Statement read_statement(std::string_view text, std::string_view clean) {
  Statement statement;
  int part = 0;
  each_part(text, clean, ':', [&](std::string_view section, std::string_view blanked) {
    if (part == 0) add_instructions(statement, section);
    if (part == 1 || part == 2) add_operands(statement, section, blanked);
    ++part;
  });
  return statement;
}

std::string_view operation(std::string_view instruction) {
  if (instruction.starts_with('@')) {  // behind a predicate
    instruction.remove_prefix(std::min(instruction.find(' '), instruction.size()));
    instruction = trimmed(instruction);
  }
  return instruction.substr(0, instruction.find_first_of(" \t\n"));
}

// The host's own instructions have no dots in their names, and its directives begin with one.
bool is_ptx(std::string_view instruction) {
  const std::string_view name = operation(instruction);
  if (find_instruction(instruction) || name == ".reg" || name == "exit") return true;
  const size_t dot = name.find('.');
  return dot != name.npos && dot > 0 && name.find(':') == name.npos;
}

// "%0" of "mov.u32 %0, %%laneid": the operand's expression.
std::optional<std::string> operand(const Statement& statement, std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with('%') || text.size() < 2) return std::nullopt;
  text.remove_prefix(1);
  if (!std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); }))
    return std::nullopt;
  const size_t at = text.size() > 2 ? text.npos : std::stoul(std::string(text));
  if (at >= statement.operands.size()) return std::nullopt;
  return statement.operands[at];
}

// The C++ of one instruction, if it has any here.
std::optional<std::string> translated(const Statement& statement, std::string_view instruction) {
  if (const PtxMeaning* whole = find_instruction(instruction)) return std::string(whole->cpp);
  const std::string_view name = operation(instruction);
  std::string_view rest = instruction.substr(name.size());
  const size_t comma = rest.find(',');
  const auto to = operand(statement, rest.substr(0, comma));
  if (!to) return std::nullopt;
  if (name == "activemask.b32") return *to + " = __activemask()";
  if (!name.starts_with("mov.") || comma == rest.npos) return std::nullopt;
  std::string_view from = trimmed(rest.substr(comma + 1));
  while (from.starts_with('%')) from.remove_prefix(1);
  const PtxMeaning* value = find_register(from);
  if (!value) return std::nullopt;
  return fmt::format("{} = {}", *to, value->cpp);
}

// What makes the preprocessor tell it, and an expression for the place.
std::string refusal(std::string_view instruction) {
  const std::string_view name = operation(instruction);
  const PtxMeaning* instead = find_alternative(name.substr(0, name.find('.')));
  std::string shown;
  for (const char c : instruction) shown += c == '"' || c == '\\' || c == '\n' ? ' ' : c;
  return fmt::format(
      "_Pragma(\"GCC error \\\"inline PTX runs on a GPU alone ({}): use {}\\\"\") (void)0", shown,
      instead ? instead->cpp : "C++ instead, here or in an #else of #ifdef __CUDA_ARCH__");
}

std::string cpp_of(const Statement& statement) {
  std::string out;
  for (const std::string& instruction : statement.instructions) {
    if (instruction.starts_with(".reg") && statement.instructions.size() > 1) continue;
    const auto each = translated(statement, instruction);
    if (!each) return refusal(instruction);
    out += (out.empty() ? "" : ", ") + *each;
  }
  return out;
}

// The ends of the lines of `text`, as they are in a macro too: what follows keeps its line.
std::string line_ends(std::string_view text) {
  std::string out;
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    out += at > 0 && text[at - 1] == '\\' ? "\\\n" : "\n";
  return out;
}

bool has_word(std::string_view text, size_t at, std::string_view word) {
  if (text.compare(at, word.size(), word) != 0) return false;
  const size_t end = at + word.size();
  return (at == 0 || !is_name_char(text[at - 1])) &&
         (end == text.size() || !is_name_char(text[end]));
}

// The bracket that opens a statement which begins at `at`; npos where none does.
size_t statement_bracket(std::string_view clean, size_t at) {
  size_t end = at;
  for (const std::string_view word : {"asm", "__asm__", "__asm"}) {
    if (has_word(clean, at, word)) end = at + word.size();
  }
  if (end == at) return clean.npos;
  for (size_t i = clean.find_first_not_of(" \t\n\\", end); i != clean.npos;
       i = clean.find_first_not_of(" \t\n\\", i)) {
    if (clean[i] == '(') return i;
    if (has_word(clean, i, "volatile")) i += 8;
    else if (has_word(clean, i, "__volatile__")) i += 12;
    else break;
  }
  return clean.npos;
}

}  // namespace

std::string with_inline_ptx(const std::string& source) {
  if (source.find("asm") == source.npos) return source;
  const std::string clean = without_comments(source);
  std::string out;
  size_t done = 0;
  for (size_t at = clean.find("asm"); at != clean.npos; at = clean.find("asm", at + 1)) {
    const size_t word = at >= 2 && clean.compare(at - 2, 2, "__") == 0 ? at - 2 : at;
    const size_t open = statement_bracket(clean, word);
    const size_t close = open == clean.npos ? open : closing_bracket(clean, open);
    if (close == clean.npos) continue;
    const std::string_view inside = std::string_view(source).substr(open + 1, close - open - 1);
    const Statement statement =
        read_statement(inside, std::string_view(clean).substr(open + 1, inside.size()));
    if (!std::ranges::any_of(statement.instructions, is_ptx)) continue;
    out.append(source, done, word - done) += cpp_of(statement);
    out += line_ends(std::string_view(source).substr(word, close - word));
    done = close + 1;
    at = close;
  }
  return out.append(source, done);
}

}  // namespace gpy::rt
