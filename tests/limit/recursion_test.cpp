// All recursion ends in a RecursionError on any stack, and deep objects are destroyed without
// recursing.

#include <doctest/doctest.h>

#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

constexpr int kStacks[] = {8192, 256};  // KiB

Result run_on_stack(int kilobytes, const std::string& source) {
  TemporaryFolder folder;
  std::string path = folder.write("script.gpy", source);
  std::string limit = "ulimit -s " + std::to_string(kilobytes);
  return run_program("sh", {"-c", limit + "; GPY_DEVICE=cpu exec " + gpy_path() + " " + path},
                     {.seconds = 120});
}

}  // namespace

TEST_CASE("what recurses without end is a RecursionError that can be caught") {
  for (const char* body : {
           "def f(n): return f(n + 1)\nf(0)",
           "def f(x): return sorted([1, 2], key=f)\nf(0)",
           "def f(x): return max([1, 2], key=f)\nf(0)",
           "def f(x): return list(map(f, [x]))\nf(0)",
           "def f(x): return list(filter(f, [x]))\nf(0)",
           "def f():\n    yield from f()\nlist(f())",
           "def f():\n    for x in f(): yield x\nlist(f())",
           "def f(): return [x for x in (f() for i in range(2))]\nf()",
           "class A:\n    def __repr__(self): return repr(self)\nrepr(A())",
           "class A:\n    def __str__(self): return f'{self}'\nstr(A())",
           "class A:\n    def __format__(self, spec): return format(self, spec)\nf'{A():>3}'",
           "class A:\n    def __getattr__(self, name): return self.other\nA().x",
           "class A:\n    def __setattr__(self, name, x): self.x = x\nA().x = 1",
           "class A:\n    def __eq__(self, other): return self == other\nA() == A()",
           "class A:\n    def __lt__(self, other): return self < other\nsorted([A(), A()])",
           "class A:\n    def __hash__(self): return hash(self)\n{A()}",
           "class A:\n    def __hash__(self): return hash((self,))\n{A(): 1}",
           "class A:\n    def __add__(self, other): return self + other\nA() + 1",
           "class A:\n    def __radd__(self, other): return 1 + self\n1 + A()",
           "class A:\n    def __neg__(self): return -self\n-A()",
           "class A:\n    def __bool__(self): return bool(self)\nnot A()",
           "class A:\n    def __len__(self): return len(self)\nlen(A())",
           "class A:\n    def __contains__(self, x): return x in self\n1 in A()",
           "class A:\n    def __getitem__(self, i): return self[i]\nA()[0]",
           "class A:\n    def __iter__(self): return iter(self)\niter(A())",
           "class A:\n    def __next__(self): return next(self)\n    def __iter__(self): return "
           "self\n"
           "list(A())",
           "class A:\n    def __call__(self): return self()\nA()()",
           "class A:\n    def __index__(self): return [1][self]\n[1][A()]",
           "class A:\n    def __enter__(self):\n        with self: pass\n"
           "    def __exit__(self, *a): pass\nwith A(): pass",
           "class A:\n    def __init__(self): A()\nA()",
           "class A:\n    def __new__(cls): return A()\nA()",
           "class A:\n    @property\n    def x(self): return self.x\nA().x",
           "a = []\nfor i in range(200000): a = [a]\nrepr(a)",
           "a = ()\nfor i in range(200000): a = (a,)\nstr(a)",
           "a = {}\nfor i in range(200000): a = {1: a}\nf'{a}'",
           "a = ()\nfor i in range(200000): a = (a,)\nhash(a)",
           "a = b = ()\nfor i in range(200000): a, b = (a,), (b,)\na == b",
           "a = b = []\nfor i in range(200000): a, b = [a], [b]\na == b",
           "a = b = []\nfor i in range(200000): a, b = [a], [b]\na < b",
           "a = b = {}\nfor i in range(200000): a, b = {1: a}, {1: b}\na == b",
           "a = []\nb = []\na.append(b)\nb.append(a)\na == b",
           "a = frozenset()\nfor i in range(10 ** 5): a = frozenset([a])\nrepr(a)",
           "a = (int,)\nfor i in range(200000): a = (a,)\nisinstance('', a)",
           "a = (int,)\nfor i in range(200000): a = (a,)\nissubclass(str, a)",
           "a = iter([])\nfor i in range(200000): a = zip(a)\nnext(a)",
           "a = iter([])\nfor i in range(200000): a = map(len, a)\nnext(a)",
           "a = iter([])\nfor i in range(200000): a = enumerate(a)\nnext(a)",
           "a = iter([])\nfor i in range(200000): a = reversed([a])\nrepr(list(a))\n1 / 0",
           "a = [1]\nfor i in range(200000): a = [a]\nimport numpy as np\n"
           "try: np.array(a)\nexcept ValueError: 1 / 0",
           "import copy\na = []\nfor i in range(200000): a = [a]\ncopy.deepcopy(a)",
           "import json\na = []\nfor i in range(200000): a = [a]\njson.dumps(a)",
           "import json\njson.loads('[' * 10 ** 6)",
           "import itertools\na = iter([])\nfor i in range(200000): a = "
           "itertools.chain(a)\nnext(a)",
           "import functools\nf = lambda: 1\nfor i in range(200000): f = functools.partial(f)\n"
           "f()\n1 / 0",
           "import functools\ndef f(a, b): return functools.reduce(f, [a, b])\nf(1, 2)",
           "f = lambda: f()\nf()",
           "a = int\nfor i in range(200000): a = list[a]\nrepr(a)",
           "a = int\nfor i in range(200000): a = list[a]\nhash(a)",
           "a = int\nfor i in range(200000): a = list[a]\na.__parameters__",
           "a = b = int\nfor i in range(200000): a, b = list[a], list[b]\na == b",
           "a = list\nfor i in range(200000): a = type(list[int])(a, int)\na()",
       }) {
    for (int stack : kStacks) {
      CAPTURE(stack);
      std::string source =
          "import sys\nsys.setrecursionlimit(10 ** 9)\ndef main():\n" + std::string(body);
      for (size_t at = 0; (at = source.find('\n', at)) != source.npos; ++at) {
        bool inside = source.rfind("def main", at) != source.npos;
        if (inside) source.insert(at + 1, "    ");
      }
      source +=
          "\ntry:\n    main()\n    print('returned')\n"
          "except (RecursionError, ZeroDivisionError):\n    print('caught')\n"
          "print('goes on')\n";
      CAPTURE(source);
      Result result = run_on_stack(stack, source);
      CHECK(result.out == "caught\ngoes on\n");
      CHECK(result.err == "");
      CHECK(result.code == 0);
    }
  }
}

