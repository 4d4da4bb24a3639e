// The things that a host may forbid a script, and stopping a script whatever it does about that.

#include <doctest/doctest.h>

#include <chrono>
#include <future>
#include <limits>
#include <string>
#include <thread>

#include "src/embed/gpy.hpp"

namespace gpy::host {

namespace {

Stop stop_of(Interpreter& gpy, const std::string& source) {
  try {
    gpy.run(source);
  } catch (const Error& error) {
    if (error.stopped() == Stop::none) FAIL_CHECK(error.what());
    CHECK(error.type() == "Stopped");
    return error.stopped();
  }
  return Stop::none;
}

// Runs one expression, which takes far longer than the host waits, and interrupts it: true when it
// was ended inside. Code that polls only before or after it would get to the next line.
bool is_ended_inside(Interpreter& gpy, const std::string& expression) {
  std::promise<void> begun;
  gpy.define("begin", [&](const std::vector<Value>&) {
    begun.set_value();
    return Value();
  });
  std::thread user([&] {
    begun.get_future().wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gpy.interrupt();
  });
  const Stop stop = stop_of(gpy, "done = False\nbegin()\n" + expression + "\ndone = True\n");
  user.join();
  CHECK(stop == Stop::interrupt);
  return !gpy.get("done").to_bool();
}

const std::string kStubborn[] = {
    "while True: pass",
    "while True:\n    try:\n        while True: pass\n    except: pass",
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "while True:\n    try:\n        while True: pass\n    except (Exception, BaseException) as e: "
    "pass",
    "while True:\n    try:\n        while True: pass\n    finally: continue",
    "def f():\n    try:\n        while True: pass\n    finally: return 1\nwhile True: f()",
    "def f(x):\n    while True: pass\nwhile True:\n    try: sorted([2, 1], key=f)\n    except: "
    "pass",
    "def g():\n    while True:\n        try: yield 1\n        except: pass\nfor i in g(): pass",
};

}  // namespace

TEST_CASE("a limit on steps ends every loop, and cannot be caught") {
  Interpreter gpy;
  gpy.limit({.steps = 20000});
  for (const std::string& source : kStubborn) {
    CAPTURE(source);
    CHECK(stop_of(gpy, source) == Stop::steps);
    CHECK(stop_of(gpy, "x = sum(range(100))") == Stop::none);
  }
  CHECK(stop_of(gpy, "sum(range(10 ** 12))") == Stop::steps);
  CHECK(stop_of(gpy, "def f(n): return n and f(n - 1)\nfor i in range(1000): f(100)") ==
        Stop::steps);
}

TEST_CASE("a limit on seconds is a number that is not negative") {
  Interpreter gpy;
  for (const double seconds : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    try {
      gpy.limit({.seconds = seconds});
      FAIL_CHECK("it was taken");
    } catch (const Error& error) {
      CHECK(error.type() == "ValueError");
    }
  }
  gpy.limit({.seconds = std::numeric_limits<double>::infinity()});
  CHECK(gpy.evaluate("1 + 1").to_int() == 2);
}

TEST_CASE("each run has the steps to itself, and they are counted the same") {
  Interpreter gpy;
  gpy.limit({.steps = 1000});
  for (int i = 0; i < 10; ++i) CHECK(stop_of(gpy, "for i in range(900): pass") == Stop::none);
  CHECK(stop_of(gpy, "for i in range(1100): pass") == Stop::steps);
  CHECK(gpy.get("i").to_int() < 1001);
}

TEST_CASE("a call of a function that the library has in gpy is a step, as one of a native is") {
  Interpreter gpy;
  gpy.run("import numpy as np, statistics, itertools\nx = np.ones(4)\n");
  gpy.limit({.steps = 4500});
  for (const char* call :
       {"np.ones(4)", "np.hanning(4)", "np.union1d(x, x)", "np.nanvar(x)", "np.digitize(x, x)"}) {
    const std::string loop = std::string("for i in range(2000): ") + call;
    CAPTURE(loop);
    CHECK(stop_of(gpy, loop) == Stop::none);
  }
  CHECK(stop_of(gpy, "while True: np.hanning(4)") == Stop::steps);
  CHECK(stop_of(gpy, "statistics.mean(itertools.count())") == Stop::steps);
  CHECK(stop_of(gpy, "def f(*given):\n    while True: pass\nnp.pad(x, 1, f)") == Stop::steps);
  gpy.limit({.seconds = 0.05});
  CHECK(stop_of(gpy, "while True: np.hanning(4)") == Stop::deadline);
}

TEST_CASE("a deadline ends what polls, and what the arrays' runtime does") {
  Interpreter gpy;
  gpy.limit({.seconds = 0.05});
  for (const std::string& source : kStubborn) {
    CAPTURE(source);
    CHECK(stop_of(gpy, source) == Stop::deadline);
  }
  CHECK(stop_of(gpy, "import time\ntime.sleep(1000)") == Stop::deadline);
  CHECK(stop_of(gpy,
                "x = gp.arange(300_000.0)\n"
                "while True:\n    float(gp.exp(x[:, None] * x * -1e-9).sum())\n") ==
        Stop::deadline);
  gpy.limit({.seconds = 100});
  CHECK(stop_of(gpy, "x = float(gp.arange(10).sum())") == Stop::none);
}

// There is no poll after the code that is ended there.
TEST_CASE("what stops a run in a destructor stops the run") {
  const std::string again = "class Again:\n    def __del__(self): Again()\nAgain()\nx = 1\n";
  for (int i = 0; i < 5; ++i) {
    Interpreter gpy;
    gpy.limit({.seconds = 0.05});
    CHECK(stop_of(gpy, again) == Stop::deadline);
    CHECK(stop_of(gpy, "x = 2") == Stop::none);
    Interpreter other;
    std::thread user([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      other.interrupt();
    });
    CHECK(stop_of(other, again) == Stop::interrupt);
    user.join();
    CHECK(stop_of(other, "x = 2") == Stop::none);
  }
}

TEST_CASE("a warning past the limit on output ends a run that does nothing after it") {
  Interpreter gpy({.err = [](std::string_view) {}});
  gpy.limit({.output = 100});
  CHECK(stop_of(gpy, "import warnings\nwarnings.warn('x' * 1000)") == Stop::output);
}

TEST_CASE("what runs for long in one built-in function is interrupted in it") {
  Interpreter gpy({.out = [](std::string_view) {}});
  gpy.run(
      "import collections, functools, itertools, json, math, operator, time\n"
      "ints = [i * 7919 % 1000003 for i in range(1000003)]\n"
      "texts = [str(i) for i in ints]\n"
      "huge = 10 ** 4000000 + 1\n"
      "many = ints * 20\n"
      "distinct = list(range(5_000_000))\n"
      "line = 'a b ' * 20_000_000\n"
      "long = 'abcdefghij' * 40_000_000\n"
      "accented = 'abcdefghi\u00e9' * 8_000_000\n");
  for (const std::string expression : {
           "sum(range(10 ** 12))",
           "min(range(10 ** 12))",
           "max(range(10 ** 12), key=lambda x: x)",
           "any(x < 0 for x in range(10 ** 12))",
           "all(range(1, 10 ** 12))",
           "any(map(bool, (0 for i in range(10 ** 12))))",
           "list(range(10 ** 8))",
           "tuple(range(10 ** 8))",
           "set(range(10 ** 7))",
           "set(many)",
           "dict.fromkeys(range(10 ** 7))",
           "dict.fromkeys(distinct)",
           "{i: i for i in range(10 ** 9)}",
           "dict(zip(range(10 ** 7), many))",
           "sorted(many)",
           "sorted(texts * 5)",
           "sorted(many, key=lambda x: -x)",
           "many.sort(reverse=True)",
           "many.count(-1)",
           "-1 in many",
           "many == list(map(int, many))",
           "many + many",
           "tuple(many).index(-1)",
           "''.join(map(str, many))",
           "','.join(texts * 20)",
           "line.split()",
           "line.split(' ')",
           "line.replace('a', 'bc')",
           "line.count('a')",
           "line.strip(' ab')",
           "accented.upper()",
           "accented.title()",
           "accented.isalpha()",
           "accented[::-1]",
           "accented.encode('utf-16')",
           "accented.encode('utf-16').decode('utf-16')",
           "long.find('aa')",
           "long.rfind('aa')",
           "long.translate({97: 'x'})",
           "long[::3]",
           "repr(long)",
           "'x' * 2_000_000_000",
           "b'xy' * 1_000_000_000",
           "[0] * 50_000_000",
           "(0,) * 50_000_000",
           "repr(many)",
           "f'{many}'",
           "print(*many, sep='', end='')",
           "str(huge)",
           "int('9' * 4000000)",
           "huge ** 50",
           "3 ** 10 ** 8",
           "huge * huge // huge",
           "divmod(huge ** 3, huge)",
           "pow(3, huge, huge)",
           "math.factorial(10 ** 7)",
           "math.comb(10 ** 7, 10 ** 6)",
           "5.5 in range(10 ** 12)",
           "list(zip(many, many))",
           "list(enumerate(many))",
           "next(filter(None, map(lambda x: 0, range(10 ** 12))))",
           "a, *b = range(10 ** 9)",
           "list(iter(int, 1))",
           "[].extend(iter(many))",
           "collections.deque(itertools.repeat(0), maxlen=0)",
           "collections.deque(itertools.combinations(range(60), 8), maxlen=0)",
           "collections.Counter(many)",
           "functools.reduce(operator.add, range(10 ** 10))",
           "json.dumps(many)",
           "json.loads('[' + '1,' * 10 ** 8)",
           "time.sleep(10 ** 6)",
           "open('/dev/zero', 'rb').read()",
       }) {
    CAPTURE(expression);
    CHECK(is_ended_inside(gpy, expression));
  }
}

TEST_CASE("an interrupt of what is huge takes little time") {
  using Clock = std::chrono::steady_clock;
  Interpreter gpy({.out = [](std::string_view) {}});
  gpy.run(
      "import copy, gc, math\n"
      "many = dict.fromkeys(range(5_000_000))\n"
      "more = dict.fromkeys(range(4_000_000, 9_000_000))\n"
      "row = list(range(40_000_000))\n"
      "lists = [[i] for i in range(3_000_000)]\n"
      "text = 'abc def,' * 40_000_000\n"
      "data = bytearray(text, 'ascii')\n"
      "a, b = 7 ** 3_000_000, 3 ** 6_000_000\n");
  for (const std::string expression : {
           "{**many, **more}",
           "many | more",
           "row.reverse()",
           "row[1:]",
           "del row[::2]",
           "copy.copy(row)",
           "f'{text:>500000000}'",
           "f'{text}{text}'",
           "'%s%s' % (text, text)",
           "text.format()",
           "text.zfill(10 ** 9)",
           "data + data",
           "data.upper()",
           "data.strip(b'abcdef ,')",
           "data.join([data, data])",
           "data += data",
           "del data[::3]",
           "str(a)",
           "int('7' * 50_000_000)",
           "int('1' * 10 ** 9, 2)",
           "a ** 3 // b",
           "f'{a:,}'",
           "math.gcd(a, b)",
           "math.lcm(a, b)",
           "math.isqrt(a ** 9)",
           "gc.collect()",
           "x = [[i] for i in range(3_000_000)]; x.clear()",
       }) {
    CAPTURE(expression);
    Clock::time_point asked;
    std::thread user([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      asked = Clock::now();
      gpy.interrupt();
    });
    stop_of(gpy, "while True:\n    " + expression + "\n");
    const auto waited = Clock::now();
    user.join();
    CHECK(waited - asked < std::chrono::milliseconds(500));  // 100 ms on an idle machine
  }
}

TEST_CASE("what a script prints is limited") {
  std::string printed;
  Interpreter gpy({.out = [&](std::string_view text) { printed += text; }});
  gpy.limit({.output = 1000});
  CHECK(stop_of(gpy, "while True:\n    try:\n        print('x' * 10)\n    except: pass") ==
        Stop::output);
  CHECK(printed.size() <= 1000);
  CHECK(printed.size() > 980);
  CHECK(stop_of(gpy, "print('y' * 900)") == Stop::none);
}

TEST_CASE("what values hold is limited") {
  Interpreter gpy;
  constexpr size_t kMost = 32 << 20;
  gpy.limit({.memory = kMost});
  for (const std::string source : {
           "a = []\nwhile True: a.append(0)",
           "a = []\nwhile True: a.append([])",
           "a = {}\nwhile True: a[len(a)] = 0",
           "a = set()\nwhile True: a.add(len(a))",
           "a = ''\nwhile True: a += 'abcdefgh' * 50000",
           "a = []\nwhile True: a.append('x' * 1000)",
           "a = []\nwhile True: a.append(b'x' * 1000)",
           "a = 1\nwhile True: a <<= 10 ** 6",
           "a = [1]\nwhile True: a = a + a",
           "a = (1,)\nwhile True: a = a + a",
           "a = [1]\na.extend(range(10 ** 9))",
           "a = list(range(10 ** 9))",
           "a = set(range(10 ** 9))",
           "a = list(map(str, range(10 ** 9)))",
           "a = 'x' * 10 ** 9",
           "a = [0] * 10 ** 8",
           "a = 1 << 10 ** 9",
           "def g():\n    yield 1\na = []\nwhile True:\n    a.append(g())",
           "a = []\nwhile True:\n    try: a.append([])\n    except: pass",
           "def f():\n    try:\n        a = []\n        while True: a.append([])\n    finally: "
           "return\n"
           "while True: f()",
       }) {
    CAPTURE(source);
    CHECK(stop_of(gpy, source) == Stop::memory);
    CHECK(stop_of(gpy, "a = None") == Stop::none);
  }
}

TEST_CASE("garbage does not count as held for long") {
  Interpreter gpy;
  gpy.limit({.memory = 64 << 20});
  CHECK(stop_of(gpy, "for i in range(200): x = list(range(100000))") == Stop::none);
  CHECK(stop_of(gpy, "for i in range(300000):\n    x = [i]\n    x.append(x)") == Stop::none);
  CHECK(stop_of(gpy, "for i in range(100000): x = str(i) * 100") == Stop::none);
}

TEST_CASE("finally runs in the time of grace, and no longer") {
  Interpreter gpy;
  gpy.limit({.steps = 5000});
  CHECK(stop_of(gpy,
                "done = 0\n"
                "try:\n    while True: pass\nfinally:\n"
                "    for i in range(1000): done += 1\n") == Stop::steps);
  CHECK(gpy.get("done").to_int() == 1000);
  CHECK(stop_of(gpy,
                "done = 0\n"
                "try:\n    while True: pass\nfinally:\n    while True: done += 1\n") ==
        Stop::steps);
  CHECK(gpy.get("done").to_int() > 1000);
  CHECK(stop_of(gpy, "while True:\n    try:\n        while True: pass\n    finally: 1 / 0") ==
        Stop::steps);
}

TEST_CASE("a stop goes through functions of the host, and through runs inside runs") {
  Interpreter gpy;
  gpy.limit({.steps = 5000});
  gpy.define("again", [&](const std::vector<Value>&) {
    try {
      gpy.run("while True: pass");
    } catch (const Error& error) {
      CHECK(error.stopped() == Stop::steps);
    }
    return Value();
  });
  CHECK(stop_of(gpy, "again()\nwhile True: pass") == Stop::steps);
  gpy.define("nested", [&](const std::vector<Value>&) {
    gpy.run("x = 1");
    return Value();
  });
  CHECK(stop_of(gpy, "nested()\nfor i in range(100): pass") == Stop::none);
}

TEST_CASE("a deadline may be as far away as a number says") {
  for (const double seconds : {1e12, 1e300, std::numeric_limits<double>::infinity()}) {
    Interpreter gpy;
    gpy.limit({.seconds = seconds});
    CHECK(stop_of(gpy, "import time\ntime.sleep(0.01)\nx = sum(range(1000))") == Stop::none);
  }
}

TEST_CASE("an interrupt that comes when nothing runs is forgotten") {
  Interpreter gpy;
  gpy.interrupt();
  CHECK(stop_of(gpy, "x = sum(range(1000))") == Stop::none);
}

TEST_CASE("without a limit, what the machine cannot hold is a MemoryError at once") {
  Interpreter gpy;
  for (const std::string value :
       {"'x' * 10 ** 13", "b'x' * 10 ** 13", "[0] * 10 ** 12", "(0,) * 10 ** 12", "1 << 10 ** 14",
        "10 ** 10 ** 13", "list(range(10 ** 12))", "tuple(range(10 ** 12))", "f'{1:>{10 ** 13}}'",
        "'x'.ljust(10 ** 13)", "'%*d' % (2 ** 31 - 1, 1) * 10 ** 5", "bytes(10 ** 13)",
        "(1).to_bytes(10 ** 13, 'big')", "'x'.zfill(10 ** 13)", "'ab' * 2 ** 62", "[1] * 2 ** 62",
        "sorted(range(10 ** 13))", "list(range(10 ** 12, 0, -1))", "[*range(10 ** 12)]"}) {
    CAPTURE(value);
    gpy.run("try:\n    x = " + value +
            "\nexcept (MemoryError, OverflowError):\n    x = 'refused'\n");
    CHECK(gpy.get("x").to_text() == "refused");
  }
}

TEST_CASE("a stop that comes during a library's routine ends the run with it") {
  Interpreter gpy;
  gpy.run(
      "import numpy as np\n"
      "m = np.random.default_rng(0).random((800, 800))\n"
      "large = np.ones((2560, 2560))\n"
      "stack = np.broadcast_to(m[:200, :200], (400, 200, 200))\n");
  for (const char* expression :
       {"np.linalg.svd(m)", "np.linalg.svd(stack)", "np.linalg.inv(stack)", "large @ large",
        "np.linalg.solve(large + 9 * np.eye(2560), large)", "np.linalg.qr(stack)",
        "np.linalg.det(stack)", "np.linalg.cholesky(stack @ np.swapaxes(stack, 1, 2))"}) {
    CAPTURE(expression);
    CHECK(is_ended_inside(gpy, expression));
  }
}

}  // namespace gpy::host
