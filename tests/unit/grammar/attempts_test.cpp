// The parse is linear: rule attempts per byte stay what they are as the input doubles. Counted, so
// that no machine's speed decides; the speed is printed as well.

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "grammar/actions.h"
#include "parsing.h"

namespace gpy::syntax {
namespace {

size_t attempts = 0;

template <class Rule> struct CountingControl : Control<Rule> {
  static constexpr bool enable = true;
  template <class In> static void start(const In&, State&) { ++attempts; }
};

double attempts_per_byte(const std::string& text) {
  auto source = make_source("test.gpy", text);
  Arena arena;
  State state(*source, arena, {});
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy, tao::pegtl::eol::lf, const char*> in(
      source->text().data(), source->text().data() + source->text().size(), "");
  attempts = 0;
  CHECK(tao::pegtl::parse<rules::file, Action, CountingControl>(in, state));
  return static_cast<double>(attempts) / static_cast<double>(text.size());
}

std::string repeat(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

struct Shape {
  const char* open;
  const char* middle;
  const char* close;
};

constexpr Shape kShapes[] = {
    {"(", "x", ")"},
    {"[", "x", "]"},
    {"{", "x", "}"},
    {"{x:", "x", "}"},
    {"f(", "x", ")"},
    {"f(a=", "x", ")"},
    {"x[", "x", "]"},
    {"x[1:", "x", "]"},
    {"lambda: ", "x", ""},
    {"lambda a=", "x", ":x"},
    {"(x if ", "x", " else x)"},
    {"x if x else ", "x", ""},
    {"not ", "x", ""},
    {"-", "x", ""},
    {"x**", "x", ""},
    {"x+(", "x", ")"},
    {"[", "x", " for x in y]"},
    {"(", "x", ",)"},
    {"f'{", "x", "}'"},
    {"(x:=", "x", ")"},
    {"[*", "x", "]"},
    {"x<(", "x", ")"},
    {"f(*", "x", ")"},
    {"(lambda: ", "x", ")"},
    {"x.y(", "x", ")[0]"},
    {"{**", "x", "}"},
    {"f'{x:{", "x", "}}'"},
    {"f(*a, **", "x", ")"},
    {"lambda *a, b=", "x", ", **c: a"},
    {"x if (", "x", ") else x"},
    {"x[lambda: ", "x", "]"},
    {"not (", "x", ")"},
    // chains
    {"", "x", "+x"},
    {"", "x", "*x-x"},
    {"", "x", " and x or x"},
    {"", "x", "<x"},
    {"", "x", " not in x"},
    {"", "x", ".a"},
    {"", "x", "()"},
    {"", "x", "[0]"},
    {"", "x", ".a(b)[c]"},
    {"", "x", ", x"},
    {"", "'a'", " 'a'"},
    {"", "f'{a}'", " f'{a!r:>{b}}'"},
    {"x = ", "x", ""},
};

TEST_CASE("nesting costs the same at every depth") {
  for (const Shape& shape : kShapes) {
    auto nest = [&](int depth) {
      return repeat(shape.open, depth) + shape.middle + repeat(shape.close, depth) + "\n";
    };
    CAPTURE(shape.open);
    double once = attempts_per_byte(nest(100));
    double twice = attempts_per_byte(nest(200));
    CHECK(twice < once * 1.05);
    CHECK(once < 60);
  }
}

TEST_CASE("long programs cost the same per byte") {
  constexpr const char* kLines[] = {
      "x = a.b[c](d, e=f) + 1.5 * -g ** 2 if h and i < j <= k else [l for l in m if n]\n",
      "if a:\n  b\nelif c:\n  d\nelse:\n  e\n",
      "def f(a, b=1, *c, d: int = 2, **e) -> g:\n  return lambda x: x\n",
      "with (a as b, c as d):\n  pass\n",
      "try:\n  a\nexcept b as c:\n  d\nfinally:\n  e\n",
      "x = f'{a!r:>{b}} text {{ {c} }}' 'more' \"and more\"\n",
      "kernel elementwise f(T x, raw T y) -> (T z) {\n  z = x * y[i];\n}\n",
      "x = (  # comment\n  a,\n  b\n)\n# comment\n\n",
      "for a, (b, c) in d: e; f; del g, h\n",
      "class A(B, c=d):\n  \"\"\"Doc.\"\"\"\n  x: int = 1\n  def y(self):\n    return self.x\n",
      "class A:\n  @property\n  def x(self): return self._x\n  @x.setter\n  def x(self, x): pass\n",
      "@a\n@b.c(d, e=f)\n@g[h]\ndef i(): pass\n",
      "def f():\n  x = yield\n  y = yield x, 1\n  yield from f()\n  return (yield x)\n",
      "x = f\"{f'{f(a)[b]}':{c}.{d}}\" f'{e=}' rf'\\d{g}'\n",
      "x = sorted(a, key=lambda b, *, c=d: (b[0], -b[1]), reverse=not e)\n",
      "x = -a ** -b @ c // d % e << f & g | h ^ i < j != k is not l not in m and n or o\n",
      "x: dict[str, list[int]] = {**a, 'b': [*c, d], e: {f, g}}\n",
      "global a, b; x = y = (z := 1), *w\n",
  };
  for (const char* line : kLines) {
    CAPTURE(line);
    double once = attempts_per_byte(repeat(line, 100));
    double twice = attempts_per_byte(repeat(line, 200));
    CHECK(twice < once * 1.02);
    CHECK(once < 60);
  }
}

TEST_CASE("speed") {
  std::string program = repeat(
      "def step(state, dt=0.01, *, order=4):\n"
      "    \"\"\"Advance the state.\"\"\"\n"
      "    position, velocity = state['x'], state['v']\n"
      "    for k in range(order):\n"
      "        if np.any(np.abs(velocity[k, :]) > limits.max()):  # too fast\n"
      "            raise ValueError(f'step {k}: {velocity!r} is too fast')\n"
      "        position = position + dt * velocity ** 2 / (1.0 + k)\n"
      "    return {'x': position, 'v': [v * 0.5 for v in velocity if v is not None]}\n\n",
      4000);
  auto source = make_source("test.gpy", program);
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    std::clock_t begin = std::clock();  // of this process, whatever else runs
    auto result = parse(source);
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    CHECK(result.tree);
  }
  std::printf("grammar: %.1f MB/s\n", static_cast<double>(program.size()) / best / 1e6);
}

}  // namespace
}  // namespace gpy::syntax
