// Nesting: 200 levels of everything parse; 100,000 give one clean error, on any stack.

#include <pthread.h>

#include <functional>
#include <string_view>
#include <vector>

#include "parsing.h"

namespace gpy::syntax {
namespace {

std::string repeat(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::string blocks(std::string_view header, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += std::string(i, ' ') + std::string(header) + "\n";
  return out + std::string(count, ' ') + "pass\n";
}

struct Nest {
  std::string name;
  std::function<std::string(int)> text;
};

Nest around(std::string name, std::string open, std::string middle, std::string close) {
  return {std::move(name),
          [=](int n) { return repeat(open, n) + middle + repeat(close, n) + "\n"; }};
}

std::vector<Nest> expressions() {
  return {
      around("parentheses", "(", "x", ")"),
      around("tuples", "(", "x", ",)"),
      around("lists", "[", "x", "]"),
      around("sets", "{", "x", "}"),
      around("dicts", "{x: ", "x", "}"),
      around("calls", "f(", "x", ")"),
      around("keyword arguments", "f(a=", "x", ")"),
      around("subscripts", "x[", "x", "]"),
      around("slices", "x[:", "x", "]"),
      around("lambdas", "lambda: ", "x", ""),
      around("lambda defaults", "lambda a=", "x", ": x"),
      around("conditionals", "x if x else ", "x", ""),
      around("conditions", "(x if ", "x", " else x)"),
      around("negations", "not ", "x", ""),
      around("minus signs", "-", "x", ""),
      around("tildes", "~", "x", ""),
      around("powers", "x**", "x", ""),
      around("sums", "x+(", "x", ")"),
      around("long sums", "x+", "x", ""),
      around("flat conjunctions", "x and ", "x", ""),
      around("flat mixtures", "x and x or not ", "x", ""),
      around("call chains", "", "f", "()"),
      around("subscript chains", "", "f", "[0]"),
      around("attribute chains", "", "f", ".a"),
      around("list comprehensions", "[", "x", " for x in y]"),
      around("comprehension sources", "[x for x in ", "y", "]"),
      around("generators", "(", "x", " for x in y)"),
      around("walruses", "(x := ", "x", ")"),
      around("stars", "[*", "x", "]"),
      around("yields", "(yield ", "x", ")"),
      {"format fields", [](int n) { return "f'" + repeat("{x:", n) + repeat("}", n) + "'\n"; }},
      around("formatted strings", "f'{", "x", "}'"),
      around("targets", "(", "x", ",)"),
  };
}

std::string in_function(const std::string& line) { return "def f():\n  return " + line; }

std::vector<Nest> blocks_of_blocks() {
  return {
      {"ifs", [](int n) { return blocks("if x:", n); }},
      {"loops", [](int n) { return blocks("for x in y:", n); }},
      {"whiles", [](int n) { return blocks("while x:", n); }},
      {"withs", [](int n) { return blocks("with x:", n); }},
      {"functions", [](int n) { return blocks("def f():", n); }},
      {"classes", [](int n) { return blocks("class A:", n); }},
  };
}

std::vector<Nest> long_statements() {
  return {
      {"elifs", [](int n) { return "if x: y\n" + repeat("elif x: y\n", n); }},
      {"nested targets", [](int n) { return repeat("[", n) + "x" + repeat("]", n) + " = y\n"; }},
      {"loop targets",
       [](int n) { return "for " + repeat("(", n) + "x" + repeat(",)", n) + " in y: pass\n"; }},
      {"assignments", [](int n) { return repeat("x = ", n) + "y\n"; }},
  };
}

TEST_CASE("200 levels nest") {
  for (const Nest& nest : expressions()) {
    CAPTURE(nest.name);
    CHECK_EQ(error_of(in_function(nest.text(200))), "");
    CHECK(dump_of(in_function(nest.text(200))).starts_with("Module"));
  }
  for (auto nests : {blocks_of_blocks(), long_statements()}) {
    for (const Nest& nest : nests) {
      CAPTURE(nest.name);
      CHECK_EQ(error_of(nest.text(200)), "");
    }
  }
}

bool is_clean(const ParseResult& result) {
  if (result.tree) return true;  // no nesting: `x = x = ...`, and long chains on big stacks
  const std::string& message = result.error->message;
  return message == "too many nested parentheses" || message == "expression is nested too deeply" ||
         message == "too many levels of indentation" || message == "too many 'elif' branches";
}

void check_deep(const std::string& name, const std::string& text, size_t stack_bytes) {
  CAPTURE(name);
  auto result = parse_text(text, Mode::file, stack_bytes);
  std::string said = result.error ? result.error->message : "accepted";
  CAPTURE(said);
  CHECK(is_clean(result));
  bool is_flat = name == "assignments" || name.starts_with("flat");
  if (!is_flat) CHECK(result.error.has_value());
}

void check_all_deep(size_t stack_bytes) {
  for (const Nest& nest : expressions()) {
    check_deep(nest.name, in_function(nest.text(100'000)), stack_bytes);
  }
  for (const Nest& nest : long_statements()) {
    check_deep(nest.name, nest.text(100'000), stack_bytes);
  }
}

TEST_CASE("100,000 levels are one error") {
  check_all_deep(1 << 20);
  auto whole_stack = parse_text(repeat("(", 100'000) + "x" + repeat(")", 100'000));
  CHECK(is_clean(whole_stack));
}

TEST_CASE("100,000 levels are one error within a budget") {
  check_all_deep(100 << 10);
  // A block is as wide as it is deep: 100,000 would be 5 GB of blanks.
  for (const Nest& nest : blocks_of_blocks()) check_deep(nest.name, nest.text(2000), 100 << 10);
}

void on_thread(size_t stack_bytes, const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE_EQ(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
  pthread_t thread;
  auto run = [](void* work) -> void* {
    (*static_cast<const std::function<void()>*>(work))();
    return nullptr;
  };
  REQUIRE_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)),
             0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST_CASE("100,000 levels are one error on any stack") {
  // Below this, doctest and the C++ runtime have not enough for themselves.
  for (size_t kibibytes : {256, 1024, 16384}) {
    on_thread(kibibytes << 10, [] { check_all_deep(ParseOptions().stack_bytes); });
  }
}

TEST_CASE("a small stack is refused, not overrun") {
  on_thread(64 << 10, [] {
    auto deep = parse_text(repeat("(", 1000) + "x" + repeat(")", 1000));
    if (!deep.error || !is_clean(deep)) FAIL_CHECK("1,000 parentheses on 64 KiB");
  });
}

}  // namespace
}  // namespace gpy::syntax
