#include "write_program.h"

#include <string_view>
#include <vector>

namespace gpy::fuzz {
namespace {

// One rule a letter, one alternative a line; `$x` stands for what rule x gives. When the bytes end
// or the nesting is deep, the first alternative is taken, so that one must not lead back to its
// rule.
//
// The programs are malicious: what the interpreter calls back (comparisons, keys, hashes,
// iterators, finalisers) changes the containers that it is called for.
struct Rule {
  char name;
  std::string_view alternatives;
};

constexpr Rule kRules[] = {
    {'n', R"(a
b
c
d
g
h
x
y
self
C
D)"},
    {'N', R"(0
1
-1
2
3
7
100
9223372036854775807
-9223372036854775808
18446744073709551616
0.5
-0.0
1e308
2j)"},
    {'t', R"('x'
''
'text'
'%s %d'
'{} {0.a!r:>{1}}'
'naïve 日本'
b'abc'
b'')"},
    {'e', R"(a
$n
$n
$N
$t
None
...
[$e, $e]
($e, $e)
{$e: $e}
{$e}
[$e]
()
[*$e, $e]
{**$e}
($e + $e)
($e - $e)
($e * $N)
($e % $e)
($e // $e)
($e ** $N)
($e << $N)
($e | $e)
($e & $e)
($e @ $e)
(-$e)
(not $e)
(~$e)
($e < $e)
($e == $e)
($e <= $e < $e)
($e in $e)
($e is not $e)
($e and $e)
($e or $e)
($e if $e else $e)
($e).$m
($e).$m($e)
$n.$m($e, $e)
$n.$m()
$n.$m($e)
$e[$i]
$e($A)
$F($e)
$F($e, $e)
(lambda x=$e: $e)
(lambda *x, **y: $e)
[$e for x in $e]
[$e for x in $e if $e for y in x]
{x: $e for x in $e}
{$e for x in $e}
list($e for x in $e)
f'{$n!r:>{$n}} {$n=}'
sorted($e, key=lambda x: $e)
sorted($e, key=$e, reverse=$e)
min($e, key=lambda x: $e, default=$e)
map(lambda x: $e, $e)
filter(lambda x: $e, $e)
C($e)
D($A)
g($A)
next(g($A), $e)
type($e)
super(C, $e))"},
    {'i', R"(0
$e
$e:$e
::$e
$e:
-1
$e, $e
...)"},
    {'m', R"(append
pop
clear
insert
remove
sort
extend
index
count
reverse
copy
update
setdefault
popitem
get
items
keys
values
add
discard
union
join
split
replace
format
encode
decode
upper
strip
translate
x
y
send
throw
close
__next__
__init__
__class__
__dict__
__name__
__iter__
__len__
__eq__
__mro__
__call__
__getitem__
to_bytes
as_integer_ratio
real)"},
    {'F', R"(repr
str
list
tuple
dict
set
frozenset
len
iter
next
sum
max
min
sorted
reversed
enumerate
zip
any
all
abs
hash
int
float
bool
bytes
complex
print
callable
isinstance
issubclass
hasattr
getattr
divmod
pow
round
format
ascii
chr
ord
vars
dir
id
range
slice
map
filter
setattr
delattr
print
a.append
b.update
property
staticmethod
classmethod
super
object
type
ValueError
StopIteration
KeyError
Exception
globals)"},
    {'A', R"(
$e
$e, $e
*$e
**$e
x=$e
*$e, y=$e, **$e)"},
    {'T', R"(x
$n
$n
$e[$i]
($e).x
$n, $n
*$n, $n
($n, ($n, *$n)))"},
    {'o', R"(+=
-=
*=
//=
|=
&=
**=
@=
%=)"},
    {'X', R"(Exception
ValueError
(TypeError, KeyError)
BaseException
StopIteration
$e)"},
    {'s', R"(pass
$T = $e
$T = $T = $e
$n $o $e
$e[$i] $o $e
($e).x $o $e
$e
$e
del $n
del $e[$i]
del ($e).x
if y := $e:$B
assert $e, $e
raise $e
raise ValueError($e) from $e
import math
if $e:$B
if $e:$B$Ielse:$B
for $T in $e:$L
for $T in $e:$L$Ielse:$B
while $e:$L
try:$B$Iexcept $X as e:$B
try:$B$Iexcept $X:$B$Ielse:$B$Ifinally:$B
try:$B$Ifinally:$B
with $e as $n:$B
with $e, $e:$B
def g($P):$R
def h($P):$R
def g(x=$e):$R
@$e$Idef h($P):$R
class C:$K
class C($e):$K
class D(C):$K
class D(C, $e):$K
a = [C(x) for x in $e]
b = {C(x): x for x in $e})"},
    {'l', R"(break
continue
$s
$s
$s
if $e: break
if $e: continue
try:$L$Ifinally:$L)"},
    {'r', R"(return $e
return
$s
$s
$s
yield
yield $e
x = yield $e
yield from $e
nonlocal_ = 1
return g($A)
try:$R$Ifinally:$R
try:$R$Iexcept $X as e:$R
for $T in $e:$R
with $e as x:$R
if $e:$R)"},
    {'P', R"(x
x, y
x=$e
*x
x, /, y
x, *, y=$e
x, *y, **self
)"},
    {'k', R"(x = $e
def __init__(self, x=0, *y):$R
def __eq__(self, x):$R
def __hash__(self):$R
def __lt__(self, x):$R
def __repr__(self):$R
def __str__(self):$R
def __len__(self):$R
def __bool__(self):$R
def __iter__(self):$R
def __next__(self):$R
def __getitem__(self, x):$R
def __setitem__(self, x, y):$R
def __delitem__(self, x):$R
def __contains__(self, x):$R
def __call__(self, *x, **y):$R
def __add__(self, x):$R
def __radd__(self, x):$R
def __iadd__(self, x):$R
def __index__(self):$R
def __int__(self):$R
def __float__(self):$R
def __enter__(self):$R
def __exit__(self, *x):$R
def __getattr__(self, x):$R
def __setattr__(self, x, y):$R
def __getattribute__(self, x):$R
def __delattr__(self, x):$R
def __format__(self, x):$R
def __del__(self):$R
def __new__(cls, *x):$R
def __init_subclass__(cls, **x):$R
def __reversed__(self):$R
def x(self):$R
@property$Idef x(self):$R
@classmethod$Idef y(cls, x=0):$R
@staticmethod$Idef y(x=0):$R
__slots__ = $e
__hash__ = $e
__eq__ = $e
__iter__ = $e
pass
$s
$s)"},
};

constexpr std::string_view kPrelude =
    "a = [1, 2, 3]\nb = {1: 2, 'x': a}\nc = {1, 2, 'x'}\nd = 'text'\nx = y = z = 0\nself = a\n"
    "def g(*x):\n yield from x\n"
    "h = lambda *x: x\n"
    "class C:\n def __init__(self, *x):\n  self.x = x\n"
    "class D(C):\n pass\n";

constexpr int kDeepest = 14;
constexpr int kDeepestExpression = 5;
constexpr size_t kLongest = 20000;

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  lines.push_back(text);
  return lines;
}

class Writer {
 public:
  explicit Writer(std::span<const uint8_t> bytes) : bytes_(bytes), rules_(256) {
    for (const Rule& rule : kRules) {
      rules_[static_cast<unsigned char>(rule.name)] = split_lines(rule.alternatives);
    }
  }

