// The C++ interface for host programs.

#include "src/embed/gpy.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <thread>

using namespace gpy::host;

namespace {

// Memory that faults when it is touched after `take_away`.
class Page {
 public:
  Page()
      : data_(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Page() { munmap(data_, kBytes); }
  void take_away() { mprotect(data_, kBytes, PROT_NONE); }
  double* data() { return static_cast<double*>(data_); }
  static constexpr int64_t kCount = 512;

 private:
  static constexpr size_t kBytes = kCount * sizeof(double);
  void* data_;
};

std::string error_type(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.type();
  }
  return "";
}

}  // namespace

TEST_CASE("interpreters have names of their own") {
  Interpreter first, second;
  first.run("x = 1");
  second.run("x = 2");
  CHECK(first.get("x").to_int() == 1);
  CHECK(second.get("x").to_int() == 2);
  CHECK(error_type([&] { first.get("y"); }) == "NameError");
  CHECK(error_type([&] { first.set("z", second.get("x")); }) == "ValueError");
}

TEST_CASE("values go both ways") {
  Interpreter gpy;
  gpy.set("i", gpy.make(7));
  gpy.set("d", gpy.make(0.5));
  gpy.set("b", gpy.make(true));
  gpy.set("s", gpy.make("text"));
  CHECK(gpy.evaluate("[i, d, b, s]").repr() == "[7, 0.5, True, 'text']");
  CHECK(gpy.evaluate("i + d").to_double() == 7.5);
  CHECK(gpy.evaluate("s").to_text() == "text");
  CHECK(gpy.evaluate("None").is_none());
  CHECK(gpy.evaluate("(1, 2, 3)").item(1).to_int() == 2);
  CHECK(gpy.evaluate("s").attribute("upper")({}).to_text() == "TEXT");
  CHECK(gpy.evaluate("gp.arange(3)").type() == "gpy.ndarray");
  CHECK(error_type([&] { gpy.get("s").to_int(); }) == "TypeError");
  CHECK(gpy.evaluate("__import__('sys').argv").repr() == "['']");
  CHECK(gpy.evaluate("x = 3; x; x + 1").to_int() == 4);
  CHECK(gpy.evaluate("for i in range(4): pass").is_none());
  CHECK(gpy.evaluate("i").to_int() == 3);
  gpy.run("import numpy as np");
  for (const char* number : {"np.array(5)", "np.int64(5)", "np.array(4) + 1"}) {
    CHECK(gpy.evaluate(number).to_int() == 5);
    CHECK(gpy.evaluate(number).to_double() == 5);
  }
  CHECK(gpy.evaluate("gp.ones(1)").to_double() == 1);
  for (const char* none : {"5.5", "np.array([5])", "np.array([5, 6])", "1j"}) {
    CHECK(error_type([&] { gpy.evaluate(none).to_int(); }) == "TypeError");
  }
  CHECK(error_type([&] { gpy.evaluate("np.array([5.5])").to_double(); }) == "TypeError");
  CHECK(error_type([&] { gpy.evaluate("2 ** 70").to_int(); }) == "OverflowError");
  CHECK(error_type([&] { (void)Value().repr(); }) == "ValueError");
}

TEST_CASE("a value outlives the interpreter's handle") {
  Value kept;
  {
    Interpreter gpy;
    gpy.run("kept = [1, 2]");
    kept = gpy.get("kept");
  }
  CHECK(kept.repr() == "[1, 2]");
}

TEST_CASE("output goes where the host wants it") {
  std::string out, err;
  Options options;
  options.out = [&](std::string_view text) { out += text; };
  options.err = [&](std::string_view text) { err += text; };
  Interpreter gpy(options);
  gpy.run("import numpy as np\nprint('hello')\nprint(np.ones(1) / 0)");
  CHECK(out == "hello\n[inf]\n");
  CHECK(err.find("RuntimeWarning: divide by zero") != std::string::npos);
}

