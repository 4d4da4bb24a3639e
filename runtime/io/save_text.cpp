#include "runtime/io/save_text.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/io/percent_format.h"
#include "runtime/memory/account.h"
#include "runtime/text/string_text.h"

namespace gpy::rt {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) text += (i ? separator : "") + parts[i];
  return text;
}

std::string list_text(const std::vector<std::string>& parts) {
  std::vector<std::string> quoted;
  for (const std::string& part : parts) quoted.push_back(string_repr(part));
  return "[" + joined(quoted, ", ") + "]";
}

// The format of a whole row.
std::string row_format(const SaveTextOptions& options, int64_t columns, bool is_complex) {
  const auto count = static_cast<size_t>(columns);
  if (options.fmt_is_list) {
    if (options.fmt.size() == count) return joined(options.fmt, options.delimiter);
    fail(ErrorKind::kValue, "fmt has wrong shape.  {}", list_text(options.fmt));
  }
  const std::string& fmt = options.fmt.at(0);
  const auto percents = static_cast<size_t>(std::count(fmt.begin(), fmt.end(), '%'));
  if (percents == 1) {
    const std::string one = is_complex ? " (" + fmt + "+" + fmt + "j)" : fmt;
    return joined(std::vector<std::string>(count, one), options.delimiter);
  }
  if (percents == (is_complex ? 2 * count : count)) return fmt;
  fail(ErrorKind::kValue, "fmt has wrong number of % formats:  {}", fmt);
}

void append_comment(std::string& out, std::string text, const SaveTextOptions& options) {
  if (text.empty()) return;
  replace_all(text, "\n", "\n" + options.comments);
  out += options.comments + text + options.newline;
}

// The row's numbers; a complex one is two.
std::vector<Scalar> row_values(const HostView& view, const char* row, int64_t columns) {
  std::vector<Scalar> values;
  const DType part = real_type(view.dtype);
  for (int64_t i = 0; i < columns; ++i) {
    const Scalar value = Scalar::load(view.dtype, row + (i ? i * view.strides.back() : 0));
    if (!is_complex(view.dtype)) {
      values.push_back(value);
      continue;
    }
    values.push_back(Scalar::of(part, value.as_complex().real()));
    values.push_back(Scalar::of(part, value.as_complex().imag()));
  }
  return values;
}

}  // namespace

std::string save_text(const HostView& view, const SaveTextOptions& options) {
  const int rank = view.shape.size();
  if (rank != 1 && rank != 2) {
    fail(ErrorKind::kValue, "Expected 1D or 2D array, got {}D array instead", rank);
  }
  const int64_t columns = rank == 1 ? 1 : view.shape[1];
  const bool is_complex_array = is_complex(view.dtype);
  const std::string text_format = row_format(options, columns, is_complex_array);
  const PercentFormat format(text_format);
  std::string out;
  Charge room;
  append_comment(out, options.header, options);
  for (int64_t i = 0; i < view.shape[0]; ++i) {
    if (i % 256 == 0) poll_interrupt();
    const char* row = static_cast<const char*>(view.data) + i * view.strides[0];
    std::string line;
    if (!format.try_append(line, row_values(view, row, columns))) {
      fail(ErrorKind::kType, "Mismatch between array dtype ('{}') and format specifier ('{}')",
           name(view.dtype), text_format);
    }
    if (is_complex_array) replace_all(line, "+-", "-");
    room.add(2 * line.size());  // the old buffer stays during the move
    out += line + options.newline;
  }
  append_comment(out, options.footer, options);
  return out;
}

}  // namespace gpy::rt
