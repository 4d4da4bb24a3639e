#include "tests/failing/finding.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace gpy::test::failing {

static constexpr const char* kNames[] = {"crash", "terminate", "hang",          "foreign exception",
                                         "error", "output",    "no 1+1",        "leak",
                                         "again", "silent",    "device memory", "not tried"};

void copy_stack(void* (&to)[Finding::kDeepest], std::span<void* const> from) {
  std::fill(std::begin(to), std::end(to), nullptr);
  for (int i = 0; i + 1 < Finding::kDeepest && i < std::ssize(from) && from[i]; ++i)
    to[i] = from[i];
}

// The places that tell findings apart: the innermost few.
static std::string signature(const Finding& finding) {
  constexpr int kFrames = 6;
  const auto& stack = finding.seen_at[0] ? finding.seen_at : finding.failed_at;
  std::string text(1, static_cast<char>(finding.wrong));
  text.append(reinterpret_cast<const char*>(stack), kFrames * sizeof(void*));
  return text;
}

void Report::add(const Finding& finding) {
  Group& group = groups_[signature(finding)];
  if (group.count++ == 0) group.example = finding;
  ++count_;
}

// Prints a function of a library, which the program's own symbols do not name.
static void print_outside(void* place) {
  Dl_info info;
  if (dladdr(place, &info) && info.dli_sname) std::printf("    %s\n", info.dli_sname);
}

// The address of this program in memory.
static char* program_base() {
  Dl_info own;
  dladdr(reinterpret_cast<void*>(&program_base), &own);
  return static_cast<char*>(own.dli_fbase);
}

// Asks addr2line for the functions of `places`, which are the program's own.
static std::string symbols_command(std::span<void* const> places) {
  char program[256] = {};
  (void)!readlink("/proc/self/exe", program, sizeof program - 1);
  std::string command = std::string("addr2line -Cfsp -e '") + program + "'";
  for (void* place : places) {
    char address[32];
    const auto offset = static_cast<char*>(place) - program_base() - 1;
    std::snprintf(address, sizeof address, " %zx", static_cast<size_t>(offset));
    command += address;
  }
  return command;
}

static bool is_of_test(const char* line) {
  return std::strstr(line, "test::failing") || std::strstr(line, "operator new") ||
         std::strstr(line, "__wrap_");
}

// Prints the lines of a stack between the test's own: those that let it fail and those that ran it.
static void print_symbols(FILE* lines) {
  constexpr int kShown = 9;
  char line[2000];
  int shown = 0;
  for (bool is_behind = false; std::fgets(line, sizeof line, lines);) {
    is_behind |= shown == kShown || (shown > 0 && is_of_test(line));
    if (is_behind || is_of_test(line)) continue;  // reads on: addr2line is not to be cut off
    ++shown;
    std::printf("    %.*s\n", static_cast<int>(std::min<size_t>(std::strcspn(line, "\n"), 140)),
                line);
  }
}

static void print_stack(const char* title, void* const* stack) {
  if (!stack[0]) return;
  std::printf("  %s\n", title);
  std::vector<void*> own;
  for (; *stack; ++stack) {
    Dl_info info;
    const bool is_own = dladdr(*stack, &info) && info.dli_fbase == program_base();
    if (is_own) {
      own.push_back(*stack);
    } else {
      print_outside(*stack);
    }
  }
  if (own.empty()) return;
  std::fflush(stdout);
  if (FILE* lines = popen(symbols_command(own).c_str(), "r")) {
    print_symbols(lines);
    pclose(lines);
  }
}

static void print(const Finding& f, size_t count, const std::string& subject) {
  std::printf("%zu x %s: %s, n = %llu %s", count, kNames[static_cast<int>(f.wrong)],
              subject.c_str(), static_cast<unsigned long long>(f.n),
              f.how == How::once ? "once" : "from then on");
  if (f.amount) std::printf(" (%lld)", static_cast<long long>(f.amount));
  std::printf("%s%s\n", *f.text ? ": " : "", f.text);
}

void Report::print(const std::vector<std::string>& subjects, size_t most) const {
  std::vector<const Group*> sorted;
  for (const auto& [key, group] : groups_) sorted.push_back(&group);
  std::sort(sorted.begin(), sorted.end(),
            [](const Group* a, const Group* b) { return a->count > b->count; });
  for (const Group* group : sorted) {
    const Finding& f = group->example;
    failing::print(f, group->count, subjects[f.subject]);
    if (most == 0) continue;
    --most;
    print_stack("memory failed at", f.failed_at);
    print_stack(f.wrong == Wrong::leak ? "taken at" : "seen at", f.seen_at);
  }
}

}  // namespace gpy::test::failing
