"""Templates of statements: rows of a weight, what they need, and text.

Needs: `loop` (inside a loop), `def` (inside a function), `yield` (inside a generator function),
`deep` (there is room for a block). Loops end by themselves; what grows in a loop is clipped.
"""

ROWS = """
6 -
$new:int = $int
---
3 -
$new:str = $str
---
3 -
$new:ints = $ints
---
2 -
$new:strs = $strs
---
2 -
$new:float = $float
---
1 -
$new:float0 = $float0
---
2 -
$new:sdict = dict($sdict)
---
1 -
$new:idict = dict($idict)
---
1 -
$new:iset = set($iset)
---
1 -
$new:tup = $tup
---
1 -
$new:bytes = $bytes
---
1 -
$new:bool = $bool
---
1 -
$new:any = $any
---
1 -
$new:anys = $anys
---
1 -
$new:range = $range
---
1 -
$new:complex = $complex
---
2 -
$new:int = $new:int = $int
---
2 -
$new:int, $new:str = $int, $str
---
1 -
$new:int, *$new:ints = [$int] + $ints
---
1 -
*$new:ints, $new:int = *$ints, $int
---
1 -
$new:int, ($new:int, *$new:strs), $new:str = $int, ($int, $str), $str
---
1 -
[$new:int, $new:int] = $int, $int
---
1 -
$new:str, *$new:strs, $new:str = $str + "xy"
---
2 -
$var:int, $var:int = $int, $int
---
1 -
$new:int: int = $int
---
4 -
$var:int = clip($int)
---
2 -
$var:str = clip($str)
---
2 -
$var:ints = clip($ints)
---
1 -
$var:float = $float
---
1 -
$var:strs = clip($strs)
---
1 -
$var:any = $any
---
3 -
$var:int $augment clip($int)
---
2 -
for $new:int in range($small): $var:int = clip($var:int * $int + $int)
---
2 -
$changed:int **= $small
---
2 -
$changed:str += $str
---
2 -
$changed:ints += $stable
---
1 -
$changed:ints *= $small
---
1 -
$var:float $faugment $float
---
1 -
$changed:tup += $tup
---
1 -
$var:sdict |= $sdict
---
1 -
$var:iset $saugment set($iset)
---
2 -
$changed:ints.append($int)
---
1 -
$changed:ints.extend($stable)
---
1 -
$changed:ints.insert($int, $int)
---
1 -
show($var:ints.pop())
---
1 -
show($var:ints.pop($small), $var:ints)
---
1 -
$var:ints.remove($int)
---
1 -
$var:ints.sort(key=$key, reverse=$bool)
---
1 -
$var:ints.reverse()
---
1 -
$var:strs.sort()
---
1 -
$changed:ints[$slice] = $iterable
---
2 -
$changed:ints[$small:$small] = $ints
---
2 -
$var:ints[$index] = $int
---
1 -
$var:ints[$index] $augment clip($int)
---
1 -
del $var:ints[$slice]
---
1 -
del $var:ints[$small]
---
2 -
$var:sdict[$str] = $int
---
1 -
$var:sdict[$str] $augment clip($int)
---
1 -
$var:sdict[$str] = $var:sdict.get($str, 0) + 1
---
1 -
del $var:sdict[$str]
---
1 -
show($var:sdict.pop($str, $any), $var:sdict)
---
1 -
show($var:sdict.setdefault($str, $int))
---
1 -
$var:sdict.update($sdict, w=$int)
---
1 -
show($var:sdict.popitem())
---
1 -
$var:idict[$int] = $str
---
1 -
$var:iset.add($int)
---
1 -
$var:iset.discard($int)
---
1 -
$var:iset.remove($int)
---
1 -
$var:iset.update($ints)
---
1 -
$var:ints.clear()
---
1 -
$new:int = $var:ints.index($int)
---
1 -
show(*$anys, sep=$str)
---
6 -
show($any, $any)
---
3 -
print($any, $str, sep="|", end=".\\n")
---
3 -
show($int, $ints)
---
2 -
show($iset, $bool)
---
2 -
show($str, $float)
---
1 -
pass
---
1 -
assert $bool, $str
---
1 -
if ($new:int := $int) > $before:int: show($that:int)
---
1 -
show([$new:int := $int, $that:int], ($new:str := $str))
---
1 -
show([y for x in $ints if (y := x * 2) > $int])
---
2 -
$any
---
1 -
show($risky)
---
4 deep
if $bool:
    $block
---
4 deep
if $bool:
    $block
else:
    $block
---
2 deep
if $any:
    $block
elif $bool:
    $block
else:
    $block
---
5 deep
for $new:int in $iterable:
    $loop_block
---
2 deep
for $new:int in $range:
    $loop_block
else:
    $block
---
2 deep
for $new:str in $strs:
    $loop_block
---
1 deep
for $new:str in $str:
    $loop_block
---
2 deep
for $new:int, $new:str in enumerate($strs, $int):
    $loop_block
---
2 deep
for $new:str, $new:int in list($sdict.items()):
    $loop_block
---
1 deep
for $new:str in $sdict:
    $loop_block
---
1 deep
for $new:int, (*$new:ints, $new:str) in [($int, ($int, $str)), ($int, ($int, $int, $str))]:
    $loop_block
---
1 deep
for $new:int, $new:int in zip($ints, $tup):
    $loop_block
---
3 deep
$new:counter = $small
while $that:counter > 0 and $bool:
    $that:counter -= 1
    $loop_block
---
2 deep
$new:counter = 0
while True:
    $that:counter += 1
    if $that:counter > 4: break
    $loop_block
else:
    $block
---
1 deep
$new:counter = 5
while $that:counter:
    $that:counter -= 1
    if $bool: continue
    $loop_block
else:
    $block
---
3 loop
if $bool: break
---
3 loop
if $bool: continue
---
4 deep
try:
    $block
except Exception as $new:error:
    report($that:error)
---
2 deep
try:
    $block
except (ValueError, TypeError) as $new:error:
    report($that:error)
    $block
except KeyError:
    $block
else:
    $block
finally:
    show($any)
---
2 deep
try:
    show($risky)
except Exception as $new:error:
    report($that:error)
---
2 deep
try:
    $block
    raise $exception
except $errorclass as $new:error:
    report($that:error)
    $block
---
1 deep
try:
    raise $exception from $cause
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    try:
        $risky
    except Exception as $new:error:
        raise $exception
    finally:
        $block
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    try:
        $block
        raise $exception
    except LookupError:
        show("lookup")
        raise
    finally:
        show("finally", $any)
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    $block
finally:
    $block
---
1 loop deep
try:
    if $bool: break
    $block
finally:
    show("left", $any)
---
1 loop deep
try:
    if $bool: continue
    $block
except Exception as $new:error:
    report($that:error)
    break
---
1 deep def
try:
    return $result
finally:
    $block
---
1 deep
with Room($str) as $new:any:
    $block
---
1 deep
with Room($str, $bool) as $new:any, Room($str):
    $block
    show($risky)
---
2 def
return $result
---
3 def
if $bool: return $result
---
1 deep def
try:
    if $bool: return $result
    $block
except Exception as $new:error:
    report($that:error)
    return $result
---
6 yield
yield $result
---
1 yield
$new:any = yield $result
---
1 yield
show((yield $result), $any)
---
1 yield
yield from [$result, $result]
---
1 yield
yield from ($result for $local:int in $before:ints)
---
1 yield deep
try:
    yield $result
except Exception as $new:error:
    report($that:error)
finally:
    show("closing", $any)
---
1 yield deep
for $new:int in range($small):
    yield $result
---
1 -
$new:gone = $int; show($that:gone); del $that:gone
---
1 -
raise $exception
---
1 deep
$new:gone = $int
del $that:gone
try:
    show($that:gone)
except NameError as $new:error:
    report($that:error)
---
1 deep
$new:sdict = dict($sdict)
try:
    for $new:str in $that:sdict: $that:sdict[$str + "!"] = $int
except RuntimeError as $new:error:
    report($that:error)
show($that:sdict)
---
1 -
$new:ints = list($ints); show([$that:ints.remove(x) for x in $that:ints], $that:ints)
---
1 -
show(*$ints, *$strs, sep="-")
---
1 -
$var:ints[0], $var:int = $int, $int
---
1 -
($new:int), [$new:int, *$new:ints] = $int, ($int, *$ints)
---
1 -
for $var:int in $ints: pass
---
1 -
print(end=str($int) + "\\n")
---
1 -
show(all(x > $int for x in $ints), any([]), sum(x for x in $ints if x))
---
1 deep
for $new:int in $iterable:
    try:
        if $bool: continue
        if $bool: break
        $block
    except Exception as $new:error:
        report($that:error)
    else:
        show("no error")
    finally:
        show("each", $that:int)
else:
    show("ran to its end")
---
1 deep
try:
    try:
        show($risky)
    finally:
        raise $exception
except Exception as $new:error:
    report($that:error)
    show($that:error.args)
---
1 deep
try:
    raise
except RuntimeError as $new:error:
    report($that:error)
---
2 deep def
for $new:int in $iterable:
    try:
        if $bool: return $result
        $loop_block
    finally:
        if $bool: break
---
1 deep
try:
    print(undefined_name)
except NameError as $new:error:
    report($that:error)
"""

