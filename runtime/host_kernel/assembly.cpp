#include "runtime/host_kernel/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

namespace gpy::rt {
namespace {

// Called where the stop word is set. It may return, so nothing may change that the loop relies on:
// flags, and all registers that a C function may change, the vector registers among them. gpy fills
// in _gpy_host: the function to call, and the bytes that xsave takes on this processor.
constexpr std::string_view kPollFunction = R"(
	.text
	.p2align 4
	.hidden	_gpy_poll
	.type	_gpy_poll, @function
_gpy_poll:
	pushfq
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rbp
	movq	%rsp, %rbp
	subq	8+_gpy_host(%rip), %rsp
	andq	$-64, %rsp
	cld
	xorl	%eax, %eax
	movq	%rax, 512(%rsp)
	movq	%rax, 520(%rsp)
	movq	%rax, 528(%rsp)
	movq	%rax, 536(%rsp)
	movq	%rax, 544(%rsp)
	movq	%rax, 552(%rsp)
	movq	%rax, 560(%rsp)
	movq	%rax, 568(%rsp)
	movl	$-1, %eax
	movl	%eax, %edx
	xsave64	(%rsp)
	call	*_gpy_host(%rip)
	movl	$-1, %eax
	movl	%eax, %edx
	xrstor64	(%rsp)
	movq	%rbp, %rsp
	popq	%rbp
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	popfq
	ret
	.size	_gpy_poll, .-_gpy_poll
)";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  size_t end = 0;
  while (end < text.size() && !is_space(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

// The text between the next two quotes, without escapes of quotes and backslashes; takes it off.
std::string take_quoted(std::string_view& text) {
  std::string out;
  size_t i = text.find('"');
  if (i == text.npos) return out;
  for (++i; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  text.remove_prefix(std::min(i + 1, text.size()));
  return out;
}

int take_int(std::string_view& text) {
  const std::string_view word = take_word(text);
  int value = -1;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

// One statement: labels, then an instruction or a directive.
struct Statement {
  std::vector<std::string_view> labels;
  std::string_view operation;  // "jne", ".loc"; empty if there is none
  std::string_view operands;
};

bool symbol_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
         c == '@';
}

// A '#' begins a comment, but not inside a string.
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
       {"notrack", "bnd", "lock", "rep", "repz", "repnz", "data16", "cs", "ds"}) {
    if (word == each) return true;
  }
  return false;
}

Statement read_statement(std::string_view text) {
  Statement out;
  text = trimmed(without_comment(text));
  while (true) {
    size_t end = 0;
    while (end < text.size() && symbol_char(text[end])) ++end;
    if (end == 0 || end >= text.size() || text[end] != ':') break;
    out.labels.push_back(text.substr(0, end));
    text = trimmed(text.substr(end + 1));
  }
  do out.operation = take_word(text);
  while (is_prefix(out.operation) && !text.empty());
  out.operands = text;
  return out;
}

enum class Flags { kSet, kKept, kUnknown };

// What an instruction does to the flags. kSet: all that a jump can test depend on it alone, and it
// reads none itself.
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

class Pass {
 public:
  explicit Pass(const std::vector<std::string>& files) : files_(files) {}

  std::optional<std::string> run(std::string_view assembly) {
    for (size_t start = 0; start < assembly.size() && understood_;) {
      const size_t end = std::min(assembly.find('\n', start), assembly.size());
      read_line(assembly.substr(start, end - start));
      start = end + 1;
    }
    if (!understood_) return std::nullopt;
    out_ += kPollFunction;
    return out_ + table();
  }

 private:
  // What the user wrote between #APP and #NO_APP may hold several statements a line.
  void read_line(std::string_view line) {
    const std::string_view bare = trimmed(line);
    if (bare == "#APP" || bare == "#NO_APP") by_user_ = bare == "#APP";
    if (!by_user_) return read(line);
    for (const char* word : {"/*", ".intel_syntax", ".macro", ".rept", ".irp", ".include"}) {
      understood_ &= line.find(word) == line.npos;
    }
    for (size_t start = 0; start <= line.size();) {
      const size_t end = std::min(line.find(';', start), line.size());
      read(line.substr(start, end - start));
      start = end + 1;
    }
  }

  void read(std::string_view text) {
    const Statement statement = read_statement(text);
    if (!statement.labels.empty()) begin_block(statement);
    const std::string_view operation = statement.operation;
    if (operation.starts_with('.')) {
      append(text);
      return read_directive(operation, statement.operands);
    }
    if (is_loop_edge(statement)) return append_edge(statement, text);
    if (!operation.empty()) note_flags(flags_of(operation));
    append(text);
  }

  void note_flags(Flags flags) {
    if (flags == Flags::kSet) set_at_ = out_.size();
    if (flags == Flags::kUnknown) set_at_ = kNone;
  }

  void begin_block(const Statement& statement) {
    set_at_ = kNone;
    for (std::string_view label : statement.labels) labels_.emplace(label);
  }

  void append(std::string_view text) { (out_ += text) += '\n'; }

  // --- polls ---

  // Each cycle of a program holds a jump to what stands before it, or one to a computed place.
  bool is_loop_edge(const Statement& statement) const {
    const bool loop = statement.operation.starts_with("loop");
    if (!statement.operation.starts_with('j') && !loop) return false;
    std::string_view target = statement.operands;
    if (target.empty() || target[0] == '*') return true;
    if (std::isdigit(static_cast<unsigned char>(target[0]))) return target.ends_with('b');
    target = target.substr(0, target.find('@'));
    return labels_.contains(std::string(target));
  }

  void append_edge(const Statement& statement, std::string_view text) {
    if (set_at_ != kNone && statement.labels.empty()) {
      out_.insert(set_at_, cheap_poll());
    } else {
      append_labels(statement);
      out_ += poll();
      text = text.substr(statement.operation.data() - text.data());
    }
    set_at_ = kNone;
    append(text);
  }

  void append_labels(const Statement& statement) {
    for (std::string_view label : statement.labels) append(fmt::format("{}:", label));
  }

  // Where the flags are free: before the instruction that sets them for the jump. The word is 0, or
  // all ones; so tested, it costs one operation of the processor.
  std::string cheap_poll() {
    const int n = polls_++;
    return fmt::format(
        "\ttestq\t%rsp, _gpy_stop(%rip)\n\tjne\t.Lgpy_call{0}\n.Lgpy_on{0}:\n"
        "\t.subsection 1\n.Lgpy_call{0}:\n\tcall\t_gpy_poll\n\tjmp\t.Lgpy_on{0}\n\t.previous\n",
        n);
  }

  // None of these instructions changes a flag.
  std::string poll() {
    return fmt::format(
        "\tpushq\t%rcx\n\tmovq\t_gpy_stop(%rip), %rcx\n\tjrcxz\t.Lgpy_on{0}\n"
        "\tcall\t_gpy_poll\n.Lgpy_on{0}:\n\tpopq\t%rcx\n",
        polls_++);
  }

  // --- lines ---

  void read_directive(std::string_view directive, std::string_view operands) {
    if (directive == ".file") return read_file(operands);
    if (directive == ".cfi_startproc") return mark(kFunctionStart, 0);
    if (directive == ".loc") {
      const int file = take_int(operands), line = take_int(operands);
      const auto known = numbers_.find(file);
      return mark(known == numbers_.end() || line <= 0 ? kNoUserFile : known->second, line);
    }
    if (directive == ".text" || directive == ".section") begin_section();
  }

  void begin_section() {
    set_at_ = kNone;
    same_line_ = false;
  }

  // .file 2 "script.gpy", .file 2 "folder" "script.gpy"
  void read_file(std::string_view operands) {
    if (operands.empty() || operands[0] == '"') return;
    const int number = take_int(operands);
    std::string name = take_quoted(operands);
    const std::string base = take_quoted(operands);
    if (!base.empty()) name = base.starts_with('/') ? base : name + '/' + base;
    for (size_t i = 0; i < files_.size(); ++i) {
      if (name == files_[i] || name.ends_with('/' + files_[i]))
        numbers_[number] = static_cast<int>(i);
    }
  }

  void mark(int file, int line) {
    if (same_line_ && marks_.back().file == file && marks_.back().line == line) return;
    same_line_ = true;
    append(fmt::format(".Lgpy_at{}:", marks_.size()));
    marks_.push_back({0, file, line});
  }

  std::string table() const {
    std::string out = "\t.section\t.gpy_lines,\"a\",@progbits\n\t.p2align 2\n";
    out += "\t.globl\t_gpy_lines\n_gpy_lines:\n";
    for (size_t i = 0; i < marks_.size(); ++i) {
      out += fmt::format("\t.long\t.Lgpy_at{}-., {}, {}\n", i, marks_[i].file, marks_[i].line);
    }
    return out + "\t.globl\t_gpy_lines_end\n_gpy_lines_end:\n";
  }

  static constexpr size_t kNone = std::string::npos;

  const std::vector<std::string>& files_;
  std::unordered_map<int, int> numbers_;    // of the compiler's files: which of ours
  std::unordered_set<std::string> labels_;  // seen so far
  std::vector<LineEntry> marks_;
  std::string out_;
  size_t set_at_ = kNone;  // where in out_ the instruction stands that set the flags last
  int polls_ = 0;
  bool same_line_ = false;  // the last of marks_ holds for what follows
  bool by_user_ = false, understood_ = true;
};

}  // namespace

std::optional<std::string> guard_assembly(std::string_view assembly,
                                          const std::vector<std::string>& files) {
  return Pass(files).run(assembly);
}

std::vector<std::string> line_directive_files(std::string_view source) {
  constexpr std::string_view kDirective = "#line ";
  std::vector<std::string> out;
  for (size_t at = source.find(kDirective); at != source.npos; at = source.find(kDirective, at)) {
    at += kDirective.size();
    std::string_view rest = source.substr(at, source.find('\n', at) - at);
    std::string name = take_quoted(rest);
    if (!name.empty() && name != "<generated>" && std::ranges::find(out, name) == out.end())
      out.push_back(std::move(name));
  }
  return out;
}

}  // namespace gpy::rt
