#include "runtime/io/save_text.h"

#include <doctest/doctest.h>

#include "io_cases.h"
#include "runtime/io/file.h"

namespace gpy::rt {
namespace {

using namespace io_test;

constexpr const char* kCases =
#include "save_text_cases.inc"
    ;

void read_option(const std::string& text, SaveTextOptions& options) {
  const size_t equals = text.find('=');
  const std::string key = text.substr(0, equals);
  const std::string value = unescape(text.substr(equals + 1));
  if (key == "fmt") options.fmt = split(value, '\x01');
  if (key == "list") options.fmt_is_list = true;
  if (key == "delimiter") options.delimiter = value;
  if (key == "newline") options.newline = value;
  if (key == "header") options.header = value;
  if (key == "footer") options.footer = value;
  if (key == "comments") options.comments = value;
}

Dims c_strides(DType dtype, const Dims& shape) {
  Dims strides(shape.size(), item_size(dtype));
  for (int i = shape.size() - 2; i >= 0; --i) strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

}  // namespace

TEST_CASE("save_text: text and errors are NumPy's") {
  int count = 0;
  for_each_case(kCases, [&](const std::string& line) {
    CAPTURE(line);
    const std::vector<std::string> fields = split(line, '|');
    const DType dtype = *dtype_from_name(fields[0]);
    const Dims shape = dims_from(fields[1]);
    const std::string bytes = bytes_from_hex(fields[2]);
    SaveTextOptions options;
    if (!fields[3].empty()) {
      for (const std::string& text : split(fields[3], '\x02')) read_option(text, options);
    }
    std::string text;
    const std::string error = error_of([&] {
      text = save_text({dtype, shape, c_strides(dtype, shape), bytes.data()}, options);
    });
    ++count;
    CHECK((error == "none" ? text : error) == unescape(fields[5]));
    CHECK((error == "none") == (fields[4] == "ok"));
  });
  CHECK(count > 500);
}

}  // namespace gpy::rt
