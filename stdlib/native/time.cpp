// The module time.
#include <sys/resource.h>

#include <cerrno>
#include <cmath>
#include <ctime>

#include "src/interpreter.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

static constexpr int64_t kNanoseconds = 1000000000;

static int64_t read_clock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * kNanoseconds + now.tv_nsec;
}

template <clockid_t clock> static Value seconds(Interpreter&, Args) {
  return Value::real(static_cast<double>(read_clock(clock)) * 1e-9);
}

template <clockid_t clock> static Value nanoseconds(Interpreter&, Args) {
  return Value::integer(read_clock(clock));
}

// In slices, so that an interrupt from another thread is seen soon.
static Value time_sleep(Interpreter& vm, Args args) {
  double wanted = vm.to_real(args[0]);
  if (wanted < 0 || std::isnan(wanted)) vm.raise_value_error("sleep length must be non-negative");
  constexpr double kSlice = 0.05, kMost = 1e9;
  int64_t end = read_clock(CLOCK_MONOTONIC) +
                static_cast<int64_t>(std::min(wanted, kMost) * static_cast<double>(kNanoseconds));
  for (;;) {
    vm.poll();
    double left = static_cast<double>(end - read_clock(CLOCK_MONOTONIC)) * 1e-9;
    if (left <= 0) return Value::none();
    double slice = std::min(left, kSlice);
    timespec pause{0, static_cast<long>(slice * 1e9)};
    nanosleep(&pause, nullptr);
  }
}

// --- calendar ------------------------------------------------------------------------------------

static time_t when(Interpreter& vm, const Value& v) {
  return v.is_none() ? std::time(nullptr) : static_cast<time_t>(std::floor(vm.to_real(v)));
}

// Nine ints, as Python's struct_time counts them.
static Value as_tuple(Interpreter& vm, const tm& t) {
  constexpr int kFirstYear = 1900;
  return vm.tuple({Value::integer(t.tm_year + kFirstYear), Value::integer(t.tm_mon + 1),
                   Value::integer(t.tm_mday), Value::integer(t.tm_hour), Value::integer(t.tm_min),
                   Value::integer(t.tm_sec), Value::integer((t.tm_wday + 6) % 7),
                   Value::integer(t.tm_yday + 1), Value::integer(t.tm_isdst)});
}

static tm as_tm(Interpreter& vm, const Value& v) {
  Tuple* tuple = v.try_as<Tuple>();
  if (!tuple || tuple->size != 9) vm.raise_type_error("Tuple or struct_time argument required");
  auto part = [&](size_t i) { return static_cast<int>(vm.to_index((*tuple)[i])); };
  tm t{};
  t.tm_year = part(0) - 1900;
  t.tm_mon = part(1) - 1;
  t.tm_mday = part(2);
  t.tm_hour = part(3);
  t.tm_min = part(4);
  t.tm_sec = part(5);
  t.tm_wday = (part(6) + 1) % 7;
  t.tm_yday = part(7) - 1;
  t.tm_isdst = part(8);
  return t;
}

static Value time_localtime(Interpreter& vm, Args args) {
  time_t at = when(vm, args[0]);
  tm t;
  localtime_r(&at, &t);
  return as_tuple(vm, t);
}

static Value time_gmtime(Interpreter& vm, Args args) {
  time_t at = when(vm, args[0]);
  tm t;
  gmtime_r(&at, &t);
  return as_tuple(vm, t);
}

static Value time_mktime(Interpreter& vm, Args args) {
  tm t = as_tm(vm, args[0]);
  return Value::real(static_cast<double>(std::mktime(&t)));
}

static std::string formatted(const char* format, const tm& t) {
  char buffer[512];
  return std::string(buffer, std::strftime(buffer, sizeof buffer, format, &t));
}

static tm time_argument(Interpreter& vm, const Value& v) {
  if (!v.is_none()) return as_tm(vm, v);
  time_t now = std::time(nullptr);
  tm t;
  localtime_r(&now, &t);
  return t;
}

static Value time_strftime(Interpreter& vm, Args args) {
  std::string format(vm.to_text(args[0], "strftime() argument 1"));
  return vm.str(formatted(format.c_str(), time_argument(vm, args[1])));
}

static Value time_asctime(Interpreter& vm, Args args) {
  return vm.str(formatted("%a %b %e %H:%M:%S %Y", time_argument(vm, args[0])));
}

static Value time_ctime(Interpreter& vm, Args args) {
  time_t at = when(vm, args[0]);
  tm t;
  localtime_r(&at, &t);
  return vm.str(formatted("%a %b %e %H:%M:%S %Y", t));
}

static const Native kRows[] = {
    {"asctime", "(t=None, /)", time_asctime, "A time tuple as text."},
    {"ctime", "(seconds=None, /)", time_ctime, "A time in seconds as text."},
    {"gmtime", "(seconds=None, /)", time_gmtime, "A time in seconds as a tuple, in UTC."},
    {"localtime", "(seconds=None, /)", time_localtime,
     "A time in seconds as a tuple, where we are."},
    {"mktime", "(t, /)", time_mktime, "A time tuple in seconds."},
    {"monotonic", "()", seconds<CLOCK_MONOTONIC>, "Seconds of a clock that never goes back."},
    {"monotonic_ns", "()", nanoseconds<CLOCK_MONOTONIC>,
     "Nanoseconds of a clock that never goes back."},
    {"perf_counter", "()", seconds<CLOCK_MONOTONIC>, "Seconds of the clock for measuring."},
    {"perf_counter_ns", "()", nanoseconds<CLOCK_MONOTONIC>,
     "Nanoseconds of the clock for measuring."},
    {"process_time", "()", seconds<CLOCK_PROCESS_CPUTIME_ID>,
     "Seconds of processor time used so far."},
    {"process_time_ns", "()", nanoseconds<CLOCK_PROCESS_CPUTIME_ID>,
     "Nanoseconds of processor time used so far."},
    {"sleep", "(seconds, /)", time_sleep, "Waits."},
    {"strftime", "(format, t=None, /)", time_strftime, "A time tuple as text, as a format says."},
    {"thread_time", "()", seconds<CLOCK_THREAD_CPUTIME_ID>,
     "Seconds of this thread's processor time."},
    {"time", "()", seconds<CLOCK_REALTIME>, "Seconds since 1970."},
    {"time_ns", "()", nanoseconds<CLOCK_REALTIME>, "Nanoseconds since 1970."},
};

Value open_time(Interpreter& vm) { return vm.make_module("time", kRows); }

}  // namespace gpy::lib
