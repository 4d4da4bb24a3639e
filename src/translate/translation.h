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
#include "src/translate/closures.h"
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
  std::map<std::string, LocalFunction, std::less<>> local_functions;  // of the function around it
  syntax::Span place;                                                 // of its name
  bool is_library = false;                                            // gpy's own text
  bool returns_output = false;  // of an elementwise body: what it returns is its one output
};

// Numba's options, as far as they change what is written.
struct TranslationOptions {
  bool divides_as_numpy = false;  // error_model="numpy": no ZeroDivisionError
  bool checks_bounds = false;
  bool is_parallel = false;
};

// What a program says by number: what it raises and prints. `codes`: its functions, for tracebacks.
struct RaisedValue {
  Value type;
  std::vector<Value> args;
};
struct ProgramValues {
  std::vector<RaisedValue> raised;
  std::vector<Value> texts;
  std::vector<Value> codes;    // each a Code
  std::vector<Value> classes;  // of its instances and named tuples

  // For the collector.
  void report(Visit visit, void* context) const;
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

// The program whose entry is the body, with its outputs by reference. Throws rt::Error
// kTranslation, "kernel 'NAME' does not compile:\nFILE:LINE:COLUMN: error: MESSAGE", for what
// cannot be translated.
rt::typed::Program translate_body(Interpreter& vm, Dialect dialect, Target target,
                                  const TranslationSource& source,
                                  std::vector<TypedParameter> parameters,
                                  std::vector<TypedOutput> outputs);

// A function for arguments of these types, as a program whose entry it is. `statics`: arguments
// that are functions or None, which the body knows; their types are none. Empty: there are none.
struct TranslatedFunction {
  rt::typed::Program program;
  bool has_effects;
  ProgramValues values = {};
};
TranslatedFunction translate_function(Interpreter& vm, Dialect dialect, Target target,
                                      Function& function, const std::vector<TypedType>& types,
                                      const TranslationOptions& options = {},
                                      const std::vector<Value>& statics = {});

}  // namespace gpy
