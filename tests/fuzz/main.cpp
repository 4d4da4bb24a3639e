// program_fuzz COUNT [SEED] [cpu|cuda] [HOSTILE]: plays random array programs to the reference
// model and to the engine, lazily, at once and eagerly, and compares every variable bit by bit
// after each program. HOSTILE: names of runtime/core/hostile.h, joined by commas.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <cstdlib>
#include <set>

#include "engine.h"
#include "generate.h"
#include "runtime/core/error.h"

namespace gpy::fuzz {
namespace {

// All NaNs are the same: the payload that NaN arithmetic gives depends on the processor.
bool same(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return x == y && std::signbit(x) == std::signbit(y);
}
bool same(const Content& a, const Content& b) {
  if (a == b) return true;
  if (a.dtype != b.dtype || !(a.shape == b.shape) || is_exact(a.dtype)) return false;
  const size_t item = rt::item_size(a.dtype);
  for (size_t i = 0; i < a.bytes.size(); i += item) {
    const Cell x = load(a.dtype, &a.bytes[i]), y = load(a.dtype, &b.bytes[i]);
    if (!same(x.f, y.f) || !same(x.g, y.g)) return false;
  }
  return true;
}

// A description of what went differently, or nothing.
std::string play(const std::vector<Statement>& trace, Engine& engine, const char* name) {
  Model model;
  try {
    for (size_t i = 0; i < trace.size(); ++i) {
      const bool as_noted = model.run(trace[i]);
      if (engine.run(trace[i]) != as_noted)
        return fmt::format("{}: statement {} went the other way", name, i);
    }
    for (const auto& [variable, array] : model.variables()) {
      if (!same(model.content(variable), engine.content(variable)))
        return fmt::format("{}: v{} differs", name, variable);
    }
  } catch (const rt::Error& error) {
    return fmt::format("{}: {}", name, error.message());
  }
  return "";
}

std::string check(const std::vector<Statement>& trace, const std::shared_ptr<rt::Runtime>& runtime,
                  rt::Space space) {
  struct Way {
    const char* name;
    bool lazy;
    rt::Space space;
  };
  // In a lazy session small host arrays are computed at once; those of gp and of devices are not.
  const rt::Space waiting = space.is_host() ? rt::Space::automatic() : space;
  for (const Way& way :
       {Way{"lazy", true, waiting}, Way{"at once", true, space}, Way{"eager", false, space}}) {
    Engine engine(runtime, way.lazy, way.space);
    const std::string difference = play(trace, engine, way.name);
    if (!difference.empty()) return difference;
  }
  return "";
}

// Whether every statement's operands exist: dropping statements can orphan later ones.
bool whole(const std::vector<Statement>& trace) {
  std::set<int> known;
  for (const Statement& s : trace) {
    if ((s.a >= 0 && !known.contains(s.a)) || (s.b >= 0 && !known.contains(s.b))) return false;
    if (s.verb == Verb::kDelete) known.erase(s.a);
    if (s.dst >= 0) known.insert(s.dst);
  }
  return true;
}

template <class Fails> std::vector<Statement> shrink(std::vector<Statement> trace, Fails&& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (size_t i = trace.size(); i-- > 0;) {
      std::vector<Statement> less = trace;
      less.erase(less.begin() + static_cast<int64_t>(i));
      if (!whole(less) || !fails(less)) continue;
      trace = std::move(less);
      smaller = true;
    }
  }
  return trace;
}

constexpr int kMostFailures = 5;  // the number of failures to stop at

int run(int64_t count, uint64_t seed, const std::string& device, const std::string& hostile) {
  const auto runtime =
      std::make_shared<rt::Runtime>(rt::DeviceChoice::parse(device), rt::Hostile::parse(hostile));
  const rt::Space space = device == "cpu" ? rt::Space::host() : rt::Space::on_device(0);
  const auto start = std::chrono::steady_clock::now();
  int64_t failed = 0, i = 0;
  for (; i < count && failed < kMostFailures; ++i) {
    const std::vector<Statement> trace =
        generate(seed + static_cast<uint64_t>(i), 20 + static_cast<int>(i % 60), device == "cpu");
    const std::string difference = check(trace, runtime, space);
    if (difference.empty()) continue;
    ++failed;
    const auto fails = [&](const std::vector<Statement>& t) {
      try {
        return !check(t, runtime, space).empty();
      } catch (const std::exception&) {
        return false;  // the model refuses it: not a program
      }
    };
    const std::vector<Statement> small = shrink(trace, fails);
    fmt::print("seed {}: {}\n", seed + static_cast<uint64_t>(i), check(small, runtime, space));
    for (const Statement& s : small) fmt::print("  {}\n", to_text(s));
    std::fflush(stdout);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("programs: {} passed, {} failed ({:.0f} a second)\n", i - failed, failed,
             static_cast<double>(i) / seconds);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace gpy::fuzz

int main(int argc, char** argv) {
  const int64_t count = argc > 1 ? std::atoll(argv[1]) : 10000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  return gpy::fuzz::run(count, seed, argc > 3 ? argv[3] : "cpu", argc > 4 ? argv[4] : "");
}
