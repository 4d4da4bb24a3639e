// Text that goes between a host and its scripts is UTF-8, in both directions.

#include <doctest/doctest.h>

#include "src/embed/gpy.hpp"

using namespace gpy::host;

namespace {

Error error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  return Error("none", "");
}

// Whether the text is ASCII alone: all else in these tests is lone surrogates, which are escaped.
bool is_plain(std::string_view text) {
  for (char c : text) {
    if (c < 0) return false;
  }
  return !text.empty();
}

}  // namespace

TEST_CASE("text of a host that is not UTF-8 is an error") {
  Interpreter gpy;
  const Error error = error_of([&] { gpy.make("a\xFF"); });
  CHECK(error.type() == "UnicodeDecodeError");
  CHECK(error.message() ==
        "'utf-8' codec can't decode byte 0xff in position 1: invalid start byte");
  for (const char* text : {"\xFF", "\xE2\x82", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    CAPTURE(text);
    CHECK(error_of([&] { gpy.make(text); }).type() == "UnicodeDecodeError");
    CHECK(error_of([&] { gpy.get(text); }).type() == "UnicodeDecodeError");
    CHECK(error_of([&] { gpy.set(text, gpy.make(1)); }).type() == "UnicodeDecodeError");
    CHECK(error_of([&] { gpy.define(text, {}); }).type() == "UnicodeDecodeError");
    CHECK(error_of([&] { gpy.run("x = 1", text); }).type() == "UnicodeDecodeError");
    CHECK(error_of([&] { gpy.make(1).attribute(text); }).type() == "UnicodeDecodeError");
    CHECK(error_of([&] { gpy.run("'" + std::string(text) + "'"); }).type() == "SyntaxError");
    CHECK(error_of([&] { gpy.evaluate("'" + std::string(text) + "'"); }).type() == "SyntaxError");
  }
  CHECK(gpy.make("caf\xC3\xA9").to_text() == "caf\xC3\xA9");
  CHECK(gpy.evaluate("1 + 1").to_int() == 2);
}

TEST_CASE("a device whose name is not UTF-8 is an error that is") {
  const Error error = error_of([] { Interpreter gpy({.device = "\xFF"}); });
  CHECK(error.type() == "ValueError");
  CHECK(error.message() == "unknown device '\\udcff': use cpu, cuda or cuda:N");
}

TEST_CASE("a host function that makes such text raises in the script") {
  Interpreter gpy;
  gpy.define("name", [&](const std::vector<Value>&) { return gpy.make("\xFF"); });
  gpy.run("try:\n  name()\nexcept UnicodeDecodeError as e:\n  reason = e.reason");
  CHECK(gpy.get("reason").to_text() == "invalid start byte");
}

TEST_CASE("a lone surrogate is an error for a host, which may ask for the bytes") {
  Interpreter gpy;
  gpy.run("name = 'a\\udcff'; half = '\\ud800'; both = '\\ud83d' + '\\ude00'");
  const Error error = error_of([&] { gpy.get("name").to_text(); });
  CHECK(error.type() == "UnicodeEncodeError");
  CHECK(error.message() ==
        "'utf-8' codec can't encode character '\\udcff' in position 1: surrogates not allowed");
  CHECK(gpy.get("name").to_bytes() == "a\xFF");
  CHECK(gpy.get("name").repr() == "'a\\udcff'");
  CHECK(error_of([&] { gpy.get("half").to_bytes(); }).type() == "UnicodeEncodeError");
  CHECK(error_of([&] { gpy.get("both").to_text(); }).type() == "UnicodeEncodeError");
}

TEST_CASE("errors and warnings are UTF-8 whatever they tell of") {
  std::string warned;
  Options options;
  options.err = [&](std::string_view text) { warned += text; };
  Interpreter gpy(options);
  const Error error = error_of([&] { gpy.run("raise ValueError('\\ud800')"); });
  CHECK(error.message() == "\\ud800");
  CHECK(is_plain(error.what()));
  CHECK(is_plain(error.json()));
  CHECK(is_plain(error.diagnostics().at(0).message));
  CHECK(is_plain(error_of([&] { gpy.run("x = '\xFF'"); }).what()));
  CHECK(is_plain(error_of([&] { gpy.run("x = '\xFF'"); }).json()));
  gpy.run("import warnings; warnings.warn('\\udcff')");
  CHECK(is_plain(warned));
}

TEST_CASE("bytes in a host's own error do not break the script that is told of it") {
  Interpreter gpy;
  gpy.define("fail",
             [](const std::vector<Value>&) -> Value { throw std::runtime_error("no \xE2"); });
  gpy.run("try:\n  fail()\nexcept RuntimeError as e:\n  told = ascii(str(e))");
  CHECK(gpy.get("told").to_text() == "'no \\udce2'");
}
