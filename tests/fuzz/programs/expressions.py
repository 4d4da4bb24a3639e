"""Templates of expressions by the type they give: one a line. `simple` ones end the recursion.

What CPython leaves open is avoided: the order of sets, hashes of strings, addresses, identity of
numbers. Sizes stay small: exponents, shifts, repetitions take `$small`.
"""

INT = """
len($sdict.keys() & $sdict.keys())
len($sdict.items() - $sdict.items())
slice($int, None, $nonzero).indices($small)[0]
max([(len(w), i) for i, w in enumerate($strs)], default=(0, $int))[1]
int(f"{$int}")
{True: $int, 1.0: $int, 0: 3}[1]
int($str.isdigit() and $str or "7")
sum(map(lambda p: p[1], $sdict.items()))
[i for i, c in enumerate($str) if c in "aeiou"].__len__()
(lambda n: n * 2 if n > 3 else -n)($int)
(lambda *, k=$int: k)(**{"k": $int})
$float0.__trunc__()
len(str($int))
len(repr($any))
$int + $int
$int - $int
$int * $int
$int // $nonzero
$int % $nonzero
$int ** $small
$int << $small
$int >> $small
$int & $int
$int | $int
$int ^ $int
-$int
+$int
~$int
abs($int)
len($str)
len($ints)
len($strs)
len($sdict)
len($iset)
len($tup)
int($float0)
int($bool)
int($digits)
int("$hexdigits", 16)
int("0b1011", 0)
round($float0)
round($int, -$small)
divmod($int, $nonzero)[0]
divmod($int, $nonzero)[1]
pow($int, $small, $positive)
pow($int, -1, 1000003) if $int % 1000003 else 0
sum($ints)
sum($tup, $int)
max($int, $int)
min($int, $int, $int)
max($ints, default=$int)
min($ints, key=$key, default=$int)
max($strs, key=len, default="").count("a")
$int if $bool else $int
$int or $int
$int and $int
$str.count($str)
$str.find($str)
$str.rfind($str, $small)
$ints.count($int)
$tup.count($int)
($ints + [$int])[$small % 2 - 1]
($tup + ($int,))[0]
$sdict.get($str, $int)
{**$sdict, "k": $int}["k"]
[$int, $int, $int][$small % 3]
($int, $int)[$bool]
$int.bit_length()
$int.bit_count()
$int.real
$int.conjugate()
$int.numerator
int.from_bytes($bytes, "big")
int.from_bytes($bytes, "little", signed=True)
ord($char)
sum($local:int * $int for $local:int in $before:ints)
sum(1 for $local:str in $before:strs if $bool)
sum([$int for $local:int in $before:ints])
next(($int for $local:int in $before:ints if $bool), $before:int)
next(iter($ints), $int)
(lambda $local:int: $int)($before:int)
(lambda $local:int, $local2:int=$before:int: $int)($before:int)
(lambda *a, **k: len(a) + len(k))(*$ints, **{"z": $int})
len({$int, $int, $int})
hash($int)
hash($float0)
hash(($int, $int))
$ints[0] if $ints else $int
int($str == $str)
True + $int
$range.start
$range.step
len($range)
$float0.__floor__() if $bool else $float0.__ceil__()
list($bytes)[0] if $bytes else $int
len($bytes)
$call:int
"""

SMALL = "0;1;2;3;5;6;7;len($char);$int % 7;$int & 3;bool($int)"
NONZERO = "1;2;3;-3;7;10;-1;1000;2**40;$int or 1;$int or -7;($int | 1)"
POSITIVE = "1;2;5;13;97;10**9 + 7;2**61 - 1;abs($int) + 1"

