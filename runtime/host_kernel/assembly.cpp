#include "runtime/host_kernel/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include "runtime/host_kernel/assembly_statements.h"
#include "runtime/host_kernel/host_shim.h"
#include "runtime/kernel/cuda_source.h"
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

bool is_leaf_function(std::string_view symbol) {
  return std::ranges::find(kLeafFunctions, symbol.substr(0, symbol.find('@'))) !=
         std::end(kLeafFunctions);
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
    const AssemblyStatement statement = read_statement(text);
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
  void read_instruction(const AssemblyStatement& statement) {
    add_instruction(statement);
    is_switch_ = false;
  }

  void add_instruction(const AssemblyStatement& statement) {
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

  void begin_block(const AssemblyStatement& statement) {
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
  bool is_loop_edge(const AssemblyStatement& statement) const {
    if (is_switch_) return false;
    if (by_user_ && statement.operation.starts_with("ret")) return true;
    if (!is_jump(statement.operation) && !(by_user_ && is_call(statement.operation))) return false;
    std::string_view target = statement.operands;
    if (target.empty() || target[0] == '*') return true;
    if (std::isdigit(static_cast<unsigned char>(target[0]))) return target.ends_with('b');
    return labels_.contains(std::string(target.substr(0, target.find('@'))));
  }

  // Inserts a poll for the jump that begins at `begin`.
  void insert_poll(const AssemblyStatement& jump, size_t begin) {
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

std::optional<std::string> guard_assembly(std::string_view assembly,
                                          const std::vector<std::string>& files) {
  return Pass(files).run(assembly);
}

}  // namespace gpy::rt
