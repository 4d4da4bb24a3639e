// Chained exceptions, and long trails: their reports are bounded.

#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <string>

#include "src/embed/gpy.hpp"

namespace gpy::host {

namespace {

constexpr size_t kMostText = 4 << 20;

Error error_of(Interpreter& gpy, const std::string& source) {
  try {
    gpy.run(source);
  } catch (const Error& error) {
    return error;
  }
  FAIL("it raised nothing");
  return Error("none", "");
}

void check_size(const Error& error) {
  CHECK(std::strlen(error.what()) < kMostText);
  CHECK(error.json().size() < kMostText);
}

// `latest` is the last of so many, each of which was raised from the one before it.
std::string chain(int length, const std::string& message) {
  return "latest = None\ntext = " + message + "\nfor i in range(" + std::to_string(length) +
         "):\n    try: raise ValueError(text or i) from latest\n"
         "    except ValueError as e: latest = e\n";
}

bool is_soon(std::chrono::steady_clock::time_point begun) {
  return std::chrono::steady_clock::now() - begun < std::chrono::seconds(5);
}

}  // namespace

TEST_CASE("of a long chain of causes the first and the last are told, and how many are not") {
  Interpreter gpy;
  const auto begun = std::chrono::steady_clock::now();
  const Error error = error_of(gpy, chain(50'000, "None") + "raise latest");
  CHECK(is_soon(begun));
  check_size(error);
  const auto& told = error.diagnostics();
  REQUIRE(told.size() == 100);
  CHECK(told[0].message == "0");
  CHECK(told[49].message == "49");
  CHECK(told[50].message == "49950");
  CHECK(told[50].left_out == 49'900);
  CHECK(told[50].link == Diagnostic::cause);
  CHECK(told[51].left_out == 0);
  CHECK(error.message() == "49999");
  const std::string text = error.what();
  CHECK(text.find("ValueError: 49\n\n[49900 more exceptions not shown, each of which led to the "
                  "next]\n\nThe above") != std::string::npos);
  CHECK(error.json().find("\"follows_as\":\"cause\",\"left_out\":49900}") != std::string::npos);
  CHECK(error_of(gpy, chain(100, "None") + "raise latest").diagnostics()[50].left_out == 0);
}

TEST_CASE("long messages of a chain have one bound together") {
  Interpreter gpy;
  gpy.limit({.seconds = 5, .memory = 16 << 20, .output = 1 << 20});
  const Error causes = error_of(gpy, chain(200, "'y' * 10 ** 6") + "raise latest");
  CHECK(causes.type() == "ValueError");
  CHECK(causes.message() == std::string(1'000'000, 'y'));
  CHECK(causes.diagnostics()[0].message.ends_with("y... [999000 bytes more]"));
  check_size(causes);
  const Error contexts = error_of(gpy,
                                  "def f(k):\n    try: raise ValueError(text)\n"
                                  "    finally:\n        if k: f(k - 1)\nf(200)\n");
  CHECK(contexts.diagnostics().size() == 100);
  CHECK(contexts.diagnostics().back().link == Diagnostic::context);
  check_size(contexts);
}

TEST_CASE("a chain that a script shows itself is held by its limits") {
  Interpreter gpy({.err = [](std::string_view) {}});
  gpy.run("import traceback\n" + chain(200, "'y' * 10 ** 6"));
  gpy.limit({.memory = 32 << 20});
  gpy.run("lines = traceback.format_exception(latest)");
  CHECK(gpy.evaluate("sum(map(len, lines))").to_int() < int64_t{kMostText});
  gpy.run("lines = traceback.format_exception(latest, chain=False)");
  CHECK(gpy.evaluate("len(lines)").to_int() == 5);
  gpy.limit({.output = 1 << 20});
  CHECK(error_of(gpy, "traceback.print_exception(latest)\nfor i in range(10): pass").stopped() ==
        Stop::output);
  gpy.limit({.seconds = 0.2});
  gpy.run(
      "class Slow(Exception):\n    def __str__(self):\n        for i in range(10 ** 6): str(i)\n");
  const auto begun = std::chrono::steady_clock::now();
  const Error slow = error_of(
      gpy,
      "latest = None\nfor i in range(100):\n    error = Slow(i)\n    error.__cause__ = latest\n"
      "    latest = error\ntraceback.print_exception(latest)\n");
  CHECK(slow.stopped() == Stop::deadline);
  CHECK(error_of(gpy, "raise latest").type() == "Slow");
  CHECK(is_soon(begun));
}

TEST_CASE("an error keeps its message where those that led to it take too long") {
  Interpreter gpy;
  const Error error = error_of(gpy,
                               "class Endless(Exception):\n    def __str__(self):\n"
                               "        while True: pass\n"
                               "latest = ValueError('first')\nfor i in range(3):\n"
                               "    error = Endless()\n    error.__cause__ = latest\n"
                               "    latest = error\n"
                               "raise ValueError('the last') from latest");
  CHECK(error.message() == "the last");
  const auto& told = error.diagnostics();
  REQUIRE(told.size() == 2);
  CHECK(told[0].message == "<exception str() failed>");
  CHECK(told[0].left_out == 3);
  CHECK(told[1].left_out == 0);
}

TEST_CASE("of a long trail the two ends are told, and how much is not") {
  Interpreter gpy;
  std::string source = "def f0(): raise ValueError('deep')\n";
  for (int i = 1; i <= 300; ++i) {
    source += "def f" + std::to_string(i) + "(): f" + std::to_string(i - 1) + "()\n";
  }
  const Error error = error_of(gpy, source + "f300()\n");
  const auto& frames = error.diagnostics().back().frames;
  REQUIRE(frames.size() == 100);
  CHECK(frames[49].function == "f252");
  CHECK(frames[49].left_out == 202);
  CHECK(frames[50].function == "f49");
  CHECK(error.line() == 1);
  CHECK(std::string(error.what()).find("\n  [202 more frames not shown]\n") != std::string::npos);
  CHECK(error.json().find("\"circle\":1,\"left_out\":202}") != std::string::npos);
}

TEST_CASE("long names and lines of a trail have one bound together") {
  Interpreter gpy;
  const std::string name(300'000, 'f');
  std::string source = "def " + name + "0(): raise ValueError('deep')\n";
  for (int i = 1; i <= 30; ++i) {
    source += "def " + name + std::to_string(i) + "(): " + name + std::to_string(i - 1) + "()\n";
  }
  check_size(error_of(gpy, source + name + "30()\n"));
}

}  // namespace gpy::host
