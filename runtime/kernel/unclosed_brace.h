#pragma once

// The brace that a text does not close, which a compiler misses at the end of the text only.

#include <string>
#include <string_view>

namespace gpy::rt {

// "script.gpy:12:5", where it opens. Empty where all are closed, and where the preprocessor decides
// which braces count.
std::string unclosed_brace(std::string_view source);

}  // namespace gpy::rt
