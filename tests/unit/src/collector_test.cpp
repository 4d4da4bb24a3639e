// Cycles of every kind of object are freed, and nothing else is.

#include "src/memory/collector.h"

#include <doctest/doctest.h>

#include "src/code.h"
#include "src/interpreter.h"
#include "src/objects/exception.h"

namespace gpy {

namespace {

void run(Interpreter& vm, std::string_view source) {
  try {
    vm.run_source(source, "<test>", vm.main_module());
  } catch (const Raised& raised) {
    FAIL(vm.render(raised));
  }
}

size_t objects(Interpreter& vm) {
  size_t count = 0;
  vm.heap.for_each_tracked([&](Object*) { ++count; });
  return count;
}

}  // namespace

TEST_CASE("a ring through every kind of object is freed") {
  for (const char* ring : {
           "a = []; a.append(a)",
           "a = []; a.append((1, a))",
           "a = {}; a['self'] = a",
           "a = {}; a['values'] = a.values()",
           "a = {}; a['items'] = iter(a.items())",
           "a = []; b = {frozenset([1]): a}; a.append(b)",
           "a = []; a.append(iter(a))",
           "a = []; a.append(iter((a,)))",
           "a = []; a.append(reversed(a))",
           "a = []; a.append(enumerate(a))",
           "a = []; a.append(zip(a, a))",
           "a = []; a.append(map(len, a))",
           "a = []; a.append(filter(None, a))",
           "a = []; a.append(iter(a.pop, None))",
           "a = []; a.append(slice(a, None))",
           "a = []; a.append(a.append)",
           "def f(): return g\ndef g(): return f\nf.other = g; g.other = f\ndel f, g",
           "def f(x=[]): return x\nf().append(f)\ndel f",
           "def f(*, x=[]): return x\nf().append(f)\ndel f",
           "def f(x: {} = 1): pass\nf.__annotations__['f'] = f\ndel f",
           "def make():\n    def inner(): return inner\n    return inner\na = make()",
           "a = []\ndef f(x): yield x\na.append(f(a)); next(a[0])",
           "a = []\ndef f(x): yield x\na.append(f(a))",
           "a = []; a.append(x for x in a)",
           "try:\n    raise ValueError([])\nexcept ValueError as e:\n    e.args[0].append(e)",
           "try:\n    raise ValueError()\nexcept ValueError as e:\n    e.again = e",
           "a = ValueError(); a.__cause__ = KeyError(); a.__cause__.__context__ = a",
       }) {
    CAPTURE(ring);
    Interpreter vm;
    std::string body = "\n" + std::string(ring);
    for (size_t at = 0; (at = body.find('\n', at)) != body.npos; at += 5)
      body.insert(at + 1, "    ");
    run(vm, "def make():" + body + "\n");
    run(vm, "make()\n");
    vm.collector.collect(vm);
    size_t before = objects(vm);
    run(vm, "for i in range(100): make()\n");
    CHECK(vm.collector.collect(vm) >= 100);
    CHECK(objects(vm) <= before + 1);  // the code of the run
    CHECK(vm.collector.collect(vm) == 0);
  }
}

TEST_CASE("what a running call holds is kept") {
  Interpreter vm;
  vm.collector.threshold = 100;
  vm.collector.plan(vm.heap);
  run(vm,
      "def grow(n):\n"
      "    kept = []\n"
      "    kept.append(kept)\n"
      "    for i in range(200):\n"
      "        ring = [kept]\n"
      "        ring.append(ring)\n"
      "    if n: grow(n - 1)\n"
      "    assert kept[0] is kept\n"
      "def walk(n):\n"
      "    ring = [n]\n"
      "    ring.append(ring)\n"
      "    while n:\n"
      "        n -= 1\n"
      "        yield ring\n"
      "for i in range(20): grow(20)\n"
      "for ring in walk(100):\n"
      "    grow(1)\n"
      "    assert ring[1] is ring\n");
}

TEST_CASE("rings do not pile up") {
  Interpreter vm;
  run(vm, "for i in range(200000):\n    a = [i]\n    a.append(a)\n");
  size_t held = vm.heap.bytes();
  run(vm, "for i in range(800000):\n    a = [i]\n    a.append(a)\n");
  CHECK(vm.heap.bytes() < held + (16 << 20));
}

TEST_CASE("no collection where it is disabled") {
  Interpreter vm;
  vm.collector.enabled = false;
  run(vm, "for i in range(200000):\n    a = [i]\n    a.append(a)\n");
  CHECK(objects(vm) > 190000);
  CHECK(vm.collector.collect(vm) > 190000);
  CHECK(objects(vm) < 10000);
}

}  // namespace gpy
