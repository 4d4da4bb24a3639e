// Code that works through many elements or bytes polls for interrupts on the way. The test limits
// the elements between two polls, on average over a statement. Polls that the statement makes for a
// few elements too, as each call does, do not count. A statement that polls often in one part and
// never in another passes: the longest stretch is not seen. Polls are counted, so that the speed of
// the machine does not matter.

#include <doctest/doctest.h>

#include <cstdlib>
#include <sstream>

#include "runtime/core/interrupt.h"
#include "src/interpreter.h"
#include "src/types/file.h"
#include "stdlib/install.h"

namespace gpy {

namespace {

constexpr double kItems = 1 << 18;  // of a, d, s and the like
constexpr double kBytes = 1 << 24;  // of t and b
constexpr double kCells = 1 << 22;  // of x and the like

constexpr double kMostItems = 1 << 16, kMostBytes = 1 << 21, kMostCells = 1 << 18;

constexpr const char* kBefore = R"(
import collections, copy, csv, functools, heapq, io, itertools, json, math, operator, random
import statistics, string, textwrap
import numpy as np
n = 1 << 18
a = list(range(n))
texts = [str(i) for i in a]
r = a[::-1]
w = a[::2] + a[1::2]
q = tuple(a)
d = dict.fromkeys(a)
s = set(a)
t = 'ab c' * (1 << 22)
lines = 'abc\n' * (1 << 22)
b = bytes(1 << 24)
m = bytearray(b)
far = 7 ** 100000
x = np.arange(1 << 22, dtype=float)
y = x[::-1] * 0.5
k = np.arange(1 << 22) % 1000
big = x.reshape(2048, 2048)
tall = x.reshape(-1, 2)
mask = k > 500
even = np.full(1 << 22, 1 / (1 << 22))
text = '1 2 3 4\n' * (1 << 20)
np.set_printoptions(threshold=1 << 30)
)";

constexpr std::string_view kOfItems = R"(
list(a)
tuple(a)
set(a)
frozenset(a)
a + a
a * 2
q + q
q * 2
a[::2]
a[1:]
a.copy()
c = a.copy(); c.reverse()
c = a.copy(); c.extend(a)
c = a.copy(); c[::2] = a[::2]
c = a.copy(); del c[::2]
c = a.copy(); c.clear()
a == list(q)
q == tuple(a)
a < list(q)
-1 in a
-1 in q
a.count(-1)
q.count(-1)
sum(a)
min(a)
max(a)
min(a, key=abs)
any(0 for i in a)
all(a[1:])
sorted(w)
sorted(r)
sorted(texts)
sorted(a, key=operator.neg)
w.copy().sort()
list(map(abs, a))
list(filter(None, a))
list(zip(a, a))
list(enumerate(a))
list(reversed(a))
list(range(n))
[i for i in a]
{i: i for i in a}
{i for i in a}
dict(d)
d.copy()
dict(zip(a, a))
dict.fromkeys(a)
d | d
d == d.copy()
list(d)
list(d.values())
list(d.items())
c = d.copy(); c.clear()
c = d.copy(); c.update(d)
s | s
s & s
s - {1}
s ^ {1}
s == s.copy()
s <= s.copy()
c = s.copy(); c.update(a)
c = s.copy(); c.clear()
hash(frozenset(s))
hash(q)
str(a)
repr(d)
repr(s)
''.join(texts)
','.join(texts)
print(*a, file=io.StringIO())
collections.Counter(a)
collections.deque(a)
collections.deque(a).copy()
collections.deque(a).rotate(n // 2)
collections.deque(a).count(-1)
c = a.copy(); heapq.heapify(c)
heapq.nlargest(10, a)
heapq.nsmallest(10, a)
list(heapq.merge(a, a))
list(itertools.accumulate(a))
list(itertools.chain(a, a))
list(itertools.islice(a, n))
list(itertools.compress(a, a))
list(itertools.groupby(a))
list(itertools.pairwise(a))
list(itertools.product(range(512), repeat=2))
list(itertools.combinations(range(725), 2))
list(itertools.permutations(range(513), 2))
functools.reduce(operator.add, a)
math.fsum(a)
math.prod([1] * n)
math.dist(a, a)
math.hypot(*a)
statistics.mean(a)
statistics.median(w)
statistics.pvariance(a)
copy.copy(a)
copy.deepcopy(a)
copy.deepcopy(d)
json.dumps(a)
json.loads(str(a))
list(csv.reader(['a,b'] * n))
random.shuffle(a.copy())
random.sample(a, n)
random.choices(a, k=n)
io.StringIO().writelines(texts)
bytes([1] * n)
bytearray([1] * n)
list(bytes(n))
f(*a)
f(**{str(i): i for i in range(n)})
np.array(a)
np.array([[i] for i in a])
np.fromiter(a, int)
np.stack([x[:4]] * (n // 4))
np.concatenate([x[:4]] * (n // 4))
)";

// Left out: comparisons and hashes of texts and of bytes, and functions that compare such
// (startswith, endswith, removeprefix). They are one pass over memory that is there: of 400 MB
// hashing takes 0.11 s, comparing 0.03 s.
constexpr std::string_view kOfBytes = R"(
t + t
t * 2
t[::2]
t[1:]
'z' in t * 4
t.find('z')
t.rfind('z')
t.count('z')
t.count('ab c')
t.replace('z', 'y')
t.replace('ab', 'xyz')
t.split()
t.split('b')
t.partition('z')
t.rpartition('z')
t.upper()
t.lower()
t.title()
t.swapcase()
t.capitalize()
t.casefold()
(' ' * (1 << 24)).strip()
t.center(1 << 25)
t.ljust(1 << 25)
t.zfill(1 << 25)
t.expandtabs()
t.encode()
t.encode('latin-1')
t.encode('utf-16')
b.decode()
b.decode('latin-1')
b.decode('utf-16')
t.isalpha()
('a' * (1 << 24)).isalpha()
('a' * (1 << 24)).isalnum()
('7' * (1 << 24)).isdigit()
(' ' * (1 << 24)).isspace()
('a' * (1 << 24)).islower()
('a' * (1 << 24)).isidentifier()
('a' * (1 << 24)).isprintable()
t.translate({97: 98})
repr(t)
ascii(t)
lines.splitlines()
f'{t}'
f'{t!r}'
f'{t:>33554432}'
'%s' % t
'{}'.format(t)
list(t)
b + b
b * 2
b[::2]
b[1:]
1 in b
b.find(1)
b.find(b'12')
b.rfind(b'1')
b.count(1)
b.count(b'\0')
b.replace(b'1', b'2')
b.replace(b'\0', b'12')
b.hex()
bytes.fromhex('00' * (1 << 23))
b.strip(b'\0')
b.upper()
b.center(1 << 25)
b.translate(bytes(256))
repr(b)
bytes(m)
bytearray(b)
m + m
m[::2]
c = m.copy(); c.reverse()
c = m.copy(); c.extend(b)
c = m.copy(); del c[::2]
io.StringIO(t).read()
io.BytesIO(b).read()
list(io.StringIO(lines))
json.dumps(t)
json.loads('"' + t + '"')
textwrap.indent(lines, ' ')
textwrap.dedent(lines)
textwrap.wrap(t[:1 << 20])
string.Template(t).substitute()
)";

constexpr std::string_view kOfCells = R"(
x + y
np.sin(x)
x.sum()
x.mean()
x.std()
x.min()
x.argmax()
x.cumsum()
big.sum(axis=0)
big.sum(axis=1)
tall.sum(axis=1)
tall.sum(axis=0)
big.T.copy()
big.cumsum(axis=0)
np.sort(y)
np.argsort(y)
np.unique(k)
np.unique(y)
np.partition(y, 5)
np.median(x)
np.percentile(x, 30)
np.searchsorted(x, y)
np.bincount(k)
np.histogram(x)
np.histogram(x, bins=[0, 5, 1e9])
np.digitize(x, [0, 5])
x[k]
x[mask]
np.nonzero(mask)
np.where(mask, x, y)
x[::-1].copy()
x.tolist()
big.tolist()
np.add.at(x, k, 1.0)
z = x.copy(); z[k] = 1.0
z = x.copy(); z[mask] = 0.0
np.take(x, k)
np.put(x.copy(), k, 1)
np.concatenate([x, y])
np.stack([x, y])
np.tile(x, 2)
np.repeat(x, 2)
np.repeat(x, k[::-1] * 0)
np.repeat(x[:2], [1 << 22, 1])
np.roll(x, 5)
x.astype(int)
x.astype(np.float32)
x.tobytes()
np.array_equal(x, x + 0)
np.allclose(x, x + 0)
bool((x == x).all())
bool((x < 0).any())
str(x)
np.diff(x)
np.convolve(x, [1, 2, 3])
np.interp(x, [0, 1], [0, 1])
np.random.default_rng(1).random(1 << 22)
np.random.default_rng(1).normal(size=1 << 22)
np.random.rand(1 << 22)
np.random.permutation(1 << 22)
np.random.default_rng(1).permutation(x)
np.random.default_rng(1).shuffle(y.copy())
np.random.choice(1 << 22, 1 << 22)
np.random.choice(1 << 22, 5, p=even)
np.random.default_rng(1).choice(1 << 22, 5, p=even)
np.random.randint(0, 9, 1 << 22)
np.arange(1 << 22).sum()
np.linspace(0, 1, 1 << 22).sum()
np.meshgrid(x[:2048], x[:2048])[0].sum()
np.outer(x[:2048], x[:2048]).sum()
np.einsum('i,i->', x, y)
np.tril(big)
np.cov(tall.T)
np.isin(k, [1, 5])
np.setdiff1d(k, [1])
np.lexsort((x, k))
np.gradient(x)
np.cross(x[1:].reshape(-1, 3), x[1:].reshape(-1, 3))
np.select([mask], [x])
np.clip(x, 0, 5)
np.nan_to_num(x)
np.nansum(x)
list(x)
sum(x)
max(x)
[v for v in x]
list(x.flat)
5.5 in x
np.loadtxt(io.StringIO(text))
io.BytesIO(x.tobytes()).read()
)";

// The same statement on a few elements.
std::string of_few(std::string_view source) {
  std::string text(source);
  const auto shrink = [&text](std::string_view number, std::string_view few) {
    for (size_t at; (at = text.find(number)) != text.npos;) text.replace(at, number.size(), few);
  };
  for (const char* many : {"1 << 18", "1 << 20", "1 << 22", "1 << 23", "1 << 24", "1 << 25"}) {
    shrink(many, "16");
  }
  for (const char* root : {"512", "513", "725", "2048"}) shrink(root, "4");
  return text;
}

struct Counter {
  enum Size { many, few };
  explicit Counter(Size size) : size(size) {
    setenv("GPY_NUM_THREADS", "1", 1);  // other threads would count their own polls
    setenv("GPY_LAZY", "0", 1);         // each statement computes what it says
    lib::install(vm);
    questions_of(kBefore);
    questions_of("def f(*rest, **named): pass");
  }
  uint64_t questions_of(std::string_view source) {
    const std::string text = size == few ? of_few(source) : std::string(source);
    const uint64_t before = questions();
    try {
      vm.run_source(text, "<test>", vm.main_module());
    } catch (const Raised& raised) {
      FAIL_CHECK(text << "\n" << vm.render(raised));
    }
    return questions() - before;
  }
  uint64_t questions() const { return vm.steps + vm.looks + rt::interrupt_polls(); }

  const Size size;
  Interpreter vm;
};

}  // namespace

// AddressSanitizer looks through all of a text at each memmem in it.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kTakesHours = true;
#else
constexpr bool kTakesHours = false;
#endif

TEST_CASE("how many elements a statement works through for each look for an interrupt, on average" *
          doctest::skip(kTakesHours)) {
  Counter of_many(Counter::many), of_few(Counter::few);
  // The elements between two polls, on average.
  const auto distance_of = [&](const std::string& source, double elements) {
    const uint64_t all = of_many.questions_of(source), own = of_few.questions_of(source);
    return elements / static_cast<double>(all > own ? all - own : 1);
  };
  const auto check = [&](std::string_view sources, double elements, double most) {
    double largest = 0;
    std::istringstream lines{std::string(sources)};
    for (std::string source; std::getline(lines, source);) {
      if (source.empty()) continue;
      const double distance = distance_of(source, elements);
      CHECK_MESSAGE(distance <= most, source << ": " << distance);
      largest = std::max(largest, distance);
    }
    MESSAGE("at most " << largest << " on average");
  };
  check(kOfItems, kItems, kMostItems);
  check(kOfBytes, kBytes, kMostBytes);
  check(kOfCells, kCells, kMostCells);
}

TEST_CASE("characters of a file that are there already are counted with looks for an interrupt") {
  Interpreter vm;
  lib::install(vm);
  vm.run_source(R"(
import os
name = os.environ.get('TMPDIR', '/tmp') + '/gpy_polls_' + str(os.getpid())
file = open(name, 'w+', encoding='utf-16')  # all of it is read at once
os.remove(name)
file.write('short\n' + 'a' * (1 << 22))
file.seek(0)
file.read(1)
)",
                "<test>", vm.main_module());
  const Value held = *vm.main_module().find(vm, vm.intern("file"));
  File& file = *held.as<File>();
  const uint64_t before = vm.looks;
  CHECK(read_line(vm, file, 1 << 22) == "hort\n");
  CHECK(vm.looks == before);
  CHECK(read_all(vm, file, 1 << 22).size() == 1 << 22);
  CHECK(vm.looks - before >= (1 << 22) / kMostCells);
}

}  // namespace gpy
