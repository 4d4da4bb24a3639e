#pragma once
// A function's text in the tree of its source.

#include "src/translate/translation.h"

namespace gpy {

struct Code;
struct Function;

// The tree of the code's source, which is parsed again unless it was kept.
std::shared_ptr<const syntax::Tree> tree_of(const Code& code);

// Parses the function's source again. Throws TranslationFailure where the function's text is not
// found in it.
TranslationSource source_of(Interpreter& vm, Function& function);

// The names of the parameters that take `count` arguments by position. Throws TranslationFailure
// where it does not take so many, or collects them.
std::vector<std::string> parameter_names(const Function& function, size_t count,
                                         syntax::Span place);

}  // namespace gpy