TEST_CASE("long chains are let go of one by one") {
  for (const char* chain : {
           "a = [a]",
           "a = (a,)",
           "a = (a, i)",
           "a = list[a]",
           "a = {i: a}",
           "a = {1: {2: a}}.values()",
           "a = iter([a])",
           "a = reversed([a])",
           "a = zip([a])",
           "a = map(a, [a])",
           "a = enumerate([a])",
           "a = slice(a)",
           "a = [a].append",
           "a = Node(a)",
           "a = Node(a).get",
           "a = Slots(a)",
           "a = Odd([a])",
           "a = closure(a)",
           "a = lambda x=a: x",
           "a = lambda *, x=a: x",
           "a = (lambda g: (x for x in [g]))(a)",
           "a = generator(a); next(a)",
           "a = generator(a)",
           "a = chained(a)",
           "a = property(a)",
           "a = staticmethod(a)",
           "a = Deleted(a)",
       }) {
    for (int stack : kStacks) {
      CAPTURE(chain);
      CAPTURE(stack);
      std::string source =
          "class Node:\n    def __init__(self, next): self.next = next\n    def get(self): pass\n"
          "class Slots:\n    __slots__ = ('next',)\n"
          "    def __init__(self, next): self.next = next\n"
          "class Odd(list): pass\n"
          "deleted = 0\n"
          "class Deleted:\n    def __init__(self, next): self.next = next\n"
          "    def __del__(self):\n        global deleted\n        deleted += 1\n"
          "def closure(a): return lambda: a\n"
          "def generator(a): yield a\n"
          "def chained(a):\n    e = ValueError(a)\n"
          "    if isinstance(a, ValueError): e.__context__ = a\n    return e\n"
          "a = None\nfor i in range(100000): " +
          std::string(chain) + "\nprint('made')\na = None\nprint('gone')\n";
      // The same in a ring, for the collector.
      source += "import gc\nring = []\na = ring\nfor i in range(100000): " + std::string(chain) +
                "\nring.append(a)\na = ring = None\nprint(gc.collect() >= 0)\n";
      Result result = run_on_stack(stack, source);
      CHECK(result.out == "made\ngone\nTrue\n");
      CHECK(result.err == "");
    }
  }
}

TEST_CASE("deep sources are refused, not crashed on") {
  auto repeat = [](const std::string& text, size_t times) {
    std::string all;
    for (size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  constexpr size_t kMany = 100000;
  struct Source {
    std::string before, open, middle, close, after;
  };
  for (const Source& s : {
           Source{"x = ", "(", "1", ")", "\n"},
           Source{"x = ", "[", "1", "]", "\n"},
           Source{"x = ", "{1: ", "1", "}", "\n"},
           Source{"x = ", "-", "1", "", "\n"},
           Source{"x = ", "not ", "1", "", "\n"},
           Source{"x = ", "lambda: ", "1", "", "\n"},
           Source{"x = ", "1 if 1 else ", "1", "", "\n"},
           Source{"x = 1", "", "", " + 1", "\n"},
           Source{"x = ", "1 ** ", "1", "", "\n"},
           Source{"x = 1", "", "", " and 1", "\n"},
           Source{"x = 1", "", "", " < 1", "\n"},
           Source{"x = y", "", "", ".a", "\n"},
           Source{"x = y", "", "", "[0]", "\n"},
           Source{"x = y", "", "", "()", "\n"},
           Source{"", "x = ", "1", "", "\n"},
           Source{"if 0: pass\n", "elif 0: pass\n", "", "", "\n"},
           Source{"x = ", "f'{", "1", "}'", "\n"},
           Source{"", "f(", "1", ")", "\n"},
           Source{"", "@f\n", "def g(): pass\n", "", "\n"},
           Source{"", "try: pass\nfinally: pass\n", "", "", "\n"},
           Source{"x = ", "'a' ", "'b'", "", "\n"},
           Source{"", "for i in range(2): x = i\n", "", "", "\n"},
       }) {
    for (int stack : kStacks) {
      std::string source =
          s.before + repeat(s.open, kMany) + s.middle + repeat(s.close, kMany) + s.after;
      CAPTURE(stack);
      CAPTURE(source.substr(0, 60));
      Result result = run_on_stack(stack, source);
      CHECK(result.code >= 0);
      CHECK(result.code <= 2);
      CHECK(result.err.size() < 20000);
    }
  }
}

}  // namespace gpy::test
