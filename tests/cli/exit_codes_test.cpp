// 0 done; 1 an uncaught error, an unreadable file included; 2 usage, and a main source that does
// not parse; 130 interrupted; sys.exit as in Python.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "tests/cli/process.h"

namespace gpy::test {

TEST_CASE("a script that ends gives 0") {
  Result result = run_gpy({"-c", "print(1 + 1)"});
  CHECK(result.code == 0);
  CHECK(result.out == "2\n");
  CHECK(result.err == "");
}

TEST_CASE("an uncaught error gives 1, says where, and keeps what was printed") {
  TemporaryFolder folder;
  std::string path = folder.write("script.gpy", "print('before')\nx = [1]\nx[5]\n");
  Result result = run_gpy({path});
  CHECK(result.code == 1);
  CHECK(result.out == "before\n");
  CHECK(result.err.find("IndexError: list index out of range") != std::string::npos);
  CHECK(result.err.find("script.gpy") != std::string::npos);
  CHECK(result.err.find("x[5]") != std::string::npos);
}

TEST_CASE("sys.excepthook of the script is told of an uncaught error") {
  Result result =
      run_gpy({"-c",
               "import sys\n"
               "sys.excepthook = lambda kind, value, places: print(kind.__name__, value)\n"
               "raise ValueError('gone')\n"});
  CHECK(result.code == 1);
  CHECK(result.out == "ValueError gone\n");
  CHECK(result.err == "");
}

TEST_CASE("an error in sys.excepthook is shown, and the one that it was told of") {
  Result result = run_gpy({"-c",
                           "import sys\n"
                           "sys.excepthook = lambda kind, value, places: 1 / 0\n"
                           "raise ValueError('gone')\n"});
  CHECK(result.code == 1);
  CHECK(result.err.starts_with("Error in sys.excepthook:\n"));
  CHECK(result.err.find("ZeroDivisionError: division by zero\n\nOriginal exception was:\n") !=
        std::string::npos);
  CHECK(result.err.ends_with("ValueError: gone\n"));
}

TEST_CASE("what a script leaves open is written, and what waits for its end is run") {
  TemporaryFolder folder;
  const std::string script =
      "import sys\n"
      "left = open(sys.argv[1], 'w')\n"
      "left.write('kept')\n"
      "def named(x):\n"
      "    return f'end of {x}'\n"
      "class Ends:\n"
      "    def __init__(self, name):\n"
      "        self.name = name\n"
      "    def __del__(self):\n"
      "        print(named(self.name))\n"
      "def waiting():\n"
      "    try:\n"
      "        yield 1\n"
      "    finally:\n"
      "        print('left the generator')\n"
      "plain, ring, generator = Ends('plain'), Ends('ring'), waiting()\n"
      "ring.itself = ring\n"
      "next(generator)\n";
  for (const char* last : {"", "sys.exit(3)\n", "1 / 0\n"}) {
    const std::string path = folder.path() + "/left.txt";
    Result result = run_gpy({"-c", script + last, path});
    for (const char* end : {"end of plain\n", "end of ring\n", "left the generator\n"}) {
      CHECK(result.out.find(end) != std::string::npos);
    }
    std::ifstream file(path);
    CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == "kept");
  }
}

TEST_CASE("a main source that does not parse gives 2, in every way in") {
  TemporaryFolder folder;
  std::string path = folder.write("script.gpy", "x = 1\ny = = 2\n");
  for (const Result& result : {run_gpy({path}), run_gpy({"-c", "x = 1\ny = = 2\n"}),
                               run_gpy({"-"}, {.input = "x = 1\ny = = 2\n"})}) {
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err.find("SyntaxError") != std::string::npos);
    CHECK(result.err.find("2") != std::string::npos);
  }
}

TEST_CASE("a module that does not parse is an uncaught error of the script") {
  TemporaryFolder folder;
  folder.write("broken.gpy", "def f(:\n");
  Result result = run_gpy({folder.write("main.gpy", "import broken\n")});
  CHECK(result.code == 1);
  CHECK(result.err.find("SyntaxError") != std::string::npos);
  CHECK(result.err.find("broken.gpy") != std::string::npos);
}

TEST_CASE("files that cannot be read give 1 and one clear line") {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/folder.gpy");
  for (const std::string& path : {folder.path() + "/missing.gpy", folder.path() + "/folder.gpy"}) {
    Result result = run_gpy({path});
    CHECK(result.code == 1);
    CHECK(result.out == "");
    CHECK(result.err.find(path) != std::string::npos);
    CHECK(result.err.find('\n') == result.err.size() - 1);
  }
}

