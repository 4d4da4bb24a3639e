// The module time.
#include <sys/resource.h>

#include <cerrno>
#include <cmath>
#include <ctime>
#include <string>
#include <utility>

#include "runtime/core/environment.h"
#include "src/interpreter.h"
#include "src/typed_native.h"
#include "src/types/system_text.h"
#include "stdlib/native/modules.h"
#include "stdlib/native/records.h"

namespace gpy::lib {

static constexpr int64_t kNanoseconds = 1000000000;

// The C library's functions of local time read TZ.
static bool to_local(time_t at, tm& local) {
  const rt::EnvironmentLock reads;
  return localtime_r(&at, &local) != nullptr;
}

static int64_t read_clock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * kNanoseconds + now.tv_nsec;
}

template <clockid_t clock> static Value seconds(Interpreter&) {
  return Value::real(static_cast<double>(read_clock(clock)) * 1e-9);
}

template <clockid_t clock> static Value nanoseconds(Interpreter&) {
  return Value::integer(read_clock(clock));
}

// Sleeps in slices, so that an interrupt from another thread is seen soon.
static Value time_sleep(Interpreter& vm, double wanted) {
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
  if (v.is_none()) return std::time(nullptr);
  if (!v.is_real()) return vm.to_index(v);
  double whole = std::floor(v.as_real());
  if (std::isnan(whole)) vm.raise_value_error("Invalid value NaN (not a number)");
  constexpr double kMost = 9.2e18;
  if (std::abs(whole) > kMost)
    vm.raise_overflow_error("timestamp out of range for platform time_t");
  return static_cast<time_t>(whole);
}

static void check_year(Interpreter& vm, bool fits) {
  if (!fits) vm.raise(vm.types.os_error, "[Errno 75] Value too large for defined data type");
}

static Type* struct_time(const Args& call) { return static_cast<Type*>(call.callee().context); }

static Value as_record(Interpreter& vm, Type* type, const tm& t) {
  constexpr int kFirstYear = 1900;
  auto number = [](int64_t n) { return Value::integer(n); };
  return make_record(
      vm, type,
      {number(t.tm_year + kFirstYear), number(t.tm_mon + 1), number(t.tm_mday), number(t.tm_hour),
       number(t.tm_min), number(t.tm_sec), number((t.tm_wday + 6) % 7), number(t.tm_yday + 1),
       number(t.tm_isdst), text_from_system(vm, t.tm_zone ? t.tm_zone : ""), number(t.tm_gmtoff)});
}

static void check_range(Interpreter& vm, const tm& t) {
  auto check = [&](bool good, const char* what) {
    if (!good) vm.raise_value_error("{} out of range", what);
  };
  check(t.tm_mon >= -1 && t.tm_mon < 12, "month");
  check(t.tm_mday >= 0 && t.tm_mday <= 31, "day of month");
  check(t.tm_hour >= 0 && t.tm_hour < 24, "hour");
  check(t.tm_min >= 0 && t.tm_min < 60, "minute");
  check(t.tm_sec >= 0 && t.tm_sec <= 61, "seconds");
  check(t.tm_yday >= -1 && t.tm_yday < 366, "day of year");
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
  check_range(vm, t);
  return t;
}

static Value time_localtime(Interpreter& vm, const Args& call, const Value& moment) {
  time_t at = when(vm, moment);
  tm t;
  check_year(vm, to_local(at, t));
  return as_record(vm, struct_time(call), t);
}

static Value time_gmtime(Interpreter& vm, const Args& call, const Value& moment) {
  time_t at = when(vm, moment);
  tm t;
  check_year(vm, gmtime_r(&at, &t) != nullptr);
  return as_record(vm, struct_time(call), t);
}

static Value time_mktime(Interpreter& vm, const Value& parts) {
  tm t = as_tm(vm, parts);
  const rt::EnvironmentLock reads;
  return Value::real(static_cast<double>(std::mktime(&t)));
}

static std::string formatted(std::string format, const tm& t) {
  if (format.empty()) return "";
  std::string text(256, '\0');
  constexpr size_t kMost = 1 << 20;
  const rt::EnvironmentLock reads;
  while (text.size() < kMost) {
    size_t length = std::strftime(text.data(), text.size(), format.c_str(), &t);
    if (length > 0) return text.substr(0, length);
    text.resize(text.size() * 4);
  }
  return "";
}

static tm time_argument(Interpreter& vm, const Value& v) {
  if (!v.is_none()) return as_tm(vm, v);
  time_t now = std::time(nullptr);
  tm t;
  to_local(now, t);
  return t;
}

static Value time_strftime(Interpreter& vm, const Value& wanted, const Value& parts) {
  std::string format = bytes_for_system(vm, vm.to_text(wanted, "strftime() argument 1"));
  return text_from_system(vm, formatted(format, time_argument(vm, parts)));
}

static Value time_asctime(Interpreter& vm, const Value& parts) {
  return vm.str(formatted("%a %b %e %H:%M:%S %Y", time_argument(vm, parts)));
}

static Value time_ctime(Interpreter& vm, const Value& moment) {
  time_t at = when(vm, moment);
  tm t;
  to_local(at, t);
  return vm.str(formatted("%a %b %e %H:%M:%S %Y", t));
}

