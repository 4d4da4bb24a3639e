// -c, a file, stdin, -i, --version, --help, arguments, devices.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {
bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("a program for PyCUDA is told of the CPU in words that name no other library") {
  TemporaryFolder folder;
  folder.write("script.gpy",
               "import pycuda.autoinit\nimport pycuda.gpuarray as g\n"
               "print(g.zeros(2, 'f') + 1)\n");
  const Result result = run_gpy({"script.gpy"}, {.folder = folder.path()});
  CHECK(result.out == "[1. 1.]\n");
  CHECK_FALSE(holds(result.err, "cupy"));
}

TEST_CASE("input() goes on where sys.stdin was read to") {
  const char* script =
      "import sys\n"
      "print([sys.stdin.readline(), input(), sys.stdin.read(2), input(), sys.stdin.readlines()])\n";
  CHECK(run_gpy({"-c", script}, {.input = "a\nb\ncdef\ng\nh"}).out ==
        "['a\\n', 'b', 'cd', 'ef', ['g\\n', 'h']]\n");
}

TEST_CASE("a script from stdin, named and not") {
  CHECK(run_gpy({"-"}, {.input = "print(6 * 7)\n"}).out == "42\n");
  CHECK(run_gpy({}, {.input = "def f():\n    return 1\n\n\n    \nprint(f())\nf()\n"}).out == "1\n");
  CHECK(run_gpy({}, {.input = ""}).code == 0);
}

TEST_CASE("what a kernel prints comes between what the script prints before and after it") {
  const char* script =
      "import cupy as cp\n"
      "k = cp.RawKernel('extern \"C\" __global__ void f(int n) { printf(\"kernel %d\\\\n\", n); "
      "}', 'f')\n"
      "print('first')\nk((1,), (1,), (1,))\nprint('second')\nk((1,), (1,), (2,))\nprint('third')\n";
  CHECK(run_gpy({"-c", script}).out == "first\nkernel 1\nsecond\nkernel 2\nthird\n");
}

TEST_CASE("a kernel of numba.cuda prints in Numba's formats") {
  const char* script =
      "import numpy as np\nfrom numba import cuda\n"
      "@cuda.jit\ndef f(a, n):\n"
      "    i = cuda.grid(1)\n"
      "    if i < 2:\n"
      "        print('100% of \"', i, 'is', a[i], i > 0, n)\n"
      "print('first')\nf[1, 32](np.array([0.5, 1e10]), np.uint8(7))\nprint('last')\n";
  CHECK(run_gpy({"-c", script}).out ==
        "first\n100% of \" 0 is 0.500000 False 7\n"
        "100% of \" 1 is 10000000000.000000 True 7\nlast\n");
}

TEST_CASE("arguments reach sys.argv") {
  TemporaryFolder folder;
  std::string path = folder.write("script.gpy", "import sys\nprint(sys.argv[1:], len(sys.argv))\n");
  CHECK(run_gpy({path, "a", "--b", "-c"}).out == "['a', '--b', '-c'] 4\n");
  CHECK(run_gpy({"-c", "import sys\nprint(sys.argv)", "x", "-y"}).out == "['-c', 'x', '-y']\n");
}

TEST_CASE("a script knows where it stands, whatever folder it goes to") {
  TemporaryFolder folder;
  const std::string script = folder.write(
      "script.gpy",
      "import os, sys\nos.chdir('/')\nimport beside\nprint(sys.argv[0], __file__, beside.where)\n");
  const std::string beside = folder.write("beside.gpy", "where = __file__\n");
  CHECK(run_gpy({"script.gpy"}, {.folder = folder.path()}).out ==
        "script.gpy " + script + " " + beside + "\n");
}