FLOAT = """
$float + $float
$float - $float
$float * $float
$float / $float1
$float // $float1
$float % $float1
$int / $nonzero
$float0 ** $small
$positive ** 0.5
$positive ** -$small
-$float
abs($float)
float($int)
float($digits)
round($float0, $small)
round($float0, -1)
max($float, $int)
min($floats, default=$float)
sum($floats)
sum($floats, $float)
divmod($float, $float1)[1]
$float if $bool else $float
$float + $int
$int * $float
$float0.real
float.fromhex($float0.hex())
$complex.real
abs($complex)
math.sqrt($positive)
math.floor($float0) + 0.5
math.fmod($float, $float1)
math.hypot($float0, $float0)
math.fsum($floats)
float($ratio[0]) / $ratio[1]
$call:float
"""

BOOL = """
$int < $int
$int <= $int < $int
$int == $int
$int != $float
$float > $float
$float >= $int
$str < $str
$str == $str
$str in $str
$str not in $strs
$int in $ints
$int in $tup
$int in $range
$int not in $iset
$str in $sdict
$ints == $ints
$ints < $ints
$tup <= $tup
$tup != $tup
$strs > $strs
$iset <= $iset
$iset == $iset
$sdict == $sdict
not $bool
not $any
$bool and $bool
$bool or $bool
$bool & $bool
$bool ^ $bool
bool($any)
isinstance($any, int)
isinstance($any, (str, list))
isinstance($any, int | float)
$any is None
$any is not None
$any == $any
$any != $any
all($bool for $local:int in $before:ints)
any($local:int > $int for $local:int in $before:ints)
any($bools)
all($bools)
$str.startswith($str)
$str.endswith(($str, $str))
$str.isdigit()
$str.isalpha()
$str.isupper()
$str.islower()
$str.isspace()
$str.isalnum()
$str.isidentifier()
$str.istitle()
$str.isnumeric()
$str.isdecimal()
$str.isprintable()
$float0.is_integer()
math.isnan($float)
math.isclose($float, $float)
$iset.isdisjoint($iset)
$iset.issubset($ints)
callable($any)
hasattr($any, "append")
issubclass(bool, int)
$int < $int == $bool
1 < $small < 5 != $int
$call:bool
"""

STR = """
"{:>{w}}".format($str, w=$width)
"%s %s" % ($any, $any)
$str.format($any, a=$int)
"{a}".format_map({"a": $any})
"\\n".join(f"{k}={v!r}" for k, v in $sdict.items())
f"{$int:,} {$int:_}"
f"{{{$int}}}"
f"{$float:e}|{$float:g}|{$float!r}"
"".join(map(chr, range(97, 97 + $small)))
repr($str)[1:-1]
$str.encode().decode()
"".join(c * i for i, c in enumerate($str))[:30]
"yes" if $any else "no"
str([$str, {$str: $any}])
$str[$int:$int]
$str[-1:] + $str[:1]
max($str + "a", key=ord)
"-".join(sorted(set($str)))
" ".join($str.split()[::-1])
f"{$str:{$char}^{$width}}"
'%-*s|' % ($width, $str)
'%.*f' % ($small, $float0)
$str + $str
$str * $small
$str % ()
$str[$slice]
$str[$small:]
$str[::-1]
str($any)
repr($any)
ascii($str)
format($int, "$intspec")
format($float, "$floatspec")
format($str, "$strspec")
format($bool, "$intspec")
f"{$int}"
f"{$int:$intspec}"
f"{$float:$floatspec}"
f"{$str!r}"
f"{$str!a:>20}"
f"{$str:$strspec}"
f"<{$any}>{{}}{$int:{$width}}"
f"{$int=}"
f"{$float=:.3f}"
f"{$float:{$width}.{$small}f}"
f"{$any!s:>{$width}}"
f"{'a' if $bool else 'b'}{$str}"
"%d" % $int
"%s" % ($any,)
"%r|%5s" % ($any, $str)
"%$percentint" % $int
"%$percentfloat" % $float0
"%(a)s-%(b)03d" % {"a": $any, "b": $int}
"%c%%" % $char
"%*d" % ($width, $int)
"%x %o %X" % (abs($int), abs($int), abs($int))
"{} {}".format($any, $any)
"{1} {0!r}".format($any, $any)
"{a:>{w}}|{0[0]}".format($strs + ["e"], a=$str, w=$width)
"{0.real} {x[k]}".format($int, x={"k": $any})
"{:$intspec}".format($int)
"{:$floatspec}".format($float)
str($int)
hex($int)
oct($int)
bin($int)
chr($int % 1000 + 32)
$str.upper()
$str.lower()
$str.title()
$str.capitalize()
$str.swapcase()
$str.casefold()
$str.strip()
$str.lstrip($str)
$str.rstrip("\\n ao")
$str.replace($str, $str)
$str.replace($char, $str, $small)
$str.join($strs)
$before:str.join($local:str.upper() for $local:str in $before:strs)
$str.center($width, "*")
$str.ljust($width)
$str.rjust($width, $char)
$str.zfill($width)
$str.expandtabs($small)
$str.partition($char)[2]
$str.rpartition($char)[0]
$str.removeprefix($str)
$str.removesuffix($str)
$str.translate({97: "X", 98: None, 99: 100})
$str.translate(str.maketrans("abc", "xyz", "d"))
$str if $bool else $str
$str or $str
($strs + [$str])[$small % 1]
max($strs, default=$str)
min($strs, key=len, default="none")
$idict.get($int, $str)
"".join(sorted($str))
"".join(reversed($str))
"".join(dict.fromkeys($str))
type($any).__name__
(lambda $local:str: $str)($before:str)
$bytes.decode("latin-1")
$bytes.hex()
$bytes.hex("-", 2)
$float0.hex()
"".join($local:str for $local:str in $before:str if $local:str not in "aeiou")
str($bytes)
str($ratio)
str($int).zfill($small)
$call:str
"""

