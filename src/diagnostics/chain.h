#pragma once
// An exception and those that led to it.

#include <vector>

#include "src/diagnostics/diagnostic.h"
#include "src/objects/exception.h"

namespace gpy {

struct Chained {
  Ref<Exception> exception;
  Diagnostic::Link link = Diagnostic::none;  // how it follows the next one here
  size_t left_out = 0;                       // errors in between that a long chain leaves out
};

// The last exception comes first. A long chain is cut to its two ends.
std::vector<Chained> chain_of(Exception* exception);

}  // namespace gpy