TEST_CASE("-m runs a module as the main program") {
  TemporaryFolder folder;
  const std::string tool = folder.write(
      "tool.py", "import sys, helper\nprint(__name__, repr(__package__), sys.argv, __file__)\n");
  folder.write("helper.py", "");
  const Result result = run_gpy({"-m", "tool", "a", "-c"}, {.folder = folder.path()});
  CHECK(result.err == "");
  CHECK(result.out == "__main__ '' ['" + tool + "', 'a', '-c'] " + tool + "\n");
  CHECK(run_gpy({"-i", "-m", "helper"}, {.input = "__name__\n", .folder = folder.path()}).out ==
        "'__main__'\n");
}

TEST_CASE("a folder runs its __main__") {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/tool";
  std::filesystem::create_directories(path);
  CHECK(run_gpy({path}).err == "gpy: can't find '__main__' module in '" + path + "'\n");
  folder.write("tool/__main__.py",
               "import sys, helper\nprint(__name__, sys.argv, sys.path[0], __file__)\n");
  folder.write("tool/helper.py", "");
  CHECK(run_gpy({path, "a"}).out ==
        "__main__ ['" + path + "', 'a'] " + path + " " + path + "/__main__.py\n");
}

TEST_CASE("a code that is not there points to the list of codes") {
  const Result result = run_gpy({"explain", "ZZZ"});
  CHECK(result.code == 2);
  CHECK(result.err == "gpy: no explanation ZZZ; gpy explain lists the codes\n");
}

TEST_CASE("-m runs a package's __main__, and a module in a package") {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() + "/pack");
  folder.write("pack/__init__.py", "print('init', __name__)\n");
  folder.write("pack/part.gpy", "print('part', __name__, __package__)\nvalue = 1\n");
  folder.write("pack/__main__.py",
               "from .part import value\nprint(__name__, __package__, value)\n");
  CHECK(run_gpy({"-m", "pack"}, {.folder = folder.path()}).out ==
        "init pack\npart pack.part pack\n__main__ pack 1\n");
  CHECK(run_gpy({"-m", "pack.part"}, {.folder = folder.path()}).out ==
        "init pack\npart __main__ pack\n");
}

TEST_CASE("-m says what cannot be run, in CPython's words") {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() + "/empty");
  folder.write("empty/__init__.py", "");
  folder.write("plain.py", "");
  folder.write("broken.py", "import nowhere\n");
  auto complaint = [&](const std::string& name) {
    const Result result = run_gpy({"-m", name}, {.folder = folder.path()});
    CHECK(result.code == 1);
    CHECK(result.out == "");
    return result.err;
  };
  CHECK(complaint("nothing") == "gpy: No module named nothing\n");
  CHECK(complaint("empty") ==
        "gpy: No module named empty.__main__; 'empty' is a package and cannot be directly "
        "executed\n");
  CHECK(complaint("empty.part") == "gpy: No module named empty.part\n");
  CHECK(complaint("nothing.part") ==
        "gpy: Error while finding module specification for 'nothing.part' (ModuleNotFoundError: "
        "No module named 'nothing')\n");
  CHECK(complaint("plain.part") ==
        "gpy: Error while finding module specification for 'plain.part' (ModuleNotFoundError: "
        "__path__ attribute not found on 'plain' while trying to find 'plain.part')\n");
  CHECK(complaint("math") == "gpy: No code object available for math\n");
  CHECK(complaint("empty.") == "gpy: No module named empty.\n");
  CHECK(complaint("empty/__init__") == "gpy: No module named empty/__init__\n");
  CHECK(complaint(".plain") == "gpy: Relative module names not supported\n");
  CHECK(holds(complaint("broken"), "No module named 'nowhere'"));
  CHECK(run_gpy({"-m"}).code == 2);
  CHECK(run_gpy({"--ast", "-m", "plain"}).code == 2);
}

TEST_CASE("a script imports from its own folder, whatever the current one") {
  TemporaryFolder folder;
  folder.write("helper.gpy", "value = 5\n");
  folder.write("plain.py", "value = 6\n");
  std::string path =
      folder.write("main.gpy", "import helper, plain\nprint(helper.value, plain.value)\n");
  CHECK(run_gpy({path}, {.folder = "/"}).out == "5 6\n");
}