// The text that goes to the process's stdout while this lives.
class Printed {
 public:
  Printed() : file_(std::tmpfile()), stdout_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    dup2(fileno(file_), STDOUT_FILENO);
  }
  ~Printed() {
    dup2(stdout_, STDOUT_FILENO);
    close(stdout_);
    std::fclose(file_);
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  std::string text() const {
    char bytes[1000];
    return {bytes, static_cast<size_t>(pread(fileno(file_), bytes, sizeof bytes, 0))};
  }

 private:
  FILE* const file_;
  const int stdout_;
};

TEST_CASE("what objects print that end outside of a run reaches stdout") {
  std::string first, all;
  {
    const Printed printed;
    {
      Interpreter gpy;
      gpy.run(
          "class D:\n"
          "    def __init__(self, name): self.name = name\n"
          "    def __del__(self): print(self.name)\n"
          "d = D('left')");
      gpy.evaluate("D('let go')");
      first = printed.text();
    }
    all = printed.text();
  }
  CHECK(first == "let go\n");
  CHECK(all == "let go\nleft\n");
}

TEST_CASE("a warning shows the line of its own source, whatever other sources are called") {
  std::string err;
  Options options;
  options.err = [&](std::string_view text) { err += text; };
  Interpreter gpy(options);
  gpy.run("import numpy as np\nones = np.ones(1)");
  gpy.run("print(ones / 0)");
  CHECK(err ==
        "<host>:1: RuntimeWarning: divide by zero encountered in divide\n  print(ones / 0)\n");
  err.clear();
  gpy.run("import warnings\ndef warn(): warnings.warn('mine')");
  gpy.run("1\n2\n\nwarn(); print(np.log(-ones))");
  CHECK(err ==
        "<host>:2: UserWarning: mine\n  def warn(): warnings.warn('mine')\n"
        "<host>:4: RuntimeWarning: invalid value encountered in log\n"
        "  warn(); print(np.log(-ones))\n");
  err.clear();
  gpy.run("warnings.showwarning(UserWarning('far'), UserWarning, '<host>', 10**9)");
  CHECK(err == "<host>:1000000000: UserWarning: far\n");
}

TEST_CASE("a host is told of what a file loses that no script closed") {
  std::string err;
  Options options;
  options.err = [&](std::string_view text) { err += text; };
  Interpreter(options).run("f = open('/dev/full', 'w')\nf.write('x')");
  CHECK(err ==
        "Exception ignored in: <_io.TextIOWrapper name='/dev/full' mode='w' encoding='UTF-8'>\n"
        "OSError: [Errno 28] No space left on device\n");
}

TEST_CASE("errors have a type, a message and a place") {
  Interpreter gpy;
  try {
    gpy.run("x = 1\ndef f():\n    return x / 0\nf()\n", "script.gpy");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.type() == "ZeroDivisionError");
    CHECK(error.message() == "division by zero");
    CHECK(error.file() == "script.gpy");
    CHECK(error.line() == 3);
    CHECK(std::string(error.what()).find("return x / 0") != std::string::npos);
  }
  try {
    gpy.run("x = 1\ny = = 2\n", "wrong.gpy");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.type() == "SyntaxError");
    CHECK(error.file() == "wrong.gpy");
    CHECK(error.line() == 2);
  }
  CHECK(gpy.evaluate("x").to_int() == 1);
  CHECK(error_type([&] { gpy.run("import sys\nsys.exit(3)"); }) == "SystemExit");
  CHECK(error_type([] { Interpreter wrong({.device = "tpu"}); }) == "ValueError");
  CHECK(error_type([] { Interpreter absent({.device = "cuda:63"}); }) == "ValueError");
}

