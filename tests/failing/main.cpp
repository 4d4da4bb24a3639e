// Lets every allocation of gpy's fail, one at a time, and checks the outcome: a MemoryError,
// no leak, an interpreter that goes on working.
//
//   failing_tests [--files | --device | --killed] [--part K] [--of K] [--every] [--start]
//                 [--jobs N] [--stacks N] [SUBJECT...]
//
//   --files     calls of the system that files take fail, not allocations
// calls of a GPU's driver and libraries fail (fakes, which compute nothing)
// the worker is killed in each case, which must be reported
//   --part K    every K-th case of each subject
//   --of K      every K-th subject
//   --every     every allocation, not a choice of them
//   --start     every allocation of an interpreter's start
//   SUBJECT     those whose names begin so; all others are left out
//
// Run from the root of the tree. A closing line says how many cases passed.

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>

#include "runtime/core/recycled.h"
#include "tests/cli/process.h"
#include "tests/failing/worker.h"

namespace gpy::test::failing {

namespace {

struct Options {
  Choice choice;
  bool start = false, killed = false;
  size_t of = 1, jobs = 2, stacks = 20;
  std::vector<std::string> prefixes;
};

bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0; };
    if (word == "--part") {
      options.choice.part = std::max<uint64_t>(number(), 1);
    } else if (word == "--of") {
      options.of = std::max<size_t>(number(), 1);
    } else if (word == "--files") {
      options.choice.what = What::files;
    } else if (word == "--device") {
      options.choice.what = What::device;
    } else if (word == "--every") {
      options.choice.every = true;
    } else if (word == "--start") {
      options.start = options.choice.every = true;
    } else if (word == "--killed") {
      options.killed = true;
    } else if (word == "--jobs") {
      options.jobs = std::max<size_t>(number(), 1);
    } else if (word == "--stacks") {
      options.stacks = number();
    } else if (word.starts_with("-")) {
      return false;
    } else {
      options.prefixes.emplace_back(word);
    }
  }
  return true;
}

std::vector<Subject> subjects_of(What what) {
  switch (what) {
    case What::memory: return all_subjects();
    case What::files: return file_subjects();
    case What::device: return device_subjects();
  }
  return {};
}

std::vector<Subject> every_kth(const std::vector<Subject>& all, size_t k) {
  std::vector<Subject> some;
  for (size_t i = 0; i < all.size(); i += k) some.push_back(all[i]);
  return some;
}

std::vector<Subject> chosen_subjects(const Options& options) {
  if (options.start) return {start_subject()};
  if (options.killed) return {killed_subject()};
  std::vector<Subject> chosen;
  const std::vector<Subject> all = every_kth(subjects_of(options.choice.what), options.of);
  for (const std::string& prefix : options.prefixes) {
    size_t found = 0;
    for (const Subject& each : all) {
      if (!each.name.starts_with(prefix)) continue;
      chosen.push_back(each);
      ++found;
    }
    if (found == 0) chosen.push_back(script_subject(prefix));
  }
  return options.prefixes.empty() ? all : chosen;
}

// A subject at work, by one worker process after the other.
struct Job {
  pid_t process = 0;
  uint32_t subject = 0;
  Progress* progress = nullptr;
  int restarts = 0;
};