static Value time_strptime(Interpreter& vm, const Args& call, const Value& string,
                           const Value& wanted) {
  std::string text(vm.to_text(string, "strptime() argument 0"));
  std::string format(vm.to_text(wanted, "strptime() argument 1"));
  tm t{};
  t.tm_mday = 1;
  const char* end = ::strptime(text.c_str(), format.c_str(), &t);
  if (!end) {
    vm.raise_value_error("time data {} does not match format {}", vm.repr(string), vm.repr(wanted));
  }
  if (*end) vm.raise_value_error("unconverted data remains: {}", end);
  tm whole = t;
  timegm(&whole);  // finds the days of week and year
  t.tm_wday = whole.tm_wday;
  t.tm_yday = whole.tm_yday;
  t.tm_isdst = -1;
  t.tm_zone = nullptr;
  return as_record(vm, struct_time(call), t);
}

static const Native kRecordRows[] = {
    {"gmtime", "(seconds=None, /)", typed<time_gmtime>,
     "A time in seconds as a struct_time, in UTC."},
    {"localtime", "(seconds=None, /)", typed<time_localtime>,
     "A time in seconds as a struct_time, where we are."},
    {"strptime", "(string, format='%a %b %d %H:%M:%S %Y', /)", typed<time_strptime>,
     "The struct_time that a text means, read as a format says."},
};

static const Native kRows[] = {
    {"asctime", "(t=None, /)", typed<time_asctime>, "A time tuple as text."},
    {"ctime", "(seconds=None, /)", typed<time_ctime>, "A time in seconds as text."},
    {"mktime", "(t, /)", typed<time_mktime>, "A time tuple in seconds."},
    {"monotonic", "()", typed<seconds<CLOCK_MONOTONIC>>,
     "Seconds of a clock that never goes back."},
    {"monotonic_ns", "()", typed<nanoseconds<CLOCK_MONOTONIC>>,
     "Nanoseconds of a clock that never goes back."},
    {"perf_counter", "()", typed<seconds<CLOCK_MONOTONIC>>, "Seconds of the clock for measuring."},
    {"perf_counter_ns", "()", typed<nanoseconds<CLOCK_MONOTONIC>>,
     "Nanoseconds of the clock for measuring."},
    {"process_time", "()", typed<seconds<CLOCK_PROCESS_CPUTIME_ID>>,
     "Seconds of processor time used so far."},
    {"process_time_ns", "()", typed<nanoseconds<CLOCK_PROCESS_CPUTIME_ID>>,
     "Nanoseconds of processor time used so far."},
    {"sleep", "(seconds, /)", typed<time_sleep>, "Waits."},
    {"strftime", "(format, t=None, /)", typed<time_strftime>,
     "A time tuple as text, as a format says."},
    {"thread_time", "()", typed<seconds<CLOCK_THREAD_CPUTIME_ID>>,
     "Seconds of this thread's processor time."},
    {"time", "()", typed<seconds<CLOCK_REALTIME>>, "Seconds since 1970."},
    {"time_ns", "()", typed<nanoseconds<CLOCK_REALTIME>>, "Nanoseconds since 1970."},
};

// The offset of local time west of Greenwich at some moment, and the name of the zone.
struct LocalTime {
  int64_t seconds_west;
  std::string name;
};

static LocalTime local_time(time_t at) {
  tm t;
  to_local(at, t);
  return {-t.tm_gmtoff, t.tm_zone};
}

struct TimeZone {
  LocalTime standard, summer;
  bool has_summer_time() const { return standard.seconds_west != summer.seconds_west; }
};

// As in CPython, of January and July the one farther west of Greenwich is standard time.
static TimeZone find_time_zone() {
  constexpr time_t kYear = 31557600;
  const time_t january = std::time(nullptr) / kYear * kYear;
  LocalTime winter = local_time(january), summer = local_time(january + kYear / 2);
  if (winter.seconds_west < summer.seconds_west) std::swap(winter, summer);
  return {std::move(winter), std::move(summer)};
}

// Made once a process and never destroyed. The C library's own variables change whenever another
// thread asks for a local time.
static const TimeZone& time_zone() {
  static const TimeZone& zone = *new TimeZone(find_time_zone());
  return zone;
}

Value open_time(Interpreter& vm) {
  Ref<Module> module = vm.make_module("time", kRows);
  Type* type = make_record_type(vm, {.name = "struct_time",
                                     .module = "time",
                                     .fields = {"tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min",
                                                "tm_sec", "tm_wday", "tm_yday", "tm_isdst"},
                                     .extras = {"tm_zone", "tm_gmtoff"}});
  module->set(vm, "struct_time", Value(type));
  for (const Native& row : kRecordRows) module->set(vm, row.name, vm.function(row, "time", type));
  const TimeZone& zone = time_zone();
  module->set(vm, "timezone", Value::integer(zone.standard.seconds_west));
  module->set(vm, "daylight", Value::integer(zone.has_summer_time()));
  module->set(vm, "altzone", Value::integer(zone.summer.seconds_west));
  module->set(
      vm, "tzname",
      vm.tuple({text_from_system(vm, zone.standard.name), text_from_system(vm, zone.summer.name)}));
  return module;
}

}  // namespace gpy::lib