TEST_CASE("an error is a structure: place, operands, what to write instead, what came before") {
  Interpreter gpy;
  gpy.run("import numpy as np\na, b = np.zeros((3, 4)), np.zeros(3)", "first.gpy");
  try {
    gpy.run("try:\n    {}['k']\nexcept KeyError:\n    c = 2 * (a + b)\n", "script.gpy");
    FAIL("no error");
  } catch (const Error& error) {
    REQUIRE(error.diagnostics().size() == 2);
    CHECK(error.diagnostics()[0].kind == "KeyError");
    const Diagnostic& last = error.diagnostics()[1];
    CHECK(last.link == Diagnostic::context);
    CHECK(last.kind == "ValueError");
    CHECK(last.message == "operands could not be broadcast together with shapes (3,4) (3,) ");
    CHECK(last.detail == "axis -1 is 4 in `a` and 3 in `b`");
    CHECK(last.hint == "`b[:, None]` has shape (3,1) and would fit");
    REQUIRE(last.labels.size() == 3);
    CHECK(last.labels[0].range.column == 16);  // the operator
    CHECK(last.labels[1].text == "a: float64 (3,4)");
    CHECK(last.labels[1].range.column == 14);
    CHECK(last.labels[2].text == "b: float64 (3,)");
    REQUIRE(last.frames.size() == 1);
    CHECK(last.frames[0].file == "script.gpy");
    CHECK(last.frames[0].source == "    c = 2 * (a + b)");
    CHECK(last.frames[0].range.line == 4);
    CHECK(error.json().starts_with("{\"errors\":[{\"kind\":\"KeyError\""));
  }
  const std::string deep = "def f(n):\n    return f(n + 1)\nf(0)\n";
  try {
    gpy.run(deep, "deep.gpy");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.diagnostics()[0].frames.size() == 4);
    CHECK(error.diagnostics()[0].frames.back().repeats > 900);
  }
  CHECK(Error("ValueError", "mine").diagnostics().empty());
}

TEST_CASE("an exception that cannot be shown is an Error all the same") {
  Interpreter gpy;
  gpy.run(
      "deep = []\nfor i in range(300000): deep = [deep]\ne = ValueError(deep)\ne.__notes__ = "
      "[deep]");
  try {
    gpy.run("raise e");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.type() == "ValueError");
    CHECK(error.message() == "<exception str() failed>");
    CHECK(std::string(error.what()).find("<note str() failed>") != std::string::npos);
  }
  gpy.define("refuse",
             [](const std::vector<Value>&) -> Value { throw Error("SyntaxError", "mine"); });
  CHECK(error_type([&] { gpy.get("refuse")({}); }) == "SyntaxError");
}

TEST_CASE("whatever a host function throws becomes an exception") {
  Interpreter gpy;
  gpy.define("odd", [](const std::vector<Value>&) -> Value { throw 42; });
  CHECK(error_type([&] { gpy.get("odd")({}); }) == "SystemError");
  CHECK(error_type([&] { gpy.run("def f(): return sorted([1], key=odd)\nf()"); }) == "SystemError");
  gpy.run(
      "def deep(n): return n and deep(n - 1)\nfor i in range(2000):\n"
      "    try: f()\n    except SystemError: pass\nend = deep(900)");
  CHECK(gpy.get("end").to_int() == 0);
}

TEST_CASE("an error of a class of the script's own, or of a module's") {
  Interpreter gpy;
  std::string type;
  gpy.define("fail", [&](const std::vector<Value>&) -> Value { throw Error(type, "gone"); });
  gpy.run(
      "import numpy as np\n"
      "class MyErr(Exception):\n"
      "    def __init__(self, text): super().__init__('my ' + text)\n"
      "class Odd(Exception):\n"
      "    def __new__(cls, text): return 3\n"
      "class ValueError(Exception): pass\n"
      "number = 3\n"
      "def kind():\n"
      "    try: fail()\n"
      "    except Exception as error: return repr(error)\n");
  const std::pair<const char*, const char*> cases[] = {
      {"MyErr", "MyErr('my gone')"},
      {"ValueError", "ValueError('gone')"},
      {"numpy.linalg.LinAlgError", "LinAlgError('gone')"},
      {"number", "RuntimeError('gone')"},
      {"no.such.Error", "RuntimeError('gone')"},
      {"Odd",
       "TypeError('calling Odd should have returned an instance of BaseException, not int')"},
  };
  for (const auto& [name, shown] : cases) {
    type = name;
    CHECK(gpy.evaluate("kind()").to_text() == shown);
  }
  type = "MyErr";
  CHECK_THROWS_WITH_AS(gpy.run("fail()"), doctest::Contains("MyErr: my gone"), Error);
}

