// Memory that nothing can reach any more is freed, and used again.

#include <doctest/doctest.h>

#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

// The KiB by which the peak of resident memory rises while `more` rings follow the `first`, as the
// script sees it.
int64_t growth(const std::string& setup, const std::string& ring, int first, int more) {
  const std::string source = setup +
                             "\n"
                             "def peak():\n"
                             "    for line in open('/proc/self/status'):\n"
                             "        if line.startswith('VmHWM:'): return int(line.split()[1])\n"
                             "def make(count):\n"
                             "    for i in range(count):\n" +
                             ring + "\nmake(" + std::to_string(first) +
                             ")\n"
                             "before = peak()\n"
                             "make(" +
                             std::to_string(more) +
                             ")\n"
                             "print(peak() - before)\n";
  TemporaryFolder folder;
  const Result result =
      run_gpy({folder.write("script.gpy", source)}, {.environment = {{"GPY_DEVICE", "cpu"}}});
  CHECK(result.err == "");
  REQUIRE(result.code == 0);
  return std::stoll(result.out);
}

// After the first rings, the garbage that the collector waits for has gathered. A million of the
// smallest rings takes 100 MB.
constexpr int kFirst = 500000, kMore = 1000000;
constexpr int64_t kFlat = 8192, kRise = 60000;  // KiB

const std::string kRings[] = {
    "        a = [i]\n        a.append(a)",
    "        a = {}\n        b = {'other': a}\n        a['other'] = b",
    "        a, b = Node(), Node()\n        a.other, b.other = b, a",
    "        a = Node()\n        a.call = lambda: a",
    "        a = Node()\n        a.method = a.get",
    "        g = numbers()\n        next(g)\n        g.send(g)",
    "        a = Finished()\n        a.self = a",
};

const std::string kSetup =
    "class Node:\n"
    "    def get(self): pass\n"
    "class Finished:\n"
    "    def __del__(self): pass\n"
    "def numbers():\n"
    "    itself = yield\n"
    "    yield itself\n";

}  // namespace

TEST_CASE("a million more rings need no more memory") {
  for (const std::string& ring : kRings) {
    CAPTURE(ring);
    CHECK(growth(kSetup, ring, kFirst, kMore) < kFlat);
  }
}

TEST_CASE("types made by namedtuple go when nothing refers to them") {
  const std::string setup = "from collections import namedtuple\nfrom typing import NamedTuple\n";
  for (const std::string made : {
           "        P = namedtuple('P', 'x y')",
           "        P = namedtuple('P', 'x y', defaults=[i])\n        P.origin = P(i, i)",
           "        P = NamedTuple('P', [('x', int), ('y', int)])\n        P(i, i)._replace(x=1)",
       }) {
    CAPTURE(made);
    CHECK(growth(setup, made, 20000, 80000) < kFlat);
  }
}

TEST_CASE("without the collector they would") {
  CHECK(growth(kSetup + "import gc\ngc.disable()\n", kRings[0], kFirst, kMore) > kRise);
}

}  // namespace gpy::test
