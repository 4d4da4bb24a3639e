#pragma once

// The statements of a function's body.

#include <functional>
#include <optional>
#include <vector>

#include "runtime/host_kernel/cpp_tokens.h"

namespace gpy::rt {

struct Statement {
  enum class Kind : uint8_t {
    kSimple,
    kBarrier,
    kBlock,
    kIf,
    kFor,
    kWhile,
    kDo,
    kSwitch,
    kReturn,
    kBreak,
    kContinue
  };
  Kind kind;
  int begin, end;                     // its tokens
  int head = 0, head_end = 0;         // what its parentheses hold
  std::vector<Statement> parts = {};  // of a block; both branches; the body
};

// The statements between two braces. Nothing where there are some of another kind.
std::optional<std::vector<Statement>> read_statements(const CppTokens& tokens, int open);

// Whether a statement of this kind is in it; jumps count where they leave it.
bool holds(const Statement& statement, Statement::Kind kind);

}  // namespace gpy::rt
