"""Writes files and texts with what NumPy reads from them or writes to them, for the tests of
runtime/io. A line is a case, fields are separated by '|', text is escaped, bytes are hex."""
import io
import random
import struct
import warnings
import zlib

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")
FOLDER = "tests/unit/runtime/io"
TYPES = [np.dtype(c) for c in "?bBhHiIlLefdFD"]
dice = random.Random(11)
rng = np.random.default_rng(11)


def escape(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("|", "\\p").replace("\r", "\\r")


def shape_text(shape):
    return ",".join(map(str, shape))


def cases(name):
    out = open(f"{FOLDER}/{name}_cases.inc", "w")
    print('R"cases(', end="", file=out)
    return out


def end(out):
    print(')cases"', file=out)
    out.close()


def random_bits(t, shape):
    bits = rng.integers(0, 256, int(np.prod(shape)) * t.itemsize, dtype=np.uint8)
    return ((bits & 1) if t.kind == "b" else bits).view(t).reshape(shape)


def own_bytes(a):
    """In the file's own order of axes."""
    return a.tobytes("F" if a.flags.fnc else "C").hex()


def npy(out):
    for t in TYPES:
        for shape in [(), (3,), (2, 3), (0, 2)]:
            a = random_bits(t, shape)
            f = io.BytesIO()
            np.save(f, a)
            print("save", f.getvalue().hex(), t.name, int(a.flags.fnc), shape_text(shape), own_bytes(a), sep="|", file=out)
    variants = [np.asfortranarray(random_bits(np.dtype("d"), (2, 3))), random_bits(np.dtype("f"), (4, 1, 2)).T]
    variants += [random_bits(np.dtype(c), (3,)).view(np.dtype(c).newbyteorder(">")) for c in "hIldFD"]
    for a in variants:
        for version in [(1, 0), (2, 0), (3, 0)]:
            f = io.BytesIO()
            np.lib.format.write_array(f, a, version)
            kind = "save" if version == (1, 0) else "read"
            print(kind, f.getvalue().hex(), str(a.dtype), int(a.flags.fnc), shape_text(a.shape), own_bytes(a),
                  sep="|", file=out)
    for a in [np.array([{}], object), np.array(["a"]), np.zeros(2, "i4,f8"), np.zeros(2, "M8[s]"), np.zeros(1, "g")]:
        f = io.BytesIO()
        np.lib.format.write_array(f, a)
        print("refuse", f.getvalue().hex(), "", "", "", "", sep="|", file=out)


def load_outcome(text, dtype, options):
    try:
        a = np.loadtxt(io.StringIO(text), dtype=dtype, **options)
    except (ValueError, TypeError) as e:
        return f"{type(e).__name__}", escape(str(e)), ""
    return "ok", shape_text(a.shape), a.tobytes().hex()


def option_text(options):
    parts = []
    for key, value in options.items():
        if key == "comments":
            value = "\x01".join([value] if isinstance(value, str) else value) if value or value == "" else "\x03"
        if key == "usecols":
            value = ",".join(map(str, [value] if isinstance(value, int) else value))
        parts.append(f"{key}={escape(str(value))}")
    return "\x02".join(parts)


def load_case(out, text, dtype="float64", **options):
    print(escape(text), np.dtype(dtype).name, option_text(options), *load_outcome(text, dtype, options), sep="|", file=out)


def number_word(t):
    kind = dice.random()
    if t.kind in "biu":
        low, high = (0, 3) if t.kind == "b" else (int(np.iinfo(t).min), int(np.iinfo(t).max))
        value = dice.choice([0, 1, high, low, dice.randint(low, high), dice.randint(0, 200)])
        word = ("+" if value >= 0 and kind < 0.1 else "") + str(value)
        return dice.choice([word] * 12 + ["x", "1.5", str(high + 1), str(low - 1), "", "-0", "+-3", "007"])
    value = dice.choice([dice.random(), dice.gauss(0, 1) * 10.0 ** dice.randint(-320, 307), dice.randint(-99, 99)])
    word = dice.choice([repr, str, "{:.3g}".format, "{:e}".format, "{:.20f}".format])(value)
    if t.kind == "c" and kind < 0.6:
        word = dice.choice(["({}{:+}j)", "{}{:+}j"]).format(word, dice.randint(-9, 9) / 4) if kind < 0.5 else word + "j"
    if t.char == "e" and kind < 0.5:
        return word
    return dice.choice([word] * 25 + ["nan", "inf", "-Infinity", "+NaN", "1_0" if t.char != "e" else "x", "0x1", ".", "1e", "--1", "é"])


def load_text(out):
    basics = ["1 2\n3 4\n", "1 2\n3 4", "5", "5\n", "1 2 3", "1\n2\n3\n", "", "\n\n", "# only\n", "1 2\n3 4 5\n", "1 2 3\n4 5\n",
              "# c\n1 2\n3 x\n", "1 2 # c\n3 4#d\n#e\n 5 6", "1 2\n\n3 4\n", "\t1\t2 \n3   4\t", "1 2\n \n3 4"]
    for text in basics:
        for options in [{}, dict(ndmin=1), dict(ndmin=2), dict(skiprows=1), dict(max_rows=1), dict(usecols=[0]), dict(usecols=[1, 0]),
                        dict(usecols=-1), dict(usecols=[5]), dict(usecols=[-4]), dict(max_rows=0), dict(skiprows=9)]:
            load_case(out, text, **options)
    for text in ["1,2\n3,4", "1,2,\n3,4,", "1, 2 \n 3 ,4", "1,,2", ",", "1,2\n\n3,4", "1,2\n ,\n3,4", "1\n \n3", "1,2\n   \n3,4", "a\tb,1"]:
        load_case(out, text, delimiter=",")
        load_case(out, text, delimiter=",", ndmin=2, usecols=[0])
    for text in ["1 2", "1  2", "1 2 \n3 4 ", " 1 2"]:
        load_case(out, text, delimiter=" ")
    for text in ["1 2 % c\n3 4", "%\n1 %% 2\n2", "1 2 // c\n3 4 ; d", "#1\n2"]:
        for comments in ["%", ["//", ";"], None, "//", ["%", "#"], "", [], " "]:
            load_case(out, text, comments=comments)
    for text in ['"1","2"', '"1" "2"', '"1""2" 3', '"1 2', '"1"5,2', '"1,5"', '""', '"",""', "'1'", '"1\n",2', ' "1",2', '"#1"']:
        for delimiter in [",", None]:
            load_case(out, text, delimiter=delimiter, quotechar='"')
    load_case(out, "1é2\n3é4", delimiter="é")
    load_case(out, "1\xa02\u30003")
    load_case(out, "\u20281\u2028 ", delimiter=",")
    for options in [dict(delimiter="\n"), dict(delimiter="#"), dict(delimiter=",", quotechar=","), dict(quotechar="#"), dict(ndmin=3),
                    dict(skiprows=-1), dict(max_rows=-1), dict(comments=["#", "%"], quotechar='"')]:
        load_case(out, "1 2", **options)
    for text in ["1+2j 3j 4 (1+2j) (3) -1-2j", "1 + 2j", "j", "+j", "1+2i", "(1+2j", "nan+infj", "1+2J", "1j+2", "1e400+1e-400j", "1+2j)", "()",
                 "(1+2j)j", "1++2j", "1+-2j", "--1"]:
        load_case(out, text, "complex128")
        load_case(out, f"( {text} )", "complex64", delimiter=",")
    for text in ["nan(12)", "1e400 -1e400 1e-400 -1e-400", ".5 5. +.5e1 1E5", "infinit", "1d5", "1__0", "٣", "it's", 'say "it\'s"', "a\\b", "1\x0b2",
                 "1e99999 1e-99999 -1e-99999", "0" * 400 + "1", "1" + "0" * 400, "0." + "0" * 400 + "1", "4.9e-324 2e-324 2.5e-324"]:
        load_case(out, text)
    for text in ["0.1 70000 1e-8 65519 65520", "0.1 1e39 1e-46"]:
        load_case(out, text, "float16")
        load_case(out, text, "float32")
    for _ in range(25):
        for t in TYPES:
            rows, columns = dice.randint(1, 4), dice.randint(1, 4)
            separator = dice.choice([" ", " ", "\t", ",", ", ", ";"])
            lines = [separator.join(number_word(t) for _ in range(columns)) for _ in range(rows)]
            delimiter = None if separator in " \t" else separator[0]
            load_case(out, "\n".join(lines) + dice.choice(["", "\n"]), t, delimiter=delimiter)


def save_outcome(a, options):
    f = io.StringIO()
    try:
        np.savetxt(f, a, **options)
    except (ValueError, TypeError, AttributeError, OverflowError) as e:
        return "error", escape(str(e))
    return "ok", escape(f.getvalue())


def save_case(out, a, **options):
    text = "\x02".join(f"{k}={escape(chr(1).join(v) if isinstance(v, list) else v)}" for k, v in options.items())
    text += "\x02list=1" if isinstance(options.get("fmt"), list) else ""
    print(a.dtype.name, shape_text(a.shape), a.tobytes().hex(), text, *save_outcome(a, options), sep="|", file=out)


def save_text(out):
    reals = np.array([[0.1, -2.5, 3e10], [1e-300, 12345.678, -0.0]])
    for t in TYPES:
        a = reals.clip(0, 100).astype(t) if t.kind in "biu" else reals.astype(t)
        for fmt in ["%.18e", "%d", "%s", "%g", "%10.4f", "%-12.3e|", "%+d", "%05d", "%x", "%r"]:
            if t.kind == "c" and fmt == "%x":
                continue
            save_case(out, a, fmt=fmt)
        save_case(out, a[0], fmt="%.3f")
    special = np.array([np.nan, np.inf, -np.inf, 1.5, -1.5, 0.5, 1e22, 1e300])
    conversions = "diufFeEgGsr"
    flags = ["", "-", "+", " ", "0", "#", "+0", "- ", "0-", "+ ", "#0"]
    for _ in range(400):
        width = dice.choice(["", "", "1", "6", "12", "25"])
        precision = dice.choice(["", "", ".", ".0", ".1", ".3", ".10", ".20"])
        fmt = "%" + dice.choice(flags) + width + precision + dice.choice(["", "", "", "l"]) + dice.choice(conversions)
        save_case(out, dice.choice([special, special[3:], rng.standard_normal(4), rng.standard_normal(3) * 10.0 ** rng.integers(-20, 20)]),
                  fmt=fmt)
        fmt = "%" + dice.choice(flags) + width + precision + dice.choice("diuxXoeg")
        save_case(out, rng.integers(-1000, 1000, 3).astype(dice.choice(TYPES[1:9])), fmt=fmt)
    whole = np.arange(6).reshape(2, 3)
    for options in [dict(fmt="%d %d %d"), dict(fmt="%d,%f;%e"), dict(fmt="%d %d"), dict(fmt=["%d", "%5.1f", "%s"]), dict(fmt=["%d", "%d"]),
                    dict(fmt="%d", delimiter=","), dict(fmt="%d", newline="\r\n"), dict(fmt="%d", header="a\nb", footer="end"),
                    dict(fmt="%d", header="x", comments="% "), dict(fmt="%y"), dict(fmt="%"), dict(fmt="abc"), dict(fmt="%d%%"),
                    dict(fmt="a%db", delimiter="--"), dict(fmt=["%d %d", "%d", "%d"]), dict(fmt="%5"), dict(fmt=["%d", "%d", "%%"])]:
        save_case(out, whole, **options)
    for shape in [(), (1, 1, 1), (0,), (0, 3), (3, 0)]:
        save_case(out, np.zeros(shape), fmt="%d")
    c = np.array([[1 + 2j, -1 - 0.5j], [complex(0, -0.0), 3j]])
    for options in [{}, dict(fmt="%.2f"), dict(fmt="%d %d %d %d"), dict(fmt="%d %d"), dict(fmt=["(%g+%gj)", "%g %g"], delimiter=";")]:
        save_case(out, c, **options)
    save_case(out, c.astype("F"))


def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(width, height, depth, colour, rows, extra=b"", interlace=0):
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    idat = zlib.compress(rows, 9)
    half = len(idat) // 2
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"tEXt", b"Title\0x") + extra + chunk(b"IDAT", idat[:half])
            + chunk(b"IDAT", idat[half:]) + chunk(b"IEND", b""))


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def filtered_rows(rows, step):
    """Every row by the next of the five filters."""
    out = bytearray()
    above = bytes(len(rows[0]))
    for n, row in enumerate(rows):
        kind = n % 5
        out.append(kind)
        for i, x in enumerate(row):
            a = row[i - step] if i >= step else 0
            b, c = above[i], above[i - step] if i >= step else 0
            out.append((x - [0, a, b, (a + b) // 2, paeth(a, b, c)][kind]) & 255)
        above = row
    return bytes(out)


def packed(values, depth):
    bits = "".join(format(v, f"0{depth}b") for v in values)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def image_case(out, data, pixels):
    print("ok", data.hex(), pixels.dtype.name, shape_text(pixels.shape), pixels.tobytes().hex(), sep="|", file=out)


def images(out):
    for channels, colour in [(1, 0), (2, 4), (3, 2), (4, 6)]:
        for depth in (8, 16):
            for height, width in [(1, 1), (7, 5)]:
                a = rng.integers(0, 2**depth, (height, width, channels)).astype(f">u{depth // 8}")
                a[::2] = np.sort(a[::2], axis=1)
                step = channels * depth // 8
                rows = filtered_rows([row.tobytes() for row in a], step)
                native = a.astype(a.dtype.newbyteorder("="))
                image_case(out, png(width, height, depth, colour, rows), native[:, :, 0] if channels == 1 else native)
    for depth in (1, 2, 4):
        a = rng.integers(0, 2**depth, (3, 11))
        rows = b"".join(b"\0" + packed(row, depth) for row in a)
        image_case(out, png(11, 3, depth, 0, rows), (a * (255 // (2**depth - 1))).astype(np.uint8))
        palette = rng.integers(0, 256, (2**depth, 3), dtype=np.uint8)
        image_case(out, png(11, 3, depth, 3, rows, chunk(b"PLTE", palette.tobytes())), palette[a])
        alpha = rng.integers(0, 256, 2**depth, dtype=np.uint8)
        extra = chunk(b"PLTE", palette.tobytes()) + chunk(b"tRNS", alpha.tobytes())
        image_case(out, png(11, 3, depth, 3, rows, extra), np.dstack([palette[a], alpha[a]]))
    a = rng.integers(0, 256, (8, 8), dtype=np.uint8)
    passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    rows = b"".join(b"\0" + row.tobytes() for y, x, dy, dx in passes for row in a[y::dy, x::dx])
    image_case(out, png(8, 8, 8, 0, rows, interlace=1), a)
    for colour in (0, 1):
        for top in (255, 65535, 100, 1000):
            a = rng.integers(0, top + 1, (3, 4, 3) if colour else (3, 4)).astype("u1" if top < 256 else ">u2")
            native = a.astype(a.dtype.newbyteorder("="))
            head = f"# made\n4 # wide\n3\n{top}"
            image_case(out, f"P{5 + colour}\n{head}\n".encode() + a.tobytes(), native)
            body = "\n".join(" ".join(map(str, row)) for row in a.reshape(3, -1))
            image_case(out, f"P{2 + colour}\n{head}\n{body}\n".encode(), native)


for name, make in dict(npy=npy, load_text=load_text, save_text=save_text, image=images).items():
    file = cases(name)
    make(file)
    end(file)
