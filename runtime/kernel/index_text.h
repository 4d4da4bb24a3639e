#pragma once

// The types by which the text of a kernel reaches whole arrays and its own place: `raw` parameters
// and `_ind`. They have the names and meanings of CuPy's CArray and CIndexer.

#include <string_view>

namespace gpy::rt {

std::string_view index_text();

}  // namespace gpy::rt
