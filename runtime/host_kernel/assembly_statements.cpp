#include "runtime/host_kernel/assembly_statements.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

bool symbol_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
         c == '@';
}

}  // namespace

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  size_t end = 0;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

int take_int(std::string_view& text) {
  const std::string_view word = take_word(text);
  int value = -1;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

void update_by_user(std::string_view line, bool& by_user) {
  const std::string_view bare = trimmed(line);
  if (bare == "#APP" || bare == "#NO_APP") by_user = bare == "#APP";
}

bool is_jump(std::string_view operation) {
  return operation.starts_with('j') || operation.starts_with("loop");
}

bool is_call(std::string_view operation) { return operation.starts_with("call"); }

bool is_harmless(std::string_view directive) {
  constexpr std::string_view kHarmless[] = {
      ".text",  ".data",   ".bss",     ".section", ".previous", ".pushsection", ".popsection",
      ".globl", ".global", ".local",   ".hidden",  ".weak",     ".type",        ".size",
      ".align", ".balign", ".p2align", ".loc",     ".file"};
  return directive.starts_with(".cfi_") ||
         std::ranges::find(kHarmless, directive) != std::end(kHarmless);
}

bool begins_code(std::string_view directive, std::string_view operands) {
  if (directive == ".data" || directive == ".bss") return false;
  for (const char* name : {".rodata", ".data", ".bss", ".tdata", ".tbss", ".gcc_except_table",
                           "gpy_init", "gpy_fini"}) {
    const bool named = directive == ".section" && operands.starts_with(name);
    const size_t flags = operands.find('"');
    if (named) return flags != operands.npos && operands.find('x', flags) != operands.npos;
  }
  return true;
}

bool is_named_or_computed(std::string_view target) {
  if (target.empty() || target[0] == '*') return true;
  return target != "." && std::ranges::all_of(target, symbol_char);
}

std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') ++i;
    else if (line[i] == '"') quoted = !quoted;
    else if (line[i] == '#' && !quoted) return line.substr(0, i);
  }
  return line;
}

bool is_prefix(std::string_view word) {
  for (const char* each :
       {"notrack", "bnd", "lock", "rep", "repe", "repz", "repne", "repnz", "data16", "addr32", "cs",
        "ds", "es", "fs", "gs", "ss", "xacquire", "xrelease"}) {
    if (word == each) return true;
  }
  return false;
}

AssemblyStatement read_statement(std::string_view text) {
  AssemblyStatement out;
  text = trimmed(without_comment(text));
  while (true) {
    size_t end = 0;
    while (end < text.size() && symbol_char(text[end])) ++end;
    if (end == 0 || end >= text.size() || text[end] != ':') break;
    out.labels.push_back(text.substr(0, end));
    text = trimmed(text.substr(end + 1));
  }
  out.instruction = text;
  do out.operation = take_word(text);
  while (is_prefix(out.operation) && !text.empty());
  out.operands = text;
  return out;
}

Flags flags_of(std::string_view operation) {
  for (const char* name :
       {"comiss", "comisd", "ucomiss", "ucomisd", "vcomiss", "vcomisd", "vucomiss", "vucomisd"}) {
    if (operation == name) return Flags::kSet;
  }
  for (const std::string_view base : {"cmp", "test", "add", "sub", "and", "or", "xor", "neg"}) {
    if (!operation.starts_with(base)) continue;
    const std::string_view width = operation.substr(base.size());
    if (width.empty() || width == "b" || width == "w" || width == "l" || width == "q")
      return Flags::kSet;
  }
  if (operation.starts_with("mov") || operation.starts_with("lea")) return Flags::kKept;
  bool tests = false;  // vptest, vcomish, vpcmpestri
  for (const char* part : {"test", "comi", "str"}) tests |= operation.find(part) != operation.npos;
  return operation.starts_with('v') && !tests ? Flags::kKept : Flags::kUnknown;
}

}  // namespace gpy::rt