TEST_CASE("a binary file is refused, not run") {
  Result program = run_gpy({gpy_path()});
  CHECK(program.code == 2);
  CHECK(program.err.size() < 2000);
  TemporaryFolder folder;
  Result zeros = run_gpy({folder.write("zeros.gpy", std::string("x = 1\n\0\0y = 2\n", 14))});
  CHECK(zeros.code == 2);
  Result latin = run_gpy({folder.write("latin.gpy", "x = 'caf\xe9'\n")});
  CHECK(latin.code == 2);
  CHECK(latin.err.find("latin.gpy") != std::string::npos);
}

TEST_CASE("sys.exit as in Python") {
  CHECK(run_gpy({"-c", "import sys\nsys.exit()"}).code == 0);
  CHECK(run_gpy({"-c", "import sys\nsys.exit(None)"}).code == 0);
  CHECK(run_gpy({"-c", "import sys\nsys.exit(7)"}).code == 7);
  CHECK(run_gpy({"-c", "import sys\nsys.exit(256 + 3)"}).code == 3);
  CHECK(run_gpy({"-c", "raise SystemExit(4)"}).code == 4);
  Result message = run_gpy({"-c", "import sys\nprint('out')\nsys.exit('gone wrong')"});
  CHECK(message.code == 1);
  CHECK(message.out == "out\n");
  CHECK(message.err == "gone wrong\n");
  Result cleanup =
      run_gpy({"-c", "import sys\ntry:\n    sys.exit(5)\nfinally:\n    print('finally')"});
  CHECK(cleanup.code == 5);
  CHECK(cleanup.out == "finally\n");
}

TEST_CASE("exit and quit as in Python") {
  CHECK(run_gpy({"-c", "exit(3)"}).code == 3);
  CHECK(run_gpy({"-c", "quit()"}).code == 0);
  Result message =
      run_gpy({"-"}, {.input = "try:\n    exit('gone wrong')\nfinally:\n    print('finally')\n"});
  CHECK(message.code == 1);
  CHECK(message.out == "finally\n");
  CHECK(message.err == "gone wrong\n");
}

TEST_CASE("text that UTF-8 cannot hold is an error of print, and escaped on stderr") {
  Result out = run_gpy({"-c", "print('before')\nprint('a', 'b\\ud800')"});
  CHECK(out.code == 1);
  CHECK(out.out == "before\n");
  CHECK(out.err.find(
            "UnicodeEncodeError: 'utf-8' codec can't encode character '\\ud800' in position 1: "
            "surrogates not allowed") != std::string::npos);
  Result err = run_gpy({"-c", "import sys\nprint('b\\ud800', file=sys.stderr)"});
  CHECK(err.code == 0);
  CHECK(err.err == "b\\ud800\n");
  CHECK(run_gpy({"-c", "raise SystemExit('\\ud800')"}).err == "\\ud800\n");
}

static Result run_shell(const std::string& command) { return run_program("sh", {"-c", command}); }

TEST_CASE("what the output does not take is told, and 120") {
  const std::string lost =
      "Exception ignored in: <_io.TextIOWrapper name='<stdout>' mode='w' encoding='utf-8'>\n"
      "OSError: [Errno 28] No space left on device\n";
  Result quiet = run_shell(gpy_path() + " -c 'print(1)' > /dev/full");
  CHECK(quiet.code == 120);
  CHECK(quiet.err == lost);
  Result failed = run_shell(gpy_path() + " -c 'print(1); 1/0' > /dev/full");
  CHECK(failed.code == 120);
  CHECK(failed.err.ends_with("ZeroDivisionError: division by zero\n" + lost));
  Result help = run_shell(gpy_path() + " --help > /dev/full");
  CHECK(help.code == 120);
  CHECK(help.err == "gpy: cannot write the output: No space left on device\n");
}

TEST_CASE("a file beyond the system's limit is an error") {
  TemporaryFolder folder;
  const std::string script = folder.write("script.gpy",
                                          "import sys\n"
                                          "try:\n"
                                          "    f = open(sys.argv[1] + '/large', 'w')\n"
                                          "    f.write('x' * 10 ** 6)\n"
                                          "    f.close()\n"
                                          "except OSError as e: print(e)\n");
  const Result result = run_program(
      "bash", {"-c", "ulimit -f 10; exec \"$0\" \"$1\" \"$2\"", gpy_path(), script, folder.path()});
  CHECK(result.out == "[Errno 27] File too large\n");
  CHECK(result.code == 0);
}

