#pragma once

// numpy.loadtxt.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/host_view.h"
#include "runtime/io/text_rows.h"

namespace gpy::rt {

struct LoadTextOptions {
  DType dtype = DType::kFloat64;
  TextSyntax syntax;
  int64_t skiprows = 0;
  std::optional<std::vector<int64_t>> usecols;  // negative ones count from a row's end
  std::optional<int64_t> max_rows;
  int ndmin = 0;
};

// Throws, in NumPy's words, for options that no text can be read with.
void check_options(const LoadTextOptions& options);

struct LoadedText {
  HostArray table;
  int64_t rows = 0;
  std::optional<int64_t> rows_before_blank;  // before the first line that holds nothing
};

// Rows by columns, without the axes of length one that ndmin does not ask for. No rows at all is
// an array with extent 0, which NumPy warns of. Errors have NumPy's words.
LoadedText load_text(std::string_view text, const LoadTextOptions& options);

}  // namespace gpy::rt