  std::string write() {
    text_ = kPrelude;
    while (next_ < bytes_.size() && text_.size() < kLongest) {
      text_ += "try:";
      block('s');
      text_ += "\nexcept Exception as e:\n print(e)\n";
    }
    return std::move(text_);
  }

 private:
  size_t choose(size_t count) {
    bool full = depth_ > kDeepest || in_expression_ > kDeepestExpression || text_.size() > kLongest;
    if (full || next_ >= bytes_.size()) return 0;
    return bytes_[next_++] % count;
  }

  void new_line() { text_ += '\n' + std::string(indent_, ' '); }

  void block(char statement) {
    ++indent_;
    for (size_t more = choose(3) + 1; more > 0; --more) {
      new_line();
      expand(statement);
    }
    --indent_;
  }

  void expand(char name) {
    ++depth_;
    in_expression_ += name == 'e';
    const auto& alternatives = rules_[static_cast<unsigned char>(name)];
    std::string_view chosen = alternatives[choose(alternatives.size())];
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i] == '$') {
        fill(chosen[++i]);
      } else {
        text_ += chosen[i];
      }
    }
    in_expression_ -= name == 'e';
    --depth_;
  }

  void fill(char hole) {
    switch (hole) {
      case 'B': return block('s');
      case 'L': return block('l');
      case 'R': return block('r');
      case 'K': return block('k');
      case 'I': return new_line();
      default: return expand(hole);
    }
  }

  std::span<const uint8_t> bytes_;
  std::vector<std::vector<std::string_view>> rules_;
  std::string text_;
  size_t next_ = 0;
  size_t indent_ = 0;
  int depth_ = 0;
  int in_expression_ = 0;
};

}  // namespace

std::string write_program(std::span<const uint8_t> bytes) { return Writer(bytes).write(); }

}  // namespace gpy::fuzz
