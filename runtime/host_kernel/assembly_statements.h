#pragma once

// The statements of an assembly text as compilers write them for x86-64.

#include <string_view>
#include <vector>

namespace gpy::rt {

// Takes the first word off `text`.
std::string_view take_word(std::string_view& text);
int take_int(std::string_view& text);

// One statement: labels, then an instruction with its prefixes or a directive.
struct AssemblyStatement {
  std::vector<std::string_view> labels;
  std::string_view instruction;  // without the labels, but with the prefixes
  std::string_view operation;    // "jne", ".loc"; empty if there is none
  std::string_view operands;
};

AssemblyStatement read_statement(std::string_view text);

// User assembly, between #APP and #NO_APP, may hold several statements a line.
void update_by_user(std::string_view line, bool& by_user);

// A '#' begins a comment, but not inside a string.
std::string_view without_comment(std::string_view line);
// Whether it stands in front of an instruction, as lock and rep do.
bool is_prefix(std::string_view word);
bool is_jump(std::string_view operation);
bool is_call(std::string_view operation);
// False for "." (here), ".-2" and ".L1+4": a poll would not be in the loop, or moves the target.
bool is_named_or_computed(std::string_view target);
// True for directives that put no bytes into the code: the bytes of others may be instructions.
bool is_harmless(std::string_view directive);
// Whether the section that this directive begins may hold code.
bool begins_code(std::string_view directive, std::string_view operands);

enum class Flags { kSet, kKept, kUnknown };

// The effect of an instruction on the flags. kSet: it alone decides all that a jump can test, and
// it reads none itself.
Flags flags_of(std::string_view operation);

}  // namespace gpy::rt