TEST_CASE("any extension runs") {
  TemporaryFolder folder;
  CHECK(run_gpy({folder.write("script.py", "print(1)\n")}).out == "1\n");
  CHECK(run_gpy({folder.write("script", "#!/usr/bin/env gpy\nprint(2)\n")}).out == "2\n");
  CHECK(run_gpy({folder.write("crlf.gpy", "x = 1\r\nif x:\r\n    print(3)\r\n")}).out == "3\n");
  CHECK(run_gpy({folder.write("bom.gpy", "\xef\xbb\xbfprint(4)\n")}).out == "4\n");
}

TEST_CASE("a file called like a command is reached by its path") {
  TemporaryFolder folder;
  folder.write("info", "print('the file')\n");
  CHECK(run_gpy({"./info"}, {.folder = folder.path()}).out == "the file\n");
  Result info = run_gpy({"info"}, {.folder = folder.path()});
  CHECK(info.code == 0);
  CHECK(!holds(info.out, "the file"));
  CHECK(holds(info.out, "cpu"));
}

TEST_CASE("--version and --help") {
  Result version = run_gpy({"--version"});
  CHECK(version.code == 0);
  CHECK(version.out == "gpy " GPY_VERSION "\n");
  Result help = run_gpy({"--help"});
  CHECK(help.code == 0);
  for (const char* option : {"-c", "-i", "--version", "--help", "--device", "info", "cache"}) {
    CHECK(holds(help.out, option));
  }
}

TEST_CASE("what follows -- is a file") {
  TemporaryFolder folder;
  folder.write("-c", "import sys\nprint(sys.argv)\n");
  CHECK(run_gpy({"--", "-c", "a"}, {.folder = folder.path()}).out == "['-c', 'a']\n");
  CHECK(run_gpy({"--"}, {.input = "print(6 * 7)\n"}).out == "42\n");
}

TEST_CASE("a setting that cannot be read is noted") {
  const Run wrong{.input = "", .environment = {{"GPY_NUM_THREADS", "abc"}}};
  const Result result = run_gpy({"-c", "print(gp.arange(3).sum())"}, wrong);
  CHECK(result.code == 0);
  CHECK(result.out == "3\n");
  CHECK(holds(result.err, "GPY_NUM_THREADS='abc'"));
  CHECK(result.err.find('\n') == result.err.size() - 1);
  const Run right{.input = "", .environment = {{"GPY_NUM_THREADS", "2"}}};
  CHECK(run_gpy({"-c", "print(gp.arange(3).sum())"}, right).err == "");
}

TEST_CASE("-i: the end of the input ends a block") {
  CHECK(run_gpy({"-i"}, {.input = "for i in range(3):\n    print(i)"}).out == "0\n1\n2\n");
  const Result open = run_gpy({"-i"}, {.input = "print((1,\n"});
  CHECK(open.out == "");
  CHECK(holds(open.err, "SyntaxError"));
}

TEST_CASE("-i: values of statements in blocks are shown, those in functions are not") {
  const std::string input =
      "for i in range(3): i\n\nif True:\n    7; None; 'eight'\n\n1; 2\n_ + 1\n"
      "def f():\n    9\n\nf()\nwhile True:\n    5\n    break\n\n";
  CHECK(run_gpy({"-i"}, {.input = input}).out == "0\n1\n2\n7\n'eight'\n1\n2\n3\n5\n");
  CHECK(run_gpy({"-c", "for i in range(3): i\n1; 2\n"}).out == "");
}

TEST_CASE("-i: of a session as pages show it the source is run, not the output") {
  const std::string session =
      ">>> x = 3\n>>> x\n3\nprint('never')\n>>> for i in range(2):\n...     i\n0\n1\n"
      ">>> def f():\n...     ...\n...\n>>> f()\n>>> 'end'\n'end'\n";
  CHECK(run_gpy({"-i"}, {.input = session}).out == "3\n0\n1\n'end'\n");
  CHECK(run_gpy({"-i"}, {.input = "def f():\n    ...\n\nf()\n1\n"}).out == "1\n");
}