RISKY = """
$int + $str
$str + $int
$ints + $tup
$any + $any
$any * $any
$any - $any
$any < $any
$any >= $any
$any[$any]
$any[$int]
$any[$slice]
$any()
$any.missing
$any.append($int)
-$any
~$any
len($any)
iter($any)
list($any)
int($any)
int($str)
int($str, $int)
float($str)
float($any)
str($bytes, $str)
sum($anys)
max($anys)
sorted($anys)
max($ints)
min([])
$ints[$int]
$tup[$int]
$str[$int]
$bytes[$int]
$sdict[$str]
$idict[$int]
$int // ($int - $int)
$float % 0.0
$int / 0
$int % 0
divmod($int, 0)
0 ** -$positive
$int ** -1
$int << -1
1.0 << $int
$str % $any
"%d" % $any
"%d %s" % $int
"%s" % $tup
"%(k)s" % $any
"{} {}".format($any)
"{k}".format(a=1)
"{0.x}".format($any)
"{:$intspec}".format($any)
"{:$floatspec}".format($any)
"{:$strspec}".format($any)
f"{$int:$floatspec}{$str:$intspec}"
format($any, "$intspec")
$str.join($anys)
$str.split("")
$str.index($str)
$str.encode("ascii")
$bytes.decode()
$strs.index($str)
$tup.index($int)
chr($int)
ord($str)
range($any)
range(1, 5, 0)
bytes($ints)
bytes([$int])
$int.to_bytes(2, "big")
bytes.fromhex($str)
dict($anys)
dict([$any])
set($anys)
{$any: 1}
{$any, $any}
hash([$any])
hash(($int, $int))
next(iter([]))
zip($ints, $any, strict=True)
list(zip($ints, $tup, strict=True))
list(map($any, $ints))
[$local:int for $local:int in $before:any]
$any in $any
$any in $str
isinstance($int, $any)
getattr($any, $str)
abs($any)
round($any, $any)
pow($any, 2)
pow(2, -1, $any)
pow($int, $int % 5, 0)
complex($str)
math.sqrt(-$positive)
math.sqrt($any)
math.log($int)
math.factorial($int % 9 - 4)
math.gcd($any, 4)
(lambda a, b: a)($int)
(lambda a, b=1, *, c: a)($int, **$sdict)
(lambda a, /, b: a)(b=$any, a=1)
(lambda *a, k=1: k)(*$any)
(lambda: 0)($any)
(lambda a: a)($any, a=$any)
(lambda a: a)(**$any)
$int.real.foo
print($any, sep=$any)
"abc".replace("a")
"abc".upper($any)
[].append()
[].pop()
{}.popitem()
set().pop()
[1].insert("a", 1)
$ints.index($int, $small)
"a".center("b")
isinstance()
len()
len($str, $str)
int(1, 2, 3)
int($any, base=$any)
ord()
min()
min($int)
max($int, key=$any)
sorted()
sorted($ints, $any)
sorted($ints, key=$any)
enumerate()
dict(1)
abs()
"a" "b".foo
str($any).index($str)
None.x
None[0]
None()
$iset + $iset
$iset | $ints
$iset < $ints
$complex < $complex
$complex // 1
int($complex)
$float.is_integer($any)
int(float("inf"))
int(float("nan"))
float("inf") // 1
$float.as_integer_ratio()
"".join($any)
[*$any]
{**$any}
$call:any
$badcall
"""

EXCEPTIONS = """
ValueError($str)
ValueError
TypeError($str, $int)
KeyError($any)
IndexError
RuntimeError($any)
ArithmeticError()
ZeroDivisionError($str)
LookupError($str)
StopIteration($int)
NotImplementedError
AttributeError($str)
OSError($int % 30, $str)
Exception($any, $any)
AssertionError
Oops($str)
Oops
"""

ERROR_CLASSES = "Exception;ValueError;(ValueError, KeyError);LookupError;ArithmeticError;(TypeError, Oops);BaseException;RuntimeError"


class Row:
    def __init__(self, text):
        head, _, self.template = text.strip("\n").partition("\n")
        weight, *needs = head.split()
        self.weight, self.needs = int(weight), set(needs) - {"-"}

    def fits(self, writer, depth):
        if "deep" in self.needs and depth <= 0 or "loop" in self.needs and not writer.scope.loops:
            return False
        if "yield" in self.needs:
            return writer.scope.generator
        return "def" not in self.needs or writer.scope.returns is not None

    def write(self, writer, depth):
        return writer.lines(self.template, depth)


def rows(text=ROWS):
    return [Row(part) for part in text.split("\n---\n")]