BYTES = """
$bytes + $bytes
$bytes * $small
$bytes[$slice]
bytes($smallints)
bytes($small)
$str.encode()
$str.encode("utf-8")
$str.encode("ascii", "replace")
$str.encode("latin-1", "ignore")
$bytes.upper()
$bytes.replace(b"a", $bytes)
b"-".join([$bytes, $bytes])
$bytes.strip()
bytes.fromhex("$hexdigits$hexdigits")
(abs($int) % 2**32).to_bytes(4, "big")
($int % 1000).to_bytes(2, "little")
bytes(reversed($bytes))
$bytes or $bytes
"""

INTS = """
[f() for f in [lambda: x for x in $ints]]
[f() for f in [lambda x=x: x + 1 for x in $ints]]
list(iter(iter($ints + [0]).__next__, 0))
[y for x in [$ints, $ints] for y in x]
[*range($small), *$ints]
[x for x in $ints for _ in range(2)]
sum([[x, x] for x in $ints], [])
list(map(lambda a, b: a * b, $ints, $tup))
[a - b for (a, b) in zip($ints, $ints[1:])]
list({x: None for x in $ints})
[x for i, x in enumerate($ints) if i % 2]
sorted($ints + $ints, key=lambda x: (abs(x), x))
[$int, $int, $int]
[$int]
[]
$ints + $ints
$ints * $small
$ints[$slice]
$ints[:]
list($range)
list($tup)
list($bytes)
[*$ints, $int, *$tup]
[$int for $local:int in $before:ints]
[$int for $local:int in $before:ints if $bool]
[$local:int for $local:int in $before:range]
[$int for $local:int in $before:range for $local2:int in $before:ints]
[ord($local:str) for $local:str in $before:str]
[$local:int * $int for $local:int in $before:tup if $local:int]
sorted($ints)
sorted($ints, reverse=True)
sorted($ints, key=$key)
sorted($iset)
sorted($tup, key=$key, reverse=$bool)
list(reversed($ints))
list(map($intfunction, $ints))
list(map(lambda $local:int, $local2:int: $int, $before:ints, $before:ints))
list(filter(None, $ints))
list(filter(lambda $local:int: $bool, $before:ints))
list(map(len, $strs))
list(map(abs, $ints))
list($sdict.values())
sorted($idict)
[a + b for a, b in zip($ints, $ints)]
[a * i for i, a in enumerate($ints)]
[a for a, *b in [$ints + [$int], $tup + (1,)]]
[x for x in $range if x % 2 == $small]
[len($local:str) for $local:str in $before:strs]
$ints if $bool else $ints
$ints or [$int]
$ints.copy()
list(dict.fromkeys($ints))
(lambda *a: list(a))(*$ints, $int)
$call:ints
"""