TEST_CASE("-i runs the file, then reads on with its names") {
  TemporaryFolder folder;
  std::string path = folder.write("script.gpy", "x = 41\nprint('ran')\n");
  Result result = run_gpy({"-i", path}, {.input = "x + 1\n"});
  CHECK(holds(result.out, "ran\n"));
  CHECK(holds(result.out, "42"));
}

TEST_CASE("a closed pipe on stdout ends quietly") {
  Result result = run_gpy({"-c", "for i in range(100000):\n    print(i)"}, {.closed_output = true});
  CHECK(result.err == "");
  CHECK(!result.timed_out);
}

TEST_CASE("output is whole and in order when it is long") {
  Result result = run_gpy({"-c", "for i in range(100000):\n    print(i)"});
  CHECK(result.out.size() == 588890);
  CHECK(result.out.ends_with("\n99999\n"));
}

TEST_CASE("a script behind a link imports what lies beside the script") {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/real");
  folder.write("real/beside.gpy", "x = 3\n");
  folder.write("real/script.gpy", "import beside, sys\nprint(beside.x, __file__)\n");
  std::filesystem::create_symlink("real/script.gpy", folder.path() + "/link.gpy");
  const Result result = run_gpy({"link.gpy"}, {.folder = folder.path()});
  CHECK(result.out == "3 " + folder.path() + "/link.gpy\n");
}

TEST_CASE("paths that lead nowhere are told in the system's words") {
  TemporaryFolder folder;
  folder.write("file.gpy", "");
  std::filesystem::create_symlink("ring.gpy", folder.path() + "/ring.gpy");
  const std::pair<std::string, std::string> paths[] = {
      {"ring.gpy", "Too many levels of symbolic links"},
      {"file.gpy/x", "Not a directory"},
      {std::string(300, 'x'), "File name too long"}};
  for (const auto& [path, reason] : paths) {
    const Result result = run_gpy({path}, {.folder = folder.path()});
    CHECK(result.code == 1);
    CHECK(result.err == "gpy: can't open file '" + path + "': " + reason + "\n");
  }
  const Result input = run_program("sh", {"-c", gpy_path() + " - < " + folder.path()});
  CHECK(input.code == 1);
  CHECK(input.err == "gpy: can't read the standard input: Is a directory\n");
}

TEST_CASE("a current folder that is gone is no obstacle") {
  TemporaryFolder folder;
  const std::string script = folder.write("script.gpy", "print(2)\n");
  const Result result = run_program(
      "sh",
      {"-c",
       "mkdir gone && cd gone && rmdir ../gone && $0 -c 'print(1)' && $0 ../script.gpy; "
       "$0 -m missing",
       gpy_path()},
      {.folder = folder.path()});
  CHECK(result.out == "1\n2\n");
  CHECK(result.err == "gpy: No module named missing\n");
}

TEST_CASE("a folder in the place of a kernel's text is an OSError") {
  const Result result = run_gpy({"-c", "import cupy as cp\ncp.RawModule(path='/tmp')"});
  CHECK(result.err.ends_with("IsADirectoryError: [Errno 21] Is a directory: '/tmp'\n"));
}

TEST_CASE("a device asked for by name that is absent is an error, never a fallback") {
  Run nothing{.input = "", .environment = {{"CUDA_VISIBLE_DEVICES", ""}}};
  std::string use = "print(gp.arange(3).sum())";
  for (const char* device : {"cuda:97", "cuda:-1", "tpu", "cpu:x"}) {
    Result option = run_gpy({"--device", device, "-c", use}, nothing);
    CHECK(option.code != 0);
    CHECK(option.out == "");
    CHECK(holds(option.err, device));
    Run variable = nothing;
    variable.environment.push_back({"GPY_DEVICE", device});
    Result by_variable = run_gpy({"-c", use}, variable);
    CHECK(by_variable.code != 0);
    CHECK(by_variable.out == "");
  }
  CHECK(run_gpy({"--device", "cpu", "-c", use}, nothing).out == "3\n");
  CHECK(run_gpy({"--device=cpu", "-c", use}, nothing).out == "3\n");
}

