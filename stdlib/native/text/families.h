#pragma once
// Natives of arrays of text, by family; each takes the arrays' rows (row_loop.h).

#include <span>

#include "src/native.h"

namespace gpy::lib {

std::span<const Native> text_search_rows();
std::span<const Native> text_layout_rows();
std::span<const Native> text_case_rows();
std::span<const Native> text_number_rows();

}  // namespace gpy::lib