TEST_CASE("an error of one of gpy's own types is of that type, imported or not") {
  Interpreter gpy;
  std::string type;
  gpy.define("fail", [&](const std::vector<Value>&) -> Value { throw Error(type, "gone"); });
  gpy.run("class KeyError(Exception): pass");
  const std::pair<const char*, const char*> cases[] = {
      {"builtins.KeyError", "KeyError"},
      {"builtins.ConnectionResetError", "ConnectionResetError"},
      {"KernelFaultError", "KernelFaultError"},
      {"gpy.KernelFaultError", "KernelFaultError"},
      {"gpy.DeviceLostError", "DeviceLostError"},
      {"LinAlgError", "LinAlgError"},
      {"numpy.exceptions.AxisError", "AxisError"},
      {"builtins.nothing", "RuntimeError"},
      {"json.JSONDecodeError", "RuntimeError"},  // nobody has imported it
      {"Stopped", "RuntimeError"},
      {"", "RuntimeError"},
  };
  for (const auto& [name, expected] : cases) {
    CAPTURE(name);
    type = name;
    CHECK(error_type([&] { gpy.run("fail()"); }) == expected);
  }
  type = "builtins.KeyError";
  gpy.run("try: fail()\nexcept LookupError: pass");
}

TEST_CASE("an error of a class that takes more than a text is made without its constructor") {
  Interpreter gpy;
  std::string type;
  gpy.define("fail", [&](const std::vector<Value>&) -> Value { throw Error(type, "gone"); });
  gpy.run(
      "import json\n"
      "class Coded(Exception):\n"
      "    def __init__(self, text, code): super().__init__(text)\n"
      "class Made(Exception):\n"
      "    def __new__(cls, a, b): return super().__new__(cls, a)\n"
      "class Strict(Exception):\n"
      "    def __init__(self, text): raise KeyError(text)\n"
      "def kind():\n"
      "    try: fail()\n"
      "    except Exception as error: return repr(error) + str(error)\n");
  const std::pair<const char*, const char*> cases[] = {
      {"json.JSONDecodeError", "JSONDecodeError('gone')gone"},
      {"Coded", "Coded('gone')gone"},
      {"Made", "Made('gone')gone"},
      {"Strict", "KeyError('gone')'gone'"},
  };
  for (const auto& [name, shown] : cases) {
    type = name;
    CHECK(gpy.evaluate("kind()").to_text() == shown);
  }
}

TEST_CASE("an exception whose what() is nothing has a message all the same") {
  struct Silent : std::exception {
    const char* what() const noexcept override { return nullptr; }
  };
  Options options;
  options.out = [](std::string_view) { throw Silent(); };
  Interpreter gpy(options);
  gpy.define("fail", [](const std::vector<Value>&) -> Value { throw Silent(); });
  CHECK(error_type([&] { gpy.run("fail()"); }) == "RuntimeError");
  CHECK(error_type([&] { gpy.run("print(1)"); }) == "SystemError");
}

TEST_CASE("functions of the host") {
  Interpreter gpy;
  gpy.define("add", [&](const std::vector<Value>& arguments) {
    return gpy.make(arguments.at(0).to_int() + arguments.at(1).to_int());
  });
  gpy.define("nothing", [](const std::vector<Value>&) { return Value(); });
  gpy.define("refuse", [](const std::vector<Value>&) -> Value { throw Error("KeyError", "gone"); });
  gpy.define("fail",
             [](const std::vector<Value>&) -> Value { throw std::runtime_error("broken"); });
  gpy.define("nest", [&](const std::vector<Value>&) { return gpy.evaluate("1 / 0"); });
  CHECK(gpy.evaluate("sum(map(add, [1, 2], [3, 4]))").to_int() == 10);
  CHECK(gpy.evaluate("nothing()").is_none());
  gpy.run(
      "seen = []\n"
      "for f in (refuse, fail, nest):\n"
      "    try:\n"
      "        f()\n"
      "    except Exception as e:\n"
      "        seen.append(type(e).__name__)\n");
  CHECK(gpy.get("seen").repr() == "['KeyError', 'RuntimeError', 'ZeroDivisionError']");
}

