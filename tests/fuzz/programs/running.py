"""Runs a program under CPython, in this process, and under gpy, in one of its own."""
import contextlib
import io
import itertools
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import warnings

ADDRESS = re.compile(r" at 0x[0-9a-f]+")
# What is known to differ, and why that is right or does not matter: (gpy's line, the reason).
KNOWN = [
    (r"str_iterator|<reversed object|dict_iterator|\breversed\b",
     "CPython names iterators by how their text or list is stored"),
    (r"<function .*<lambda>", "a comprehension runs in place: what is made in it is not named after it"),
    (r"sorted\(\) takes exactly|enumerate\(\) missing required|(starts|ends)with expected at least",
     "the number of arguments is counted in another phrase, not wrongly"),
]
LIMIT = 1 << 32  # bytes of address space for either


class TooLong(BaseException):
    pass


def stop(*_):
    raise TooLong


def run_python(text, seconds=1.0):
    """(output, "Type: text" of an uncaught exception or ""); None when it takes too long."""
    out, error = io.StringIO(), ""
    signal.signal(signal.SIGVTALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "program", "exec", dont_inherit=True), {"__name__": "__main__"})
    except TooLong:
        return None
    except BaseException as e:
        try:
            error = f"{type(e).__name__}: {e}" if str(e) else type(e).__name__
        except Exception as e:  # its own __str__ fails
            error = type(e).__name__
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return out.getvalue(), error


class Gpy:
    def __init__(self, binary):
        self.binary = binary
        self.folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)

    def run(self, text, seconds=20):
        """(output, stderr, exit status)."""
        path = os.path.join(self.folder.name, "program.gpy")
        with open(path, "w") as file:
            file.write(text)
        try:
            done = subprocess.run([self.binary, path], stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return "", "timed out", -1
        return done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"), done.returncode


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    sys.setrecursionlimit(1000)


def is_known(line):
    return any(re.search(pattern, line) for pattern, _ in KNOWN)


def first_difference(theirs, ours):
    lines = [ADDRESS.sub(" at 0x", text).split("\n") for text in (theirs, ours)]
    for pair in itertools.zip_longest(*lines, fillvalue="(nothing)"):
        if pair[0] != pair[1]:
            return pair
    return None


def compare(text, gpy, seconds=1.0):
    """None: the same. Else (what CPython did, what gpy did); "skipped" when CPython takes too long."""
    theirs = run_python(text, seconds)
    if theirs is None:
        return "skipped"
    output, error = theirs
    if error.startswith(("SyntaxError", "IndentationError")):
        return "skipped"  # by a reduction; the two word it differently
    ours, stderr, status = gpy.run(text)
    if "RecursionError" in output + error + ours:
        return "skipped"  # how deep a call may go is not part of the language
    if status < 0 or status > 2:
        return f"(status) {error}", f"died: {status} {stderr[-300:]}"
    found = first_difference(output, ours)
    if found and found[1] in ("(nothing)", "") and stderr:
        return found[0], "stderr: " + (stderr.strip().split("\n")[-1])
    if found:
        return "known" if is_known(found[1]) else found
    stderr = ADDRESS.sub(" at 0x", stderr)
    if bool(error) != bool(status) or ADDRESS.sub(" at 0x", error) not in stderr:
        last = stderr.strip()[-400:]
        return "known" if is_known(last.split("\n")[-1]) else (f"uncaught: {error}", f"uncaught: {last}")
    return None