STRS = """
[$str, $str]
[]
$str.split()
$str.split($char)
$str.split(" ", $small)
$str.rsplit(None, 1)
$str.splitlines()
$str.splitlines(True)
list($str)
sorted($strs)
sorted($strs, key=len)
sorted($before:strs, key=lambda $local:str: ($int, $local:str))
sorted($strs, key=str.lower, reverse=True)
sorted($sdict)
list($sdict)
list($sdict.keys())
$strs + $strs
$strs[$slice]
$strs * 2
[$str for $local:str in $before:strs]
[$str for $local:int in $before:ints]
[$local:str for $local:str in $before:strs if $bool]
[f"{$local:int:$intspec}" for $local:int in $before:ints]
[str($local:int) for $local:int in $before:tup]
list(map(str, $ints))
list(map(repr, $anys))
list(map(str.upper, $strs))
list(filter(str.isalpha, $strs))
[*$strs, *$str]
[k for k, v in $sdict.items() if v > $int]
[a + b for a in $strs for b in $strs][:9]
$strs if $bool else $strs
list($str.partition($char))
"""

FLOATS = "[$float, $float];[];[$float for $local:int in $before:ints];[float($local:int) for $local:int in $before:ints];$floats + $floats;$floats[$slice];sorted($floats);[round($local:float, 2) for $local:float in $before:floats];list(map(float, $ints));[x / 2 for x in $ints]"

TUP = """
($int, $int)
($int,)
()
$tup + $tup
$tup * $small
$tup[$slice]
tuple($ints)
tuple($range)
tuple($int for $local:int in $before:ints)
divmod($int, $nonzero)
(*$ints, $int)
tuple(sorted($ints))
tuple(map(abs, $tup))
tuple(reversed($tup))
$tup or ($int, 0)
$float0.as_integer_ratio()
"""

RATIO = "$float0.as_integer_ratio();($int, 1)"

SDICT = """
{"a": $int, "b": $int}
{$str: $int}
{}
{$str: $int, **$sdict}
$sdict | $sdict
{$local:str: $int for $local:str in $before:strs}
{$local:str: $int for $local:str in $before:str if $bool}
{str($local:int): $local:int for $local:int in $before:ints}
dict(zip($strs, $ints))
dict(a=$int, zz=$int)
dict($sdict, q=$int)
dict([("x", $int), ($str, $int)])
dict.fromkeys($strs, $int)
$sdict.copy()
dict(sorted($sdict.items()))
dict(sorted($sdict.items(), key=lambda p: (p[1], p[0])))
{k: v for k, v in $sdict.items() if $bool}
(lambda **k: k)(**{"a": $int}, b=$int)
dict(list($sdict.items())[::-1])
"""

IDICT = """
{$int: $str, $int: $str}
{}
{$local:int: $str for $local:int in $before:ints}
dict(enumerate($strs))
dict(enumerate($str, $int))
$idict | {$int: $str}
{v: k for k, v in $sdict.items()}
{True: $str, 1: $str, 1.0: $str}
{$local:int % 3: str($local:int) for $local:int in $before:ints}
"""

ISET = """
{$int, $int, $int}
set()
set($ints)
set($range)
frozenset($ints)
$iset | $iset
$iset & $iset
$iset - $iset
$iset ^ $iset
{$int for $local:int in $before:ints}
{$local:int % 5 for $local:int in $before:range if $bool}
$iset.union($ints, $tup)
$iset.intersection($range)
$iset.difference($ints)
$iset.symmetric_difference($ints)
$iset.copy()
{*$ints, *$tup}
"""

