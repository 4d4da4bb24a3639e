#include "runtime/io/load_text.h"

#include <doctest/doctest.h>

#include <random>

#include "io_cases.h"

namespace gpy::rt {
namespace {

using namespace io_test;

constexpr const char* kCases =
#include "load_text_cases.inc"
    ;

std::vector<int64_t> columns(const std::string& text) {
  std::vector<int64_t> result;
  for (const std::string& part : split(text, ',')) result.push_back(std::stoll(part));
  return result;
}

void read_option(const std::string& text, LoadTextOptions& options) {
  const size_t equals = text.find('=');
  const std::string key = text.substr(0, equals);
  const std::string value = unescape(text.substr(equals + 1));
  if (key == "delimiter" && value != "None") options.syntax.delimiter = value;
  if (key == "quotechar") options.syntax.quote = value[0];
  if (key == "skiprows") options.skiprows = std::stoll(value);
  if (key == "max_rows") options.max_rows = std::stoll(value);
  if (key == "ndmin") options.ndmin = std::stoi(value);
  if (key == "usecols") options.usecols = columns(value);
  if (key == "comments" && value != "\x03") options.syntax.comments = split(value, '\x01');
  if (key == "comments" && value == "\x03") options.syntax.comments.clear();
}

}  // namespace

TEST_CASE("load_text: arrays and errors are NumPy's") {
  int count = 0;
  for_each_case(kCases, [&](const std::string& line) {
    CAPTURE(line);
    const std::vector<std::string> fields = split(line, '|');
    LoadTextOptions options;
    options.dtype = *dtype_from_name(fields[1]);
    if (!fields[2].empty()) {
      for (const std::string& text : split(fields[2], '\x02')) read_option(text, options);
    }
    HostArray array;
    const std::string error =
        error_of([&] { array = load_text(unescape(fields[0]), options).table; });
    ++count;
    if (fields[3] != "ok") {
      CHECK(error == unescape(fields[4]));
      return;
    }
    CHECK(error == "none");
    CHECK(text_of(array.shape) == fields[4]);
    CHECK(hex_of(array.data.data(), array.data.size()) == fields[5]);
  });
  CHECK(count > 500);
}

TEST_CASE("load_text: every kind of line end") {
  CHECK(text_of(load_text("1 2\r\n3 4\r5 6", {}).table.shape) == "3,2");
}

TEST_CASE("load_text: any bytes give an error or an array, never a crash") {
  std::mt19937 dice(2);
  const std::string alphabet = "0123456789.eE+-()j \t\n\r,;\"#%naif\xc2\xa0\xe3\x80\xff";
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (unsigned n = dice() % 40; n > 0; --n) text += alphabet[dice() % alphabet.size()];
    LoadTextOptions options;
    options.dtype = dtype_at(dice() % kTypeCodes);
    if (dice() % 2) options.syntax.delimiter = ",";
    if (dice() % 2) options.syntax.quote = '"';
    CHECK(error_of([&] { load_text(text, options); }) != "");
  }
}

}  // namespace gpy::rt
