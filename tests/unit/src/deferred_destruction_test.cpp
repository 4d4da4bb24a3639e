// Destruction that an interrupt cuts short happens later, all of it, once.

#include "src/memory/deferred_destruction.h"

#include <doctest/doctest.h>

#include <string>

#include "src/interpreter.h"

namespace gpy {

namespace {

struct Counts {
  int alive = 0;
  int interrupt_after = -1;  // after so many more destructions
};

// Counts itself, and interrupts when its turn has come.
struct Counted : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::first_free;
  explicit Counted(Type* type, Counts& counts) : Object(type), counts(counts) { ++counts.alive; }
  ~Counted() {
    --counts.alive;
    if (counts.interrupt_after >= 0 && counts.interrupt_after-- == 0) type->vm->interrupt();
  }
  Counts& counts;
};

struct Session {
  Interpreter vm;
  Counts counts;
  Type* counted = vm.make_type<Counted>({.name = "Counted"});

  Session() {
    static const Native kRows[] = {
        {"make", "()", make, "A Counted."},
        {"collect", "()", collect, "Collects rings."},
    };
    for (const Native& row : kRows) {
      vm.main_module().names->set(vm.intern(row.name), vm.function(row, "", this));
    }
    REQUIRE(
        run("N = 20000\n"
            "def ring(row):\n    row.append(row)\n    return row\n"
            "def chain(n):\n"
            "    x = None\n    for i in range(n): x = [make(), x]\n    return x\n"));
  }
  static Value make(Interpreter& vm, Args args) {
    auto* session = static_cast<Session*>(args.callee().context);
    return vm.make<Counted>(session->counted, session->counts);
  }
  static Value collect(Interpreter& vm, Args) {
    return Value::integer(static_cast<int64_t>(vm.collector.collect(vm)));
  }
  // Runs a script. False: it was interrupted.
  bool run(std::string_view source) {
    try {
      vm.run_source(source, "<test>", vm.main_module());
      return true;
    } catch (const Raised& raised) {
      if (vm.type_of(raised.exception) != vm.types.keyboard_interrupt) FAIL(vm.render(raised));
      return false;
    }
  }
};

constexpr int kMany = 20000;

}  // namespace

TEST_CASE("an interrupt does not wait for the end of what is long") {
  for (const std::string made : {
           "[make() for i in range(N)]",
           "[[make()] for i in range(N)]",
           "tuple([make() for i in range(N)])",
           "{i: make() for i in range(N)}",
           "{make() for i in range(N)}",
           "frozenset([(make(),) for i in range(N)])",
           "type('T', (tuple,), {})([[make()] for i in range(N)])",
           "[[make() for i in range(N)] for i in range(2)]",
           "chain(N)",
           "ring([make() for i in range(N)])",
           "[ring([make()]) for i in range(N)]",
           "ring([[ring([make() for i in range(N)]), (make(),) * N] for i in range(3)])",
       }) {
    CAPTURE(made);
    Session session;
    REQUIRE(session.run("x = " + made));
    const int made_count = session.counts.alive;
    REQUIRE(made_count >= kMany);
    session.counts.interrupt_after = 1000;
    CHECK_FALSE(session.run("x = None\ncollect()\nwhile True: pass"));
    CHECK(session.counts.alive > 0);
    CHECK(session.counts.alive < made_count);
    CHECK(session.run("for i in range(1_000_000): pass"));
    CHECK(session.counts.alive == 0);
  }
}

TEST_CASE("what waits ends with the interpreter, and before a collection") {
  int alive_after = 0;
  {
    Session session;
    REQUIRE(session.run("x = [[make()] for i in range(N)]"));
    session.counts.interrupt_after = 10;
    CHECK_FALSE(session.run("del x\nwhile True: pass"));
    CHECK(session.counts.alive > 0);
    CHECK(session.run("collect()"));
    CHECK(session.counts.alive == 0);
    REQUIRE(session.run("x = [[make()] for i in range(N)]"));
    session.counts.interrupt_after = 10;
    CHECK_FALSE(session.run("del x\nwhile True: pass"));
    alive_after = session.counts.alive;
  }
  CHECK(alive_after > 0);
}

TEST_CASE("what is unwound by an interrupt does not hold it up") {
  Session session;
  session.counts.interrupt_after = 0;
  CHECK_FALSE(session.run(
      "def f():\n    x = [[make()] for i in range(N)]\n    make()\n    while True: pass\nf()"));
  CHECK(session.counts.alive > 0);
  CHECK(session.run("for i in range(1_000_000): pass"));
  CHECK(session.counts.alive == 0);
}

TEST_CASE("a collection that is interrupted changes nothing") {
  Session session;
  REQUIRE(session.run("x = [ring([make()]) for i in range(N)]\nx = x[:10]"));
  session.vm.interrupt();
  CHECK(session.vm.collector.collect(session.vm) == 0);
  CHECK(session.counts.alive == kMany);
  session.vm.forget_interrupt();
  CHECK(session.vm.collector.collect(session.vm) == static_cast<size_t>(kMany - 10));
  CHECK(session.counts.alive == 10);
}

TEST_CASE("a class that waits for its end is not found any more") {
  Session session;
  REQUIRE(
      session.run("class A: pass\ndef f():\n    class B(A): pass\n"
                  "    B.itself = B\n    B.row = [[make()] for i in range(5 * N)]\nf()"));
  session.counts.interrupt_after = 10;
  CHECK_FALSE(session.run("collect()\nwhile True: pass"));
  CHECK(session.counts.alive > 0);
  CHECK(session.run("assert A.__subclasses__() == []\nfor i in range(1_000_000): pass"));
  CHECK(session.counts.alive == 0);
}

}  // namespace gpy
