// Natives with C++ types: the conversion of their arguments, its order, and the refusals.

#include "src/typed_native.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

namespace gpy {

namespace {

Value describe(Interpreter& vm, int64_t count, std::string_view name, std::optional<double> scale,
               bool loud) {
  return vm.str(fmt::format("{} {} {} {}", count, name, scale ? *scale : -1.0, loud));
}

// Parameters that describe the call itself take no place among the arguments.
Value name_of_call(Interpreter& vm, const Args& call, std::span<const Value> rest,
                   const Value& last) {
  return vm.str(fmt::format("{} {} {} {}", call.callee().row->name, call.size(), rest.size(),
                            last.is_undefined() ? "omitted" : vm.repr(last)));
}

Value two(Interpreter&, int64_t first, int64_t) { return Value::integer(first); }

constexpr Native kRows[] = {
    {"describe", "(count, name='x', scale=None, loud=False)", typed<describe>, ""},
    {"call", "(*rest, last=<none>)", typed<name_of_call>, ""},
    {"short", "(first)", typed<two>, ""},
};

struct Session {
  Interpreter vm;

  Session() {
    for (const Native& row : kRows) {
      vm.main_module().names->set(vm.intern(row.name), vm.function(row, "", nullptr));
    }
  }
  // The text of an expression's value, or the message of its exception.
  std::string of(std::string_view expression) {
    try {
      return vm.to_str(vm.run_interactive(expression, "<test>", vm.main_module()));
    } catch (const Raised& raised) {
      return vm.to_str(raised.exception);
    }
  }
};

}  // namespace

TEST_CASE("arguments become what the body takes, by position and by name") {
  Session session;
  CHECK(session.of("describe(3)") == "3 x -1 false");
  CHECK(session.of("describe(3, 'y', 2, 1)") == "3 y 2 true");
  CHECK(session.of("describe(loud=[0], scale=0.5, count=True)") == "1 x 0.5 true");
  CHECK(session.of("call(1, 2, 3)") == "call 2 3 omitted");
  CHECK(session.of("call(last='z')") == "call 2 0 'z'");
}

TEST_CASE("what cannot become it is refused, the leftmost first") {
  Session session;
  CHECK(session.of("describe('3', 4)") == "'str' object cannot be interpreted as an integer");
  CHECK(session.of("describe(3, 4, 'z')") == "name must be str, not int");
  CHECK(session.of("describe(3, 'y', 'z')") == "must be real number, not str");
  CHECK(session.of("describe()") == "describe() missing required argument 'count' (pos 1)");
}

TEST_CASE("a body for another number of parameters is told of, not called") {
  Session session;
  CHECK(session.of("short(1)") == "short: 1 parameters have a body for 2");
  CHECK(session.of("short(1)") == "short: 1 parameters have a body for 2");
}

}  // namespace gpy
