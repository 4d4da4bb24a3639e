#pragma once
// Code that parses but can hardly be meant: each case is a SyntaxWarning in CPython's words.

#include <string>
#include <vector>

#include "grammar/ast.h"

namespace gpy {

struct Doubt {
  std::string message;
  syntax::Span span;
};

using Doubts = std::vector<Doubt>;

void note_doubts(const syntax::Assert& node, Doubts& doubts);     // (x, "text") is always true
void note_doubts(const syntax::Compare& node, Doubts& doubts);    // x is 1
void note_doubts(const syntax::Call& node, Doubts& doubts);       // 3()
void note_doubts(const syntax::Subscript& node, Doubts& doubts);  // "abc"["a"], 3[0]

}  // namespace gpy