TEST_CASE("arrays are copied in and out with dtype, shape and strides") {
  Interpreter gpy;
  const int16_t numbers[] = {1, 2, 3, 4, 5, 6};
  gpy.set("x", gpy.copy({DType::int16, {2, 3}, numbers}));
  CHECK(gpy.evaluate("x").repr() == "array([[1, 2, 3],\n       [4, 5, 6]], dtype=int16)");
  gpy.set("t", gpy.copy({DType::int16, {3, 2}, numbers, {2, 6}}));
  gpy.set("r", gpy.copy({DType::int16, {3}, numbers + 2, {-2}}));
  CHECK(gpy.evaluate("t.tolist()").repr() == "[[1, 4], [2, 5], [3, 6]]");
  CHECK(gpy.evaluate("r.tolist()").repr() == "[3, 2, 1]");
  const OwnedElements out = gpy.evaluate("t[::-1] * 2").to_elements();
  CHECK(out.dtype == DType::int16);
  CHECK(out.shape == std::vector<int64_t>{3, 2});
  CHECK(std::vector<int16_t>(out.as<int16_t>(), out.as<int16_t>() + 6) ==
        std::vector<int16_t>{6, 12, 4, 10, 2, 8});
  CHECK(gpy.evaluate("[1.5, 2]").to_elements().as<double>()[0] == 1.5);
  CHECK(gpy.copy({DType::float64, {0, 4}, nullptr}).to_elements().data.empty());
  CHECK(error_type([&] { gpy.copy({DType::int16, {2, 3}, numbers, {2}}); }) == "ValueError");
  CHECK(error_type([&] { gpy.copy({DType::int16, {-1}, numbers}); }) == "ValueError");
  CHECK(error_type([&] {
          gpy.copy({DType::int16, {1LL << 40, 1LL << 40}, numbers});
        }) == "ValueError");
}

TEST_CASE("both sides see each other's writes to lent memory") {
  Interpreter gpy;
  std::vector<double> memory = {1, 2, 3, 4};
  Loan loan = gpy.lend_writable({DType::float64, {4}, memory.data()});
  gpy.set("x", loan.value());
  gpy.run("x[1:3] = 0\nx += 10\ny = x * 2");
  CHECK(memory == std::vector<double>{11, 10, 10, 14});
  memory[0] = -1;  // y must be computed from the old value
  CHECK(gpy.evaluate("y.tolist()").repr() == "[22.0, 20.0, 20.0, 28.0]");
  CHECK(gpy.evaluate("x.tolist()").repr() == "[-1.0, 10.0, 10.0, 14.0]");
  const std::vector<double> constant = {1, 2};
  Loan reading = gpy.lend({DType::float64, {2}, constant.data()});
  gpy.set("c", reading.value());
  CHECK(error_type([&] { gpy.run("c[0] = 5"); }) == "ValueError");
}

TEST_CASE("a lent index array is looked at anew each time") {
  Interpreter gpy;
  gpy.run("import numpy as np\na = np.arange(4.0)");
  std::vector<int64_t> index{0, 1, 2, 3};
  Loan loan = gpy.lend_writable({DType::int64, {4}, index.data()});
  gpy.set("index", loan.value());
  CHECK(gpy.evaluate("float(a[index].sum())").to_double() == 6);
  index = {0, 1, 2, 1000000000000};
  CHECK(error_type([&] { gpy.evaluate("a[index]"); }) == "IndexError");
  loan.end();
  CHECK(error_type([&] { gpy.evaluate("a[index]"); }) == "IndexError");
}

