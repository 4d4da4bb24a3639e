#pragma once

// A module's code as people read it. It is made anew when it is asked for.

#include <memory>
#include <string>
#include <vector>

#include "runtime/cuda/compiler.h"

namespace gpy::rt::cuda {

// A user's text and its options. Includes other than ours may change between runs: texts that have
// any are not kept on disk.
struct UserText {
  std::string source;
  std::string name;
  std::vector<std::string> options;
  std::vector<std::string> instances;  // of templates

  Compiler::Unit unit(std::span<const std::string> name_expressions) const;
};

class CodeTexts {
 public:
  // Of a text, with these instances of its templates.
  CodeTexts(Compiler& compiler, UserText text) : compiler_(&compiler), text_(std::move(text)) {}
  // Of a file of PTX or machine code.
  explicit CodeTexts(std::string code) : code_(std::move(code)) {}

  // Both throw kNotImplemented where the form cannot be had.
  std::string ptx() const;
  std::string sass() const;

 private:
  Compiler* compiler_ = nullptr;  // null: of a file
  UserText text_;
  std::string code_;
};

}  // namespace gpy::rt::cuda
