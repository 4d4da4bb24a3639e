#pragma once
// Labels for the operands of a failed expression.

#include "src/diagnostics/diagnostic.h"
#include "src/diagnostics/failure.h"

namespace gpy {

// The place of the failure first, then its operands. `caret`: that of the innermost frame.
std::vector<SourceLabel> labels_of(const Failure& failure, const SourceRange& caret);

}  // namespace gpy