TEST_CASE("the bytes of lent bools may be any: all but 0 are true, and given back as 1") {
  Interpreter gpy;
  gpy.run("import numpy as np");
  const std::vector<uint8_t> bytes{2, 0, 1, 255};
  Loan loan = gpy.lend({DType::boolean, {4}, bytes.data()});
  gpy.set("mask", loan.value());
  CHECK(gpy.evaluate("np.arange(4)[mask].tolist()").repr() == "[0, 2, 3]");
  CHECK(gpy.evaluate("int(mask.sum())").to_int() == 3);
  CHECK(gpy.evaluate("(~mask).tolist()").repr() == "[False, True, False, False]");
  const std::vector<std::byte> ones{std::byte{1}, std::byte{0}, std::byte{1}, std::byte{1}};
  CHECK(gpy.evaluate("mask").to_elements().data == ones);
  CHECK(error_type([&] { gpy.run("mask.flags.writeable = True"); }) == "ValueError");
}

TEST_CASE("an array of a host has 64 axes at most") {
  Interpreter gpy;
  const double number = 1;
  const std::vector<int64_t> most(64, 1), more(65, 1);
  CHECK(gpy.copy({DType::float64, most, &number}).attribute("ndim").to_int() == 64);
  CHECK(error_type([&] {
          static_cast<void>(gpy.copy({DType::float64, more, &number}));
        }) == "ValueError");
  CHECK(error_type([&] {
          static_cast<void>(gpy.lend({DType::float64, more, &number}));
        }) == "ValueError");
}

TEST_CASE("elements that cannot be there are refused") {
  Interpreter gpy;
  const std::vector<double> three{1, 2, 3};
  const auto refused = [&](const Elements& elements) {
    CHECK(error_type([&] { gpy.copy(elements); }) == "ValueError");
    CHECK(error_type([&] { static_cast<void>(gpy.lend(elements)); }) == "ValueError");
  };
  refused({DType::float64, {3}, nullptr});
  refused({DType::float64, {3}, three.data(), {12}});
  refused({DType::float64, {3}, three.data(), {INT64_MAX / 8 * 8}});
  refused({DType::float64, {2}, three.data(), {INT64_MIN}});
  refused({static_cast<DType>(200), {3}, three.data()});
  refused({DType::int8, {INT64_MAX, 2}, three.data(), {0, 0}});
  CHECK(gpy.copy({DType::float64, {0, 5}, nullptr}).to_elements().shape[1] == 5);
}

TEST_CASE("lent memory taken into another space stays the host's") {
  Interpreter gpy;
  Page page;
  page.data()[0] = 1;
  Loan loan = gpy.lend_writable({DType::float64, {Page::kCount}, page.data()});
  gpy.set("x", loan.value());
  gpy.run("y = gp.asarray(x)\nx[0] = 2");
  CHECK(page.data()[0] == 2);
  loan.end();
  page.take_away();
  CHECK(gpy.evaluate("float(y[0])").to_double() == 1);
  CHECK(gpy.evaluate("float(x[0])").to_double() == 2);
}

TEST_CASE("what a script that failed left pending does not see the host's later writes") {
  Interpreter gpy;
  std::vector<double> memory = {1, 2};
  Loan loan = gpy.lend_writable({DType::float64, {2}, memory.data()});
  gpy.set("x", loan.value());
  gpy.define("refuse", [](const std::vector<Value>&) -> Value { throw Error("KeyError", "gone"); });
  CHECK(error_type([&] { gpy.run("y = x * 10\n1 / 0"); }) == "ZeroDivisionError");
  CHECK(error_type([&] { gpy.run("z = x * 100\nrefuse()"); }) == "KeyError");
  memory = {-1, -1};
  CHECK(gpy.evaluate("y.tolist()").repr() == "[10.0, 20.0]");
  CHECK(gpy.evaluate("z.tolist()").repr() == "[100.0, 200.0]");
}