COMPLEX = """
complex($float0, $float0)
$complex + $complex
$complex * $complex
$complex - $int
$complex * 1j
$complex.conjugate()
$complex / (2+1j)
$complex ** 2
-$complex
"""

ANY = """
$sdict.keys()
$sdict.values()
$idict.items()
sorted($sdict.keys() | $sdict.keys())
[*map(type, $anys)]
[[y for y in range(x)] for x in range($small)]
[(x, y) for x in range(4) if x != 1 for y in range(x) if y != $small]
dict.fromkeys($ints)
list(zip(*[$ints, $tup]))
(*$ints, *$strs)
min($anys, key=str, default=None)
{k: [v, $any] for k, v in $sdict.items()}
{x: {y: x * y for y in range(3)} for x in range($small)}
slice($any, $small).indices(9) if $bool else slice(None)
[x if x else $any for x in $anys]
divmod($float, $float1)
[$int, $str] == [$int, $str]
($int, $float) < ($int, $float)
bytes($str, "utf-8")
[$any][0]
[[], [$any]][$bool]
sorted([$str, $str], key=lambda s: (len(s), s))
$int
$float
$str
$bool
$bytes
$ints
$strs
$tup
$sdict
$idict
$floats
None
...
($str, $int)
[$any, $any]
($any, $any)
{"k": $any}
{$int: $any, $str: $any}
[[$int], [$str]]
$any if $bool else $any
$any or $any
$any and $any
[$any for $local:int in $before:ints]
[($local:int, $any) for $local:int in $before:tup]
list(zip($ints, $strs))
list(zip($str, $tup, $floats))
list(enumerate($strs))
list(enumerate($ints, $int))
list($sdict.items())
list(map(lambda $local:int: $any, $before:ints))
sorted($sdict.items(), key=lambda p: p[1])
sorted(list(zip($ints, $strs)))
(lambda: $any)()
(lambda $local:str, /, *, k=$before:int: $any)($before:str)
[*$anys]
$anys
$range
$complex
slice($int, None, $int)
type($any)
$str.partition($str)
$complex
min($any, $any, key=repr)
sum([[$int], [$int]], [])
dict(zip($ints, $anys))
$int.__add__($int)
(1).__lt__($any)
getattr($any, "real", $any)
"""

KEY = "abs;lambda x: -x;lambda x: x % 3;lambda x: (x % 2, x);str;lambda x: -abs(x);repr"
INTFUNCTION = "abs;lambda x: x + 1;lambda x, y=2: x * y;int;bool;lambda x: ~x;lambda $local:int: $int"

TABLES = {
    "int": ("$intlit", INT), "small": (SMALL.split(";")[0:7], SMALL), "nonzero": ("3;-2;7", NONZERO),
    "positive": ("1;2;97", POSITIVE), "float": ("$floatlit", FLOAT),
    "float0": ("$floatlit", "clip($float);$floatlit;float($int % 100000)"),
    "float1": ("2.0;0.1;-3.5", "$float0 or 1.0;0.25;1e10;-7.0;$nonzero"),
    "bool": ("True;False", BOOL), "str": ("$strlit", STR), "bytes": ("$byteslit", BYTES),
    "ints": ("[$int, $int];[];[3, 1, 2]", INTS), "strs": ("[$str, $str];['b', 'a'];[]", STRS),
    "floats": ("[1.5, -2.0];[$float]", FLOATS), "tup": ("($int, $int);(1,);()", TUP),
    "ratio": ("(1, 2)", RATIO), "sdict": ('{"a": 1, "b": 2};{}', SDICT),
    "idict": ("{1: 'x', 2: 'y'};{}", IDICT), "iset": ("{1, 2, 3};set()", ISET),
    "complex": ("1j;(2-3j);complex(0.5, -0.0)", COMPLEX), "any": ("$int;$str;None;$float;$bool", ANY),
    "bools": ("[True, False];[]", "[$bool, $bool];[$bool for $local:int in $before:ints];[x > 2 for x in $ints]"),
    "anys": ("[1, 'a', None]", "[$any, $any, $any];list($tup);[];list($str);[$any for $local:int in $before:range]"),
    "smallints": ("[1, 200];[]", "[65, $small];[x % 256 for x in $ints]"),
    "range": ("range(4);range(5, 0, -1)", "range($small);range(1, $small);range($small, -2, -1);range(-3, 9, 2);range($small, 10, $small + 1)"),
    "key": ("abs;lambda x: -x", KEY), "intfunction": ("abs", INTFUNCTION),
    "char": ("'a';'b';' ';'-'", "$char;'é';chr(97 + $small);($str + 'z')[0];min($str + 'q');('%d' % $int)[-1]"),
    "digits": ("'42';'-7';' 13 ';'1_000'", "'42';str($int);'%d' % $int;$digits.strip() + '0'"),
    "slice": ("1:3;::2;:-1", "$small:;:$small;$small:$int;::-1;-$small:;::$nonzero;$int:$int:$nonzero;:;None:$small"),
    "width": ("5;12", "$small;8;11"),
}

