#pragma once
// Functions of the language as the typed form, for the types of one call.
//
// A body is walked again and again until the types of its variables no longer change; the last walk
// is the result. Names that are not local are looked up while translating, and count as constants.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grammar/ast.h"
#include "src/interpreter.h"
#include "src/translate/dialect.h"

namespace gpy {

enum class Target : uint8_t { kElement, kFunction, kGrid };

// The text of a function and where its names are looked up.
struct TranslationSource {
  std::string name;
  std::shared_ptr<const syntax::Tree> tree;  // keeps the nodes
  syntax::StmtList body;
  const syntax::Expr* value = nullptr;  // of a lambda, which has no body
  Dict* globals = nullptr;
  std::vector<std::pair<std::string, Value>> captured;  // variables of enclosing functions
};

struct TypedParameter {
  std::string name;
  TypedType type;
};

// An output of an elementwise body: its dtype, or whatever the body gives it.
struct TypedOutput {
  std::string name;
  std::optional<rt::DType> dtype;
  syntax::Span place;
};

// The program whose entry is the body, with its outputs by reference. Throws rt::Error kCompile,
// "kernel 'NAME' does not compile:\nFILE:LINE:COLUMN: error: MESSAGE", for what cannot be
// translated.
rt::typed::Program translate_body(Interpreter& vm, Dialect dialect, Target target,
                                  const TranslationSource& source,
                                  std::vector<TypedParameter> parameters,
                                  std::vector<TypedOutput> outputs);

// A function for arguments of these types, as a program whose entry it is.
struct TranslatedFunction {
  rt::typed::Program program;
  bool has_effects;
};
TranslatedFunction translate_function(Interpreter& vm, Dialect dialect, Target target,
                                      Function& function, const std::vector<TypedType>& types);

}  // namespace gpy
