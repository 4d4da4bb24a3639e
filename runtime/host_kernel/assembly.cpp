#include "runtime/host_kernel/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include "runtime/host_kernel/host_shim.h"
#include "runtime/kernel/line_directives.h"

namespace gpy::rt {
namespace {

// Called where the stop word is set. It may return, so it must preserve all that the loop relies
// on: flags, and all registers that a C function may change, the vector registers among them. gpy
// fills in _gpy_host: the function to call, and the bytes that xsave takes on this processor.
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

// What stands before the jump to another fiber, in front of the shim's. A cycle of fibers has the
// edges of their own loops.
constexpr std::string_view kSwitchLabel = ".Lgpy_switch";

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

bool is_leaf_function(std::string_view symbol) {
  return std::ranges::find(kLeafFunctions, symbol.substr(0, symbol.find('@'))) !=
         std::end(kLeafFunctions);
}

int take_int(std::string_view& text) {
  const std::string_view word = take_word(text);
  int value = -1;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

// One statement: labels, then an instruction with its prefixes or a directive.
struct Statement {
  std::vector<std::string_view> labels;
  std::string_view instruction;  // without the labels, but with the prefixes
  std::string_view operation;    // "jne", ".loc"; empty if there is none
  std::string_view operands;
};

bool symbol_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
         c == '@';
}

bool is_jump(std::string_view operation) {
  return operation.starts_with('j') || operation.starts_with("loop");
}

bool is_call(std::string_view operation) { return operation.starts_with("call"); }

// True for directives that put no bytes into the code: the bytes of others may be instructions.
bool is_harmless(std::string_view directive) {
  constexpr std::string_view kHarmless[] = {
      ".text",  ".data",   ".bss",     ".section", ".previous", ".pushsection", ".popsection",
      ".globl", ".global", ".local",   ".hidden",  ".weak",     ".type",        ".size",
      ".align", ".balign", ".p2align", ".loc",     ".file"};
  return directive.starts_with(".cfi_") ||
         std::ranges::find(kHarmless, directive) != std::end(kHarmless);
}

// Whether the section that this directive begins may hold code.
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

// False for "." (here), ".-2" and ".L1+4": a poll would not be in the loop, or moves the target.
bool is_named_or_computed(std::string_view target) {
  if (target.empty() || target[0] == '*') return true;
  return target != "." && std::ranges::all_of(target, symbol_char);
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
       {"notrack", "bnd", "lock", "rep", "repe", "repz", "repne", "repnz", "data16", "addr32", "cs",
        "ds", "es", "fs", "gs", "ss", "xacquire", "xrelease"}) {
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
  out.instruction = text;
  do out.operation = take_word(text);
  while (is_prefix(out.operation) && !text.empty());
  out.operands = text;
  return out;
}

enum class Flags { kSet, kKept, kUnknown };

// The effect of an instruction on the flags. kSet: it alone decides all that a jump can test, and
// it reads none itself.
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

// User assembly, between #APP and #NO_APP, may hold several statements a line.
void update_by_user(std::string_view line, bool& by_user) {
  const std::string_view bare = trimmed(line);
  if (bare == "#APP" || bare == "#NO_APP") by_user = bare == "#APP";
}

// The section that replaces one run when the object is opened or closed; empty for others.
std::string_view deferred_section(std::string_view name) {
  if (name.starts_with('"')) name.remove_prefix(1);
  for (const char* at_start : {".init_array", ".preinit_array", ".ctors"}) {
    if (name.starts_with(at_start)) return "gpy_init";
  }
  for (const char* at_end : {".fini_array", ".dtors"}) {
    if (name.starts_with(at_end)) return "gpy_fini";
  }
  return {};
}

// The statement as it is, or with another section.
std::string with_section_deferred(std::string_view text) {
  const Statement statement = read_statement(text);
  const bool names = statement.operation == ".section" || statement.operation == ".pushsection";
  const std::string_view section = names ? deferred_section(statement.operands) : "";
  if (section.empty()) return std::string(text);
  std::string out;
  for (std::string_view label : statement.labels) out += fmt::format("{}:", label);
  return out + fmt::format("\t{}\t{},\"aw\",@progbits", statement.operation, section);
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
  void read_line(std::string_view line) {
    update_by_user(line, by_user_);
    if (!by_user_) return read(line);
    for (const char* word :
         {"/*", ".intel_syntax", ".macro", ".rept", ".irp", ".include", ".set", ".equ", "="}) {
      understood_ &= without_comment(line).find(word) == line.npos;
    }
    for (size_t start = 0; start <= line.size();) {
      const size_t end = std::min(line.find(';', start), line.size());
      read(line.substr(start, end - start));
      start = end + 1;
    }
  }

  void read(std::string_view text) {
    const Statement statement = read_statement(text);
    if (!statement.labels.empty()) {
      begin_block(statement);
      text = statement.instruction;
    }
    const std::string_view operation = statement.operation;
    if (operation.starts_with('.')) {
      if (by_user_ && in_code_) understood_ &= is_harmless(operation);
      append(text);
      return read_directive(operation, statement.operands);
    }
    if (operation == "jmp" && is_leaf_function(statement.operands) && !by_user_)
      return append_call(statement.operands);
    if (!operation.empty()) read_instruction(statement);
    append(text);
  }

  // Writes a function's tail jump as a call: the return address tells who caused a fault inside.
  void append_call(std::string_view function) {
    out_ += fmt::format(
        "\tsubq\t$8, %rsp\n\t.cfi_adjust_cfa_offset 8\n\tcall\t{}\n"
        "\taddq\t$8, %rsp\n\t.cfi_adjust_cfa_offset -8\n\tret\n",
        function);
    set_at_ = kNone;
  }

  // A prefix that is a statement of its own belongs to the next instruction: nothing may come
  // between.
  void read_instruction(const Statement& statement) {
    add_instruction(statement);
    is_switch_ = false;
  }

  void add_instruction(const Statement& statement) {
    const size_t begin = prefix_at_ == kNone ? out_.size() : prefix_at_;
    prefix_at_ = is_prefix(statement.operation) ? begin : kNone;
    if (prefix_at_ != kNone) return;
    if (is_jump(statement.operation) || (by_user_ && is_call(statement.operation)))
      understood_ &= is_named_or_computed(statement.operands);
    if (is_loop_edge(statement)) return insert_poll(statement, begin);
    const Flags flags = flags_of(statement.operation);
    note_flags(statement.operation, flags);
    if (flags == Flags::kSet) set_at_ = begin;
    if (flags == Flags::kUnknown) set_at_ = kNone;
  }

  void begin_block(const Statement& statement) {
    understood_ &= prefix_at_ == kNone;
    set_at_ = kNone;
    for (std::string_view label : statement.labels) {
      is_switch_ = label.starts_with(kSwitchLabel);
      labels_.emplace(label);
      entered_.push_back(label);
      append(fmt::format("{}:", label));
    }
  }

  void append(std::string_view text) { (out_ += text) += '\n'; }

  // --- polls ---

  // Each cycle of a program holds a jump backwards or a computed one. Calls use up the stack, and
  // returns release it, but not in user assembly that changes it.
  bool is_loop_edge(const Statement& statement) const {
    if (is_switch_) return false;
    if (by_user_ && statement.operation.starts_with("ret")) return true;
    if (!is_jump(statement.operation) && !(by_user_ && is_call(statement.operation))) return false;
    std::string_view target = statement.operands;
    if (target.empty() || target[0] == '*') return true;
    if (std::isdigit(static_cast<unsigned char>(target[0]))) return target.ends_with('b');
    return labels_.contains(std::string(target.substr(0, target.find('@'))));
  }

  // Inserts a poll for the jump that begins at `begin`.
  void insert_poll(const Statement& jump, size_t begin) {
    const bool is_plain = jump.operation == "jmp" && jump.instruction.starts_with("jmp");
    if (set_at_ != kNone) out_.insert(set_at_, cheap_poll());
    else if (is_plain && resets_flags_.contains(std::string(jump.operands)))
      out_.insert(begin, cheap_poll());
    else out_.insert(begin, poll());
    set_at_ = kNone;
    entered_.clear();
  }

  // What the code behind the labels does with the flags first.
  void note_flags(std::string_view operation, Flags flags) {
    const bool is_lost = !by_user_ && (is_call(operation) || operation == "ret");
    if (flags == Flags::kKept) return;
    if (flags == Flags::kSet || is_lost) {
      for (const std::string_view label : entered_) resets_flags_.emplace(label);
    }
    entered_.clear();
  }

  // A poll where the flags are free: before the instruction that sets them for the jump, or at a
  // jump to code that sets them anew. The stop word is 0, or all ones, so the test costs one
  // operation of the processor.
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
    for (const char* each :
         {".text", ".data", ".bss", ".section", ".previous", ".pushsection", ".popsection"}) {
      if (directive != each) continue;
      in_code_ = begins_code(directive, operands);
      begin_section();
    }
  }

