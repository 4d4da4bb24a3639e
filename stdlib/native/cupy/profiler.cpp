// cupyx.profiler.benchmark: how long calls take, with what they gave computed and waited for.
#include <chrono>
#include <cmath>

#include "runtime/ops/create.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct Timings : Object {
  static constexpr Layout kLayout = Layout::plain;
  explicit Timings(Type* type) : Object(type) {}
  std::string name;
  int device = 0;
  std::vector<double> cpu, gpu;  // seconds
};

std::string line_of(const std::string& device, const std::vector<double>& seconds) {
  double sum = 0, low = INFINITY, high = 0, squares = 0;
  for (double t : seconds) sum += t, low = std::min(low, t), high = std::max(high, t);
  const double mean = sum / static_cast<double>(seconds.size());
  for (double t : seconds) squares += (t - mean) * (t - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(seconds.size()));
  std::string text = fmt::format("    {}: {:9.3f} us", device, mean * 1e6);
  if (seconds.size() > 1) {
    text += fmt::format("   +/- {:6.3f} (min: {:9.3f} / max: {:9.3f}) us", deviation * 1e6,
                        low * 1e6, high * 1e6);
  }
  return text;
}

std::string timings_repr(Interpreter&, const Value& self) {
  const Timings& timings = *self.as<Timings>();
  return fmt::format("{:<20s}:{} {}", timings.name, line_of("CPU", timings.cpu),
                     line_of(fmt::format("GPU-{}", timings.device), timings.gpu));
}

Value times(Interpreter& vm, const std::vector<double>& seconds, const rt::Dims& shape) {
  return wrap_array(vm, rt::from_host(session(vm), rt::DType::kFloat64, shape, seconds.data(),
                                      rt::Space::host()));
}

const NativeGetter kGetters[] = {
    {"name", [](Interpreter& vm, const Value& self) { return vm.str(self.as<Timings>()->name); },
     nullptr, "What was timed."},
    {"cpu_times",
     [](Interpreter& vm, const Value& self) {
       const Timings& timings = *self.as<Timings>();
       return times(vm, timings.cpu, {static_cast<int64_t>(timings.cpu.size())});
     },
     nullptr, "Seconds that each call took on the host."},
    {"gpu_times",
     [](Interpreter& vm, const Value& self) {
       const Timings& timings = *self.as<Timings>();
       return times(vm, timings.gpu, {1, static_cast<int64_t>(timings.gpu.size())});
     },
     nullptr, "Seconds until each call's work was done, a row for each device."},
};

class Call {
 public:
  Call(Interpreter& vm, const Value& function, const Value& positional, const Value& keywords)
      : vm_(vm), function_(function) {
    if (is_given(positional)) values_ = vm.collect(positional);
    positional_ = static_cast<uint32_t>(values_.size());
    if (!is_given(keywords)) return;
    for (auto& entry : keywords.as<Dict>()->entries()) {
      if (entry.key.is_undefined()) continue;
      names_.push_back(entry.key.as<Str>());
      values_.push_back(entry.value);
    }
  }
  // Seconds of the call, and until its work was done.
  std::pair<double, double> run() {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const Value result = vm_.call(function_, {values_.data(), positional_, names_});
    const auto called = Clock::now();
    vm_.call_method(vm_.import_module("gpy"), "eval", {result});
    synchronize_device(vm_, session(vm_).current_device);
    const auto done = Clock::now();
    return {std::chrono::duration<double>(called - start).count(),
            std::chrono::duration<double>(done - start).count()};
  }

 private:
  Interpreter& vm_;
  Value function_;
  std::vector<Value> values_;
  std::vector<Str*> names_;
  uint32_t positional_ = 0;
};

// (func, args, kwargs, n_repeat, name, n_warmup, max_duration)
Value benchmark(Interpreter& vm, Args args) {
  Type* type = kept_type(vm, "_Timings", [&] {
    return vm.make_type<Timings>({.name = "_PerfCaseResult",
                                  .module = "cupyx.profiler._time",
                                  .slots = {.repr = timings_repr},
                                  .getters = kGetters});
  });
  auto timings = vm.make<Timings>(type);
  timings->device = session(vm).current_device;
  if (is_given(args[4])) {
    timings->name = vm.to_text(args[4], "name");
  } else {
    const Value name = vm.try_get_attribute(args[0], vm.intern("__name__"));
    timings->name = name.is_defined() ? vm.to_str(name) : "function";
  }
  Call call(vm, args[0], args[1], args[2]);
  for (int64_t i = 0; i < vm.to_index(args[5]); ++i) call.run();
  double spent = 0;
  const double limit = is_given(args[6]) ? vm.to_real(args[6]) : INFINITY;
  for (int64_t i = 0; i < vm.to_index(args[3]) && spent < limit; ++i) {
    vm.poll();
    const auto [host, whole] = call.run();
    timings->cpu.push_back(host);
    timings->gpu.push_back(whole);
    spent += whole;
  }
  if (timings->cpu.empty()) vm.raise_value_error("n_repeat should be positive");
  return timings;
}

const Native kFunctions[] = {
    {"benchmark",
     "(func, args=<()>, kwargs=None, n_repeat=10000, *, name=None, n_warmup=10, max_duration=None)",
     benchmark, "Times a function: on the host, and until its work is done."},
};

}  // namespace

Value open_profiler(Interpreter& vm) { return vm.make_module("cupyx.profiler", kFunctions); }

}  // namespace gpy::lib
