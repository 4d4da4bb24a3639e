// Many interpreters, each on whichever thread comes next, with devices of their own or shared, made
// and closed while others work.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "tests/runner/choice.h"
#include "tests/runner/script.h"
#include "tests/threads/crew.h"
#include "tests/threads/device.h"
#include "tests/threads/works.h"

namespace gpy::test::threads {

namespace {

using host::Interpreter;

constexpr size_t kSeats = 64;
constexpr int kThreads = 16;

// --- scripts of the suite ------------------------------------------------------------------------

// Whether the script changes or counts state that several interpreters share: that of the process,
// and that of their devices.
bool is_alone(const std::string& text) {
  for (const char* word :
       {"import os", "from os", "open(", "pathlib", "/tmp", "fromfile", "tofile", "savetxt",
        "np.save", "np.load", "imsave", "input(", "sys.argv", "pool", "counters"}) {
    if (text.find(word) != text.npos) return true;
  }
  return false;
}

std::vector<Script> choose_scripts() {
  std::vector<Script> scripts;
  for (const auto& [folder, count] : {std::pair("tests/lang", 120), std::pair("tests/lib", 120)}) {
    for (const std::string& path : choose_steady(folder, count)) {
      Script script = read_script(path);
      if (!is_alone(script.text)) scripts.push_back(std::move(script));
    }
  }
  return scripts;
}

// The script's output, and its end.
std::string outcome(const Script& script, const char* device, const Interpreter* share) {
  std::string text;
  host::Options options = quiet(device, share);
  options.out = [&](std::string_view more) { text += more; };
  Interpreter gpy(options);
  gpy.limit({.steps = 300'000});
  try {
    gpy.set("folder", gpy.make(script.path.substr(0, script.path.rfind('/'))));
    gpy.run("import sys\nsys.path.insert(0, folder)\ndel sys, folder");
    gpy.run(script.text, script.path);
  } catch (const host::Error& error) {
    text += error.type() + ": " + error.message();
  }
  gpy.limit({});
  if (gpy.evaluate("1 + 1").to_int() != 2) text += "1 + 1 is not 2";
  return text;
}

// --- one interpreter -----------------------------------------------------------------------------

// The holder of the mutex uses the rest.
struct Seat {
  std::mutex mutex;
  std::unique_ptr<Interpreter> gpy;
  bool computes = true;  // false on the GPU that computes nothing
  bool catches_faults = false;
  std::vector<double> memory;
  std::optional<host::Loan> loan;
  std::optional<host::Value> left;  // pending, for the next thread
  double expected = 0;

  void close() {
    left.reset();
    loan.reset();
    gpy.reset();
  }
};

void expect(bool is_right, const char* what) {
  if (!is_right) throw std::runtime_error(std::string("wrong: ") + what);
}

void read_what_is_left(Seat& seat, Random&) {
  if (!seat.left) return;
  const host::OwnedElements elements = std::exchange(seat.left, std::nullopt)->to_elements();
  if (!seat.computes) return;
  double sum = 0;
  for (size_t i = 0; i < elements.data.size() / sizeof(double); ++i)
    sum += elements.as<double>()[i];
  expect(sum == seat.expected, "what another thread left pending");
}

void leave_something(Seat& seat, Random& random) {
  const int64_t count = random() % 4 == 0 ? 100'000 : 100;
  seat.gpy->set("count", seat.gpy->make(count));
  seat.left = seat.gpy->evaluate("(gp.arange(count, dtype=gp.float64) * 2 + 1) * gp.ones(count)");
  seat.expected = static_cast<double>(count) * static_cast<double>(count);
}

void lend(Seat& seat, Random& random) {
  seat.loan.reset();
  const auto count = static_cast<int64_t>(1000 + random() % 1000);
  seat.memory.assign(static_cast<size_t>(count), 1.5);
  seat.loan = seat.gpy->lend_writable({host::DType::float64, {count}, seat.memory.data()});
  seat.gpy->set("lent", seat.loan->value());
  seat.gpy->run("lent[::2] += 1\nkept = lent[:10] * 2\ntotal = float(lent.sum())");
  expect(seat.memory[0] == 2.5 && seat.memory[1] == 1.5, "what is written into lent memory");
  seat.memory[2] = 100;
  expect(seat.gpy->evaluate("float(lent[2])").to_double() == 100, "what the host writes");
}

void end_loan(Seat& seat, Random&) {
  if (!seat.loan) return;
  seat.loan->end();
  seat.loan.reset();
  std::vector<double>().swap(seat.memory);
  expect(seat.gpy->evaluate("float(kept[0])").to_double() == 5, "what is kept of ended loans");
}

void run_work(Seat& seat, Random& random) {
  const auto works = seat.computes ? cpu_works() : device_works();
  const Work& work = works[random() % works.size()];
  seat.gpy->run(work.source, work.name);
}

void call_back(Seat& seat, Random& random) {
  Interpreter& gpy = *seat.gpy;
  gpy.define("twice", [&gpy](const std::vector<host::Value>& arguments) {
    return gpy.make(2 * arguments[0].to_int());
  });
  const auto number = static_cast<int64_t>(random() % 1000);
  gpy.set("number", gpy.make(number));
  expect(gpy.evaluate("twice(number)").to_int() == 2 * number, "a host's function");
}

void pass_a_limit(Seat& seat, Random&) {
  seat.gpy->limit({.seconds = 0.01, .memory = 16 << 20});
  try {
    seat.gpy->run("hoard = []\nwhile True: hoard.append([0] * 1000)");
    expect(false, "a limit that does not hold");
  } catch (const host::Error& error) {
    if (error.stopped() == host::Stop::none) throw;
  }
  seat.gpy->limit({});
  seat.gpy->run("hoard = None");
}

// A fault in a kernel, while other kernels run and other interpreters are made and closed, with
// which the process's handlers are installed and removed.
void fault(Seat& seat, Random&) {
  if (!seat.catches_faults) return;
  try {
    seat.gpy->run("kernel raw wild(int n) { *(volatile float*)(long long)n = 1; }\nwild[4, 8](16)");
    expect(false, "a kernel's fault that is none");
  } catch (const host::Error& error) {
    if (error.type().find("KernelFaultError") == std::string::npos) throw;
  }
}

// --- all of them ---------------------------------------------------------------------------------

class Crowd {
 public:
  Crowd();
  // The work of a thread: it uses whatever interpreter is free.
  void work(int64_t times, int seed);
  std::string report() const;

 private:
  void open(Seat& seat, Random& random);
  void run_script(Random& random);
  const Interpreter* devices_for(bool on_device, Random& random) const;

  const Interpreter cpu_{quiet("cpu")};  // others share its devices, and it runs nothing
  std::optional<Interpreter> device_;
  std::vector<Script> scripts_ = choose_scripts();
  std::map<std::string, std::string> alone_;  // outcomes
  std::array<Seat, kSeats> seats_;
  std::atomic<int64_t> opened_{0}, done_{0}, scripts_run_{0};
};

Crowd::Crowd() {
  if (has_device()) device_.emplace(quiet("cuda"));
  std::erase_if(scripts_, [](const Script&) {
    static Random random(1);
    return static_cast<int64_t>(random() % 100) >= of_full(100, 25);
  });
  for (const Script& script : scripts_) alone_[script.path] = outcome(script, "cpu", nullptr);
}

// Half of the interpreters have devices of their own.
const Interpreter* Crowd::devices_for(bool on_device, Random& random) const {
  if (random() % 2) return nullptr;
  return on_device ? &*device_ : &cpu_;
}

void Crowd::open(Seat& seat, Random& random) {
  seat.close();
  ++opened_;
  const bool on_device = has_device() && random() % 3 == 0;
  seat.computes = !on_device;
  seat.catches_faults = seat.computes && random() % 2;
  host::Options options = quiet(on_device ? "cuda" : "cpu", devices_for(on_device, random));
  options.catch_kernel_faults = seat.catches_faults;
  seat.gpy = std::make_unique<Interpreter>(options);
}

void Crowd::run_script(Random& random) {
  ++scripts_run_;
  const Script& script = scripts_[random() % scripts_.size()];
  if (has_device() && random() % 3 == 0) {
    outcome(script, "cuda", devices_for(true, random));  // the outcome is not known
    return;
  }
  const std::string found = outcome(script, "cpu", devices_for(false, random));
  if (found != alone_.at(script.path)) {
    throw std::runtime_error(script.path + " gives\n" + found + "\nand alone\n" +
                             alone_.at(script.path));
  }
}

void Crowd::work(int64_t times, int seed) {
  constexpr void (*kJobs[])(Seat&, Random&) = {
      leave_something, read_what_is_left, lend, end_loan, run_work, call_back, pass_a_limit, fault};
  Random random(seed);
  for (int64_t i = 0; i < times; ++i) {
    if (random() % 5 == 0) run_script(random);
    Seat& seat = seats_[random() % seats_.size()];
    const std::unique_lock lock(seat.mutex, std::try_to_lock);
    if (!lock) continue;
    ++done_;
    if (!seat.gpy || random() % 16 == 0) open(seat, random);
    kJobs[random() % std::size(kJobs)](seat, random);
  }
}

std::string Crowd::report() const {
  return std::to_string(done_) + " pieces of work, interpreters made " + std::to_string(opened_) +
         " times; " + std::to_string(scripts_run_) + " runs of " + std::to_string(scripts_.size()) +
         " scripts";
}

}  // namespace

TEST_CASE("64 interpreters on 16 threads") {
  Crowd crowd;
  Crew crew;
  const int64_t times = of_full(1000, 10);
  for (int i = 0; i < kThreads; ++i) crew.start([&, i] { crowd.work(times, i + 1); });
  CHECK(crew.wait() == "");
  MESSAGE(crowd.report());
}

}  // namespace gpy::test::threads