  void begin_section() {
    set_at_ = kNone;
    entered_.clear();
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
  std::unordered_map<int, int> numbers_;          // from the compiler's file numbers to ours
  std::unordered_set<std::string> labels_;        // seen so far
  std::unordered_set<std::string> resets_flags_;  // those whose code reads no flag that it is given
  std::vector<std::string_view> entered_;         // those whose code has left the flags so far
  std::vector<LineEntry> marks_;
  std::string out_;
  size_t set_at_ = kNone;     // where in out_ the instruction stands that set the flags last
  size_t prefix_at_ = kNone;  // where a prefix stands that waits for its instruction
  int polls_ = 0;
  bool is_switch_ = false;  // the next instruction goes on with another fiber
  bool same_line_ = false;  // the last of marks_ holds for the code that follows
  bool in_code_ = true;     // else in a section of data
  bool by_user_ = false, understood_ = true;
};

}  // namespace

std::string defer_initialisers(std::string_view assembly) {
  std::string out;
  bool by_user = false;
  for (size_t start = 0; start < assembly.size();) {
    const size_t line_end = std::min(assembly.find('\n', start), assembly.size());
    update_by_user(assembly.substr(start, line_end - start), by_user);
    const size_t end = by_user ? std::min(assembly.find(';', start), line_end) : line_end;
    out += with_section_deferred(assembly.substr(start, end - start));
    if (end < assembly.size()) out += assembly[end];
    start = end + 1;
  }
  return out;
}

std::optional<std::string> guard_assembly(std::string_view assembly,
                                          const std::vector<std::string>& files) {
  return Pass(files).run(assembly);
}

}  // namespace gpy::rt
