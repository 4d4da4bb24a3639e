#include "runtime/io/load_text.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/io/parse_number.h"
#include "runtime/memory/account.h"
#include "runtime/text/string_text.h"

namespace gpy::rt {
void check_options(const LoadTextOptions& options) {
  check_syntax(options.syntax);
  if (options.skiprows < 0 || options.max_rows.value_or(0) < 0) {
    fail(ErrorKind::kValue, "argument must be nonnegative");
  }
  if (options.ndmin < 0 || options.ndmin > 2) {
    fail(ErrorKind::kValue, "Illegal value of ndmin keyword: {}", options.ndmin);
  }
}

namespace {

// A table that grows row by row.
class Table {
 public:
  explicit Table(const LoadTextOptions& options) : options_(options) {
    if (options.usecols) columns_ = options.usecols->size();
  }

  void add_row(const std::vector<std::string_view>& fields) {
    if (rows_ % 256 == 0) poll_interrupt();
    if (!options_.usecols) check_width(fields.size());
    const size_t width = options_.usecols ? columns_ : fields.size();
    const int64_t item = item_size(options_.dtype);
    const size_t start = data_.size();
    room_.add(2 * width * item);  // the old buffer stays during the move
    data_.resize(start + width * item);
    for (size_t i = 0; i < width; ++i) {
      const size_t column = options_.usecols ? column_of(i, fields.size()) : i;
      if (!store_number(fields[column], options_.dtype, &data_[start + i * item])) {
        fail(ErrorKind::kValue, "could not convert string {} to {} at row {}, column {}.",
             string_repr(fields[column]), name(options_.dtype), rows_, column + 1);
      }
    }
    ++rows_;
  }

  HostArray finish() {
    Dims shape{rows_, static_cast<int64_t>(rows_ == 0 && !options_.usecols ? 1 : columns_)};
    return {options_.dtype, squeezed(shape), std::move(data_)};
  }

 private:
  void check_width(size_t width) {
    if (rows_ == 0) columns_ = width;
    if (columns_ == width) return;
    fail(ErrorKind::kValue,
         "the number of columns changed from {} to {} at row {}; use `usecols` to select a subset "
         "and avoid this error",
         columns_, width, rows_ + 1);
  }

  size_t column_of(size_t i, size_t width) const {
    const int64_t asked = (*options_.usecols)[i];
    const int64_t column = asked < 0 ? asked + static_cast<int64_t>(width) : asked;
    if (column < 0 || column >= static_cast<int64_t>(width)) {
      fail(ErrorKind::kValue, "invalid column index {} at row {} with {} columns", asked, rows_ + 1,
           width);
    }
    return column;
  }

  Dims squeezed(const Dims& shape) const {
    if (options_.ndmin == 2) return shape;
    Dims result;
    for (int64_t extent : shape) {
      if (extent != 1) result.push_back(extent);
    }
    if (result.empty() && options_.ndmin == 1) result.push_back(1);
    return result;
  }

  const LoadTextOptions& options_;
  int64_t rows_ = 0;
  size_t columns_ = 0;
  std::vector<std::byte> data_;
  Charge room_;
};

}  // namespace

LoadedText load_text(std::string_view text, const LoadTextOptions& options) {
  check_options(options);
  TextRows rows(text, options.syntax);
  rows.skip_lines(options.skiprows);
  Table table(options);
  std::vector<std::string_view> fields;
  const int64_t limit = options.max_rows.value_or(INT64_MAX);
  while (rows.count() < limit && rows.next(fields)) table.add_row(fields);
  return {table.finish(), rows.count(), rows.rows_before_blank()};
}

}  // namespace gpy::rt