TEST_CASE("settings that make no sense are told, in one line") {
  for (const auto& [name, value] : {std::pair{"GPY_LAZY", "maybe"},
                                    {"GPY_CHECK", "2"},
                                    {"GPY_CACHE_DIR", "/dev/null"},
                                    {"GPY_CACHE_BYTES", "much"},
                                    {"GPY_COMPILE_SECONDS", "0"},
                                    {"GPY_NUM_THREADS", "-3"}}) {
    const Result result = run_gpy({"-c", "print(1)"}, {.environment = {{name, value}}});
    CHECK(result.out == "1\n");
    CHECK(result.err.starts_with(std::string("gpy: ") + name + "='" + value + "' "));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
}

TEST_CASE("Ctrl-C ends a print that nobody reads") {
  TemporaryFolder folder;
  const std::string fifo = folder.path() + "/fifo";
  const Result result = run_shell(
      "mkfifo " + fifo + "; sleep 30 < " + fifo + " & timeout --preserve-status -s INT -k 10 4 " +
      gpy_path() + " -c \"print('x' * 10 ** 6)\" > " + fifo + "; code=$?; kill $!; exit $code");
  CHECK(result.code == 130);
  CHECK(result.err.ends_with("KeyboardInterrupt\n"));
}

TEST_CASE("what a file that nobody closed loses is told") {
  const std::string lost =
      "Exception ignored in: <_io.TextIOWrapper name='/dev/full' mode='w' encoding='UTF-8'>\n"
      "OSError: [Errno 28] No space left on device\n";
  for (const char* script :
       {"open('/dev/full', 'w').write('x')", "f = open('/dev/full', 'w'); f.write('x')",
        "def f():\n    g = open('/dev/full', 'w')\n    g.write('x')\nf()"}) {
    Result result = run_gpy({"-c", script});
    CHECK(result.code == 0);
    CHECK(result.err == lost);
  }
}

TEST_CASE("a standard stream that is closed at the start leads nowhere") {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/data.txt";
  const std::string script =
      "f = open(\"" + path + "\", \"w\"); print(1); f.write(\"x\"); f.flush(); 1/0";
  CHECK(run_shell(gpy_path() + " -c '" + script + "' >&- 2>&-").code == 1);
  std::ifstream file(path);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == "x");
}

TEST_CASE("an interrupt that whoever started the program has ignored stays ignored") {
  const std::string script = "import time\nprint(1, flush=True)\ntime.sleep(0.3)\nprint(2)\n";
  Result ignored =
      run_program("sh", {"-c", "trap '' INT; exec \"$0\" -c \"$1\"", gpy_path(), script},
                  {.interrupt_at_output = true});
  CHECK(ignored.code == 0);
  CHECK(ignored.out == "1\n2\n");
  Result heeded = run_gpy({"-c", script}, {.interrupt_at_output = true});
  CHECK(heeded.code == 130);
}

TEST_CASE("usage errors give 2 and name the option") {
  for (const char* option : {"--no-such-option", "-Z", "--device", "-c"}) {
    Result result = run_gpy({option});
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err.find(option) != std::string::npos);
  }
}

TEST_CASE("arguments that nothing takes give 2") {
  const std::vector<std::vector<std::string>> calls = {
      {"info", "extra"}, {"--help", "--bad"}, {"--version", "x"}, {"--ast"}};
  for (const auto& words : calls) {
    Result result = run_gpy(words);
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err.find(words.back()) != std::string::npos);
  }
}

#ifdef GPY_FAKE_CUDA
// Runs with a driver that runs nothing, and whose first wait fails.
static Result run_on_faulty_gpu(const std::string& source) {
  TemporaryFolder cache;
  return run_gpy({"-c", source},
                 {.environment = {{"LD_PRELOAD", GPY_FAKE_CUDA},
                                  {"GPY_CACHE_DIR", cache.path()},
                                  {"GPY_DEVICE", "cuda"},
                                  {"GPY_FAKE_CUDA_FAIL", "cuCtxSynchronize:1:700"}}});
}

TEST_CASE("a GPU's fault that nobody waited for is an uncaught error at the end") {
  const std::string launch = "x = gp.arange(10.0) + 1\ngp.eval(x)\nprint('done')\n";
  Result late = run_on_faulty_gpu(launch);
  if (late.err.find("cannot be used") != std::string::npos) return;  // no NVRTC here
  CHECK(late.code == 1);
  CHECK(late.out == "done\n");
  CHECK(late.err.find("DeviceLostError") != std::string::npos);
  CHECK(late.err.find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos);
  CHECK(run_on_faulty_gpu(launch + "import sys\nsys.exit(3)").code == 3);
  Result known = run_on_faulty_gpu(launch +
                                   "import cupy as cp\n"
                                   "try: cp.cuda.Device(0).synchronize()\n"
                                   "except RuntimeError: print('known')\n");
  CHECK(known.out == "done\nknown\n");
  CHECK(known.err == "");
  CHECK(known.code == 0);
}
#endif

}  // namespace gpy::test
