// Entries at the prompt. An error does not end it, so that all entries run while memory fails.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string_view>

#include "src/command/repl.h"
#include "src/exceptions/as_raised.h"
#include "tests/failing/script_run.h"

namespace gpy::test::failing {

// The standard streams of a prompt: its entries come from `text`, and what it writes without the
// interpreter is discarded.
class Streams {
 public:
  explicit Streams(std::string_view text) : input_(dup(STDIN_FILENO)), errors_(dup(STDERR_FILENO)) {
    const int entries = memfd_create("entries", 0);
    (void)!write(entries, text.data(), text.size());
    lseek(entries, 0, SEEK_SET);
    put(entries, STDIN_FILENO);
    put(open("/dev/null", O_WRONLY), STDERR_FILENO);
  }
  ~Streams() {
    put(input_, STDIN_FILENO);
    put(errors_, STDERR_FILENO);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

 private:
  static void put(int file, int at) {
    dup2(file, at);
    close(file);
  }
  int input_, errors_;
};

// The report of an error depends on the memory that is left for it.
static Ending run_entries(std::string_view entries, const Trial& trial) {
  const Streams streams(entries);
  ScriptRun run(trial.what);
  run.run(trial, [&] { as_raised(run.vm, [&] { command::run_prompt(run.vm); }); });
  run.ending.is_changed |= has_failed();
  run.ask();
  return run.ending;
}

static constexpr std::pair<const char*, const char*> kPrompts[] = {
    {"numbers", "1 + 1\n2 ** 100\n_ // 7\nx = 5\nx\n"},
    {"text", "'a' * 20\n'b'.join(['x', 'y'])\nf'{_!r:>10}'\nlen(_)\n"},
    {"blocks", "def f(x):\n    return [x] * 3\n\nf(1)\nfor i in range(3):\n    print(i)\n\n"},
    {"errors", "1 / 0\nundefined\n[1, 2][5]\nx = = 1\n'a' + 1\n"},
    {"classes", "class A:\n    def __init__(self):\n        self.x = 1\n\na = A()\na.x\na.y\n"},
    {"arrays", "import numpy as np\na = np.arange(6).reshape(2, 3)\na\na + 1\na @ a\n"},
    {"help", "help(len)\nlen?\nimport math\nmath.sqrt?\n"},
    {"times", "%time sum(range(10))\n%timeit -n 2 -r 2 1 + 1\n"},
};

std::vector<Subject> prompt_subjects() {
  std::vector<Subject> subjects;
  for (const auto& [name, entries] : kPrompts) {
    subjects.push_back({std::string("prompt: ") + name,
                        [text = entries](const Trial& trial) { return run_entries(text, trial); }});
  }
  return subjects;
}

}  // namespace gpy::test::failing