TEST_CASE("why there is no GPU is said wherever one is asked for") {
  Run nothing{.input = "", .environment = {{"CUDA_VISIBLE_DEVICES", ""}}};
  const Result info = run_gpy({"info"}, nothing);
  const size_t start = info.out.find("none: ");
  REQUIRE(start != std::string::npos);
  const size_t end = info.out.find("; cupy's device 0", start);
  const std::string reason = info.out.substr(start + 6, end - start - 6);
  CHECK(reason.size() > 10);
  CHECK(holds(run_gpy({"--device", "cuda", "-c", ""}, nothing).err, reason));
  CHECK(holds(run_gpy({"-c", "import cupy\nprint(cupy.arange(3))"}, nothing).err, reason));
}

TEST_CASE(
    "where there is no GPU the CPU stands in, with one line on stderr unless it was asked for") {
  Run nothing{.input = "", .environment = {{"CUDA_VISIBLE_DEVICES", ""}}};
  std::string use = "import cupy as cp\nprint(cp.arange(3).sum())\nprint(cp.ones(2).sum())";
  Result result = run_gpy({"-c", use}, nothing);
  CHECK(result.code == 0);
  CHECK(result.out == "3\n2.0\n");
  CHECK(!result.err.empty());
  CHECK(result.err.find('\n') == result.err.size() - 1);
  Result asked = run_gpy({"--device", "cpu", "-c", use}, nothing);
  CHECK(asked.out == "3\n2.0\n");
  CHECK(asked.err == "");
  CHECK(run_gpy({"-c", "print(1)"}, nothing).err == "");
  const std::string kernel =
      "kernel elementwise f(T x) -> (T y) { y = x; }\nprint(f(gp.arange(3)), f(2))\n";
  CHECK(run_gpy({"-c", kernel}, nothing).err == "");
  CHECK(holds(run_gpy({"-c", kernel + "import cupy\ncupy.ones(2).sum().item()"}, nothing).err,
              "device 0"));
}

TEST_CASE("--ast prints a tree, or where the source does not parse") {
  TemporaryFolder folder;
  CHECK(holds(run_gpy({"--ast", folder.write("good.gpy", "x = 1\n")}).out, "Assign"));
  CHECK(run_gpy({"--ast", "-c", "x = 1"}).out == run_gpy({"--ast", "-"}, {.input = "x = 1\n"}).out);
  CHECK(holds(run_gpy({"--ast", "-c", "x = 1"}).out, "Assign"));
  const std::string bad = folder.write("bad.gpy", "x = 1\nif x:\n    y = 3 +\n");
  const Result result = run_gpy({"--ast", bad});
  CHECK(result.code == 2);
  CHECK(result.out == "");
  CHECK(result.err == "gpy: " + bad + ":3:12: SyntaxError: invalid syntax\n");
}

TEST_CASE("a warning shows its line, in every way in") {
  const std::string source = "import numpy as np\nif True:\n    print(np.log(np.zeros(1)))\n";
  const std::string line =
      ":3: RuntimeWarning: divide by zero encountered in log\n  print(np.log(np.zeros(1)))\n";
  TemporaryFolder folder;
  const std::string path = folder.write("script.gpy", source);
  CHECK(run_gpy({path}).err == path + line);
  CHECK(run_gpy({"-c", source}).err == "<string>" + line);
  CHECK(run_gpy({"-"}, {.input = source}).err == "<stdin>" + line);
}

}  // namespace gpy::test