// Deals the subjects out to jobs. Findings of all workers come through one pipe.
class Jobs {
 public:
  Jobs(const std::vector<Subject>& subjects, const Options& options)
      : subjects_(subjects), options_(options), jobs_(options.jobs) {
    if (pipe(pipe_) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    void* shared = mmap(nullptr, jobs_.size() * sizeof(Progress), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    for (size_t i = 0; i < jobs_.size(); ++i) {
      jobs_[i].progress = new (static_cast<Progress*>(shared) + i) Progress;
    }
  }

  void run() {
    for (Job& job : jobs_) take_next(job);
    while (running_ > 0) {
      drain();  // waits a little
      int status = 0;
      for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
        for (Job& job : jobs_) {
          if (job.process == ended) go_on(job, status);
        }
      }
    }
  }

  uint64_t cases() const {
    uint64_t count = 0;
    for (const Job& job : jobs_) count += job.progress->cases;
    return count;
  }
  Report report;

 private:
  void take_next(Job& job) {
    job.process = 0;
    if (next_ == subjects_.size()) return;
    job.subject = next_++;
    job.restarts = 0;
    job.progress->next = 0;
    job.progress->done = false;
    start(job);
  }

  void start(Job& job) {
    std::fflush(stdout);
    job.progress->has_told_end = false;
    job.process = fork();
    if (job.process < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (job.process == 0) {
      work(subjects_, job.subject, options_.choice, *job.progress, pipe_[1]);
      _exit(0);
    }
    ++running_;
  }

  void go_on(Job& job, int status) {
    constexpr int kMostRestarts = 200;
    --running_;
    drain();
    if (job.progress->done) return take_next(job);
    ++job.progress->cases;  // the case that it ended in
    if (!job.progress->has_told_end) report.add(silent_end(job, status));
    if (++job.restarts <= kMostRestarts) return start(job);
    report.add(finding_of(job, Wrong::skipped));
    take_next(job);
  }

  static Finding finding_of(const Job& job, Wrong wrong) {
    return {.wrong = wrong, .how = job.progress->how, .subject = job.subject, .n = job.progress->n};
  }

  // The finding for a worker that died without a report.
  static Finding silent_end(const Job& job, int status) {
    Finding finding = finding_of(job, Wrong::crash);
    finding.amount = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    std::snprintf(finding.text, sizeof finding.text, "the worker ended without a word, by %s",
                  WIFSIGNALED(status) ? "a signal" : "exit");
    return finding;
  }

  // Reads the findings that are in the pipe or come soon.
  void drain() {
    fd_set ready;
    for (;;) {
      timeval now = {.tv_sec = 0, .tv_usec = 20000};
      FD_ZERO(&ready);
      FD_SET(pipe_[0], &ready);
      if (select(pipe_[0] + 1, &ready, nullptr, nullptr, &now) <= 0) return;
      Finding finding;
      if (read(pipe_[0], &finding, sizeof finding) != sizeof finding) return;
      report.add(finding);
    }
  }

  const std::vector<Subject>& subjects_;
  const Options& options_;
  std::vector<Job> jobs_;
  uint32_t next_ = 0;
  size_t running_ = 0;
  int pipe_[2];
};

int run(int argc, char** argv) {
  Options options;
  if (!read_options(argc, argv, options)) {
    std::fputs(
        "usage: failing_tests [--files | --device | --killed] [--part K] [--of K] [--every]\n"
        "                     [--start] [--jobs N] [--stacks N] [SUBJECT...]\n",
        stderr);
    return 2;
  }
  setenv("GPY_NUM_THREADS", "1", 1);
  setenv("GPY_CACHE_DIR", "/dev/null", 1);  // compiled kernels are not kept
  const TemporaryFolder scratch;  // the workers' files: they may die before they remove them
  setenv("TMPDIR", scratch.path().c_str(), 1);
  const std::vector<Subject> subjects = chosen_subjects(options);
  if (subjects.empty()) {
    std::fputs("failing_tests: nothing to try (the fakes of a GPU were not built)\n", stderr);
    return 2;
  }
  Jobs jobs(subjects, options);
  jobs.run();
  std::vector<std::string> names;
  for (const Subject& each : subjects) names.push_back(each.name);
  jobs.report.print(names, options.stacks);
  // A worker that is killed must be reported: each finding is an expected one.
  const uint64_t found = jobs.report.count(), cases = jobs.cases();
  const uint64_t failed = options.killed ? cases - std::min(found, cases) : found;
  std::printf("%zu subjects\n%llu passed, %llu failed\n", subjects.size(),
              static_cast<unsigned long long>(cases - std::min(failed, cases)),
              static_cast<unsigned long long>(failed));
  return failed != 0;
}

}  // namespace

}  // namespace gpy::test::failing

int main(int argc, char** argv) {
  gpy::rt::recycles = false;
  try {
    return gpy::test::failing::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "failing_tests: %s\n", error.what());
    return 2;
  }
}
