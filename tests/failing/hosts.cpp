// Host programs: each call of a host gives a value or an Error, however memory fails.
#include <cstdio>
#include <numeric>

#include "src/embed/gpy.hpp"
#include "tests/failing/subject.h"

namespace gpy::test::failing {

namespace {

using host::Interpreter;
using host::Value;

void run_and_read(Interpreter& gpy) {
  gpy.run("def f(x, y):\n    return [x, y, x + y]\nz = f(1, 2)");
  gpy.get("z").item(2).to_int();
  gpy.evaluate("f('a', 'b')").repr();
}

void call_back(Interpreter& gpy) {
  gpy.define("twice", [&gpy](const std::vector<Value>& arguments) {
    return gpy.make(2 * arguments[0].to_int());
  });
  gpy.run("r = [twice(i) for i in range(5)]");
  gpy.get("r").to_text();
}

void throw_through(Interpreter& gpy) {
  gpy.define("fail", [](const std::vector<Value>&) -> Value {
    throw host::Error("KeyError", "a key that is longer than what a string holds in itself");
  });
  gpy.run("try:\n    fail()\nexcept KeyError as e:\n    caught = str(e)");
  gpy.get("caught").to_text();
}

// Failures leave out the host's own allocations.
host::Elements square(host::DType dtype, int64_t rows, const void* data) {
  const Uncounted own;
  return {dtype, {rows, rows}, data};
}

std::vector<Value> arguments_of(const Value& value) {
  const Uncounted own;
  return {value};
}

void lend_arrays(Interpreter& gpy) {
  double elements[100];
  std::iota(std::begin(elements), std::end(elements), 0);
  host::Loan loan = gpy.lend(square(host::DType::float64, 10, elements));
  gpy.set("a", loan.value());
  gpy.run("import numpy as np\nkept = a[2:4]\ntotal = (a * 2).sum(axis=0)");
  gpy.get("total").to_elements();
  loan.end();
  gpy.get("kept").to_elements();
}

void copy_arrays(Interpreter& gpy) {
  const float elements[64] = {1.5f};
  Value a = gpy.copy(square(host::DType::float32, 8, elements));
  gpy.run("def norm(x):\n    return float((x * x).sum()) ** 0.5");
  const Value norm = gpy.get("norm");
  norm(arguments_of(a)).to_double();
}

void read_errors(Interpreter& gpy) {
  try {
    gpy.run("def g(a):\n    return a['missing']\n\ng({})", "host.gpy");
  } catch (const host::Error& error) {
    if (error.type() != "KeyError") throw;
  }
}

void make_values(Interpreter& gpy) {
  gpy.set("text", gpy.make("some text that is longer than a string holds in itself"));
  gpy.set("number", gpy.make(2.5));
  gpy.run("out = text.upper() * 3, number * 2");
  gpy.get("out").item(0).to_text();
}

void stay_in_limits(Interpreter& gpy) {
  gpy.limit({.steps = 20000, .memory = 1 << 26, .output = 1 << 16});
  gpy.run("total = 0\nfor i in range(100):\n    total += i\nprint(total)");
  gpy.get("total").to_int();
}

Ending run_host(void (*work)(Interpreter&), const Trial& trial) {
  Ending ending;
  host::Options options;
  options.out = [&](std::string_view text) { ending.output = ending.output * 31 ^ hash_of(text); };
  options.err = [](std::string_view) {};
  Interpreter gpy(options);
  arm(trial);
  try {
    work(gpy);
    ending.tries = disarm();
  } catch (const host::Error& error) {
    ending.tries = disarm();
    ending.is_expected = error.type() == "MemoryError";
    note_error(ending, error.type(), error.message());
  } catch (const std::exception& error) {
    ending.tries = disarm();
    ending.is_foreign = true;
    std::snprintf(ending.error_text, sizeof ending.error_text, "%s", error.what());
  }
  ending.answers = gpy.evaluate("1 + 1").to_int() == 2;
  return ending;
}

constexpr std::pair<const char*, void (*)(Interpreter&)> kHosts[] = {
    {"run and read", run_and_read},
    {"functions", call_back},
    {"errors of functions", throw_through},
    {"loans", lend_arrays},
    {"copies", copy_arrays},
    {"errors", read_errors},
    {"values", make_values},
    {"limits", stay_in_limits},
};

}  // namespace

std::vector<Subject> host_subjects() {
  std::vector<Subject> subjects;
  for (const auto& [name, work] : kHosts) {
    subjects.push_back({std::string("host: ") + name,
                        [body = work](const Trial& trial) { return run_host(body, trial); }});
  }
  return subjects;
}

}  // namespace gpy::test::failing