TEST_CASE("after a loan ends nothing touches the memory, pending or held") {
  Interpreter gpy;
  Page page;
  std::iota(page.data(), page.data() + Page::kCount, 0.0);
  const double total = Page::kCount * (Page::kCount - 1) / 2.0;
  Loan loan = gpy.lend_writable({DType::float64, {Page::kCount}, page.data()});
  gpy.set("x", loan.value());
  // The host function ends the loan while the script still has pending work over the memory.
  gpy.define("take_back", [&](const std::vector<Value>&) {
    loan.end();
    page.take_away();
    return Value();
  });
  gpy.run("view = x[::2]\npending = (x * 2).sum()\ntake_back()\nlater = float(pending)\nx += 1");
  CHECK(gpy.get("later").to_double() == 2 * total);
  CHECK(gpy.evaluate("x.sum()").to_double() == total + Page::kCount);
  CHECK(gpy.evaluate("view[:2].tolist()").repr() == "[1.0, 3.0]");
  CHECK(error_type([&] { (void)loan.value(); }) == "ValueError");
}

TEST_CASE("a loan that nothing needs any more ends without a copy") {
  Interpreter gpy;
  Page page;
  page.data()[0] = 5;
  {
    Loan loan = gpy.lend({DType::float64, {Page::kCount}, page.data()});
    gpy.set("x", loan.value());
    gpy.run("first = float(x[0])\ndel x");
  }
  page.take_away();
  CHECK(gpy.get("first").to_double() == 5);
}

TEST_CASE("an interrupt from another thread ends what runs") {
  Interpreter gpy;
  std::atomic<bool> done = false;
  std::thread watchdog([&] {
    while (!done) {
      gpy.interrupt();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  CHECK(error_type([&] { gpy.run("while True: pass"); }) == "Stopped");
  done = true;
  watchdog.join();
}

TEST_CASE("interpreters share devices, and run on threads of their own") {
  Interpreter first;
  Options options;
  options.share_devices_with = &first;
  Interpreter second(options);
  const char* work = "s = 0.0\nfor i in range(50): s += float((gp.arange(5000) * i).sum())";
  std::thread other([&] { second.run(work); });
  first.run(work);
  other.join();
  CHECK(first.get("s").to_double() == second.get("s").to_double());
}

namespace {

// Memory by functions of the host's, counted.
struct Arena {
  int held = 0;
  static void* allocate(void* arena, size_t bytes, int) {
    if (bytes > (1 << 20)) return nullptr;
    ++static_cast<Arena*>(arena)->held;
    return std::malloc(bytes);
  }
  static void release(void* arena, void* memory, int) {
    --static_cast<Arena*>(arena)->held;
    std::free(memory);
  }
};

Value address(Interpreter& gpy, const void* pointer) {
  return gpy.make(static_cast<int64_t>(reinterpret_cast<uintptr_t>(pointer)));
}

}  // namespace

TEST_CASE("arrays take their memory by C functions of the host's") {
  Arena arena;
  {
    Interpreter gpy;
    gpy.set("arena", address(gpy, &arena));
    gpy.set("allocate", address(gpy, reinterpret_cast<const void*>(&Arena::allocate)));
    gpy.set("release", address(gpy, reinterpret_cast<const void*>(&Arena::release)));
    gpy.run(
        "import cupy as cp\n"
        "mine = cp.cuda.CFunctionAllocator(arena, allocate, release, None)\n"
        "with cp.cuda.using_allocator(mine.malloc):\n"
        "    x = cp.arange(1000.0) + 1\n"
        "    gp.eval(x)\n"
        "total = float(x.sum())\n");
    CHECK(gpy.get("total").to_double() == 500500.0);
    CHECK(arena.held > 0);
    CHECK(error_type([&] {
            gpy.run("with cp.cuda.using_allocator(mine.malloc): gp.eval(cp.zeros(1 << 20) + 1)");
          }) == "OutOfMemoryError");
    gpy.run("del x\ncp.cuda.CFunctionAllocator(arena, allocate, release, None).malloc(8)");
    CHECK(error_type([&] { gpy.run("cp.cuda.CFunctionAllocator(0, 0, 0, None).malloc(8)"); }) ==
          "ValueError");
  }
  CHECK(arena.held == 0);
}