LITERALS = {
    "intlit": """0 1 2 3 4 5 7 8 9 10 12 17 31 42 99 100 255 256 -1 -2 -3 -7 -100 1000 65535 2147483647 -2147483648
        4294967296 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809
        18446744073709551616 100000000000000000000 0x7f 0xFF 0b101 0o17 1_000_000 -123456789012345678901234567890""".split(),
    "floatlit": """0.0 -0.0 1.0 0.5 1.5 2.5 -1.5 0.1 0.2 3.14159 100.0 1e3 1e16 1e17 123456.789 1e-5 1e-4 0.0001234
        1e22 2.5e-8 -7.25 1e100 5e-324 1.7976931348623157e308 9007199254740993.0 .5 3. 1_0.5""".split(),
    "strlit": ["''", "'a'", "'b'", "'abc'", "'Hello World'", "'the quick brown fox'", "'42'", "' pad '", "'a,b,,c'",
               "'naïve ß'", "'ÀÉ日本'", "'tab\\tnl\\nend'", "\"it's\"", "'q\"q'", "'x' 'y'", "r'\\d+'", "'\\x01\\x7f\\xa0'",
               "'😀é'", "'A1b2'", "'ǅ ŉ'", "'%d'", "'{}'", "'aXbXc'", "'banana'", "'\\u2028z'", "'''tri\nple'''"],
    "byteslit": ["b''", "b'a'", "b'abc'", "b'\\x00\\xff'", "b'hello world'", "b\"it's\"", "rb'\\n'"],
    "hexdigits": ["ff", "10", "0a", "7f"],
    "intspec": ["d", "5", "05d", "<6", ">6d", "^7", "+d", " d", ",", "_", "x", "#x", "X", "o", "b", "#b", "08b", "_x", "e",
                ".2f", "10,.1f", "%", "*^9", "=+8", "c" , "n", "g", "012,", "#_b", "#010x", "-<+6d", "s", ".3", "z"],
    "floatspec": [".2f", "8.3f", "+.1e", "g", "G", "e", "E", "F", "%", ".0f", ".1%", ",.2f", "010.2f", "<9", "^12.4g", " .3",
                  "#.0f", "", "_.1f", ".10g", "n", "#g", ".0e", "=+10.1f", "x<8.2", "08", ".17g", "d", ",", "z.1f"],
    "strspec": ["", "10", "<5", ">8", "^9", "*^7", ".2", "5.1", "-<6s", "s", "08", "é>6", "=5", "d", "+"],
    "percentint": ["d", "5d", "-5d", "05d", "+d", " d", "i", "x", "#x", "X", "o", "#o", "s", "r", ".3d", "e", "c", "u", "a"],
    "percentfloat": ["f", ".2f", "e", "G", "8.3f", "-9.1f|", "+g", "#.0f", "010.2f", "d", "s", "r", "x", "%"],
}
