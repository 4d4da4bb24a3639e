#include "stdlib/native/numpy/calendar.h"

namespace gpy::lib {

namespace {

constexpr int64_t kSecondsOfDay = 86400;
constexpr int64_t kAttoseconds = 1'000'000'000'000'000'000;

bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// In int64 that wraps around.
int64_t times_plus(int64_t value, int64_t factor, int64_t plus) {
  return static_cast<int64_t>(static_cast<uint64_t>(value) * static_cast<uint64_t>(factor) +
                              static_cast<uint64_t>(plus));
}

// How many of a unit below the second make one.
int64_t per_second(DateUnit unit) {
  int64_t factor = 1;
  for (int i = static_cast<int>(DateUnit::s); i < static_cast<int>(unit); ++i) factor *= 1000;
  return factor;
}

int64_t per_day(DateUnit unit) {
  return unit == DateUnit::h ? 24 : unit == DateUnit::m ? 24 * 60 : kSecondsOfDay;
}

// Days since 1970 of a date (H. Hinnant, "chrono-compatible low-level date algorithms"): years
// begin in March, so that the leap day is the last.
int64_t days_of_date(int64_t year, int month, int day) {
  if (month <= 2) --year;
  const int64_t era = floor_divided(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return times_plus(era, 146097, day_of_era - 719468);
}

Moment date_of_days(int64_t days) {
  const int64_t era = floor_divided(days, 146097);
  const int64_t shifted = days - era * 146097 + 719468 % 146097;
  const int64_t more = shifted / 146097;
  const int64_t day_of_era = shifted - more * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t part = (5 * day_of_year + 2) / 153;
  Moment found;
  found.day = static_cast<int>(day_of_year - (153 * part + 2) / 5 + 1);
  found.month = static_cast<int>(part < 10 ? part + 3 : part - 9);
  found.year = year_of_era + (era + more + 719468 / 146097) * 400 + (found.month <= 2 ? 1 : 0);
  return found;
}

}  // namespace

int64_t floor_divided(int64_t value, int64_t by) {
  const int64_t quotient = value / by;
  return quotient - (value % by < 0 ? 1 : 0);
}

int days_in_month(int64_t year, int month) {
  if (month == 2) return is_leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

int64_t days_of_months(int64_t months) {
  const int64_t years = floor_divided(months, 12);
  return days_of_date(1970 + years, static_cast<int>(months - years * 12) + 1, 1);
}

int64_t months_of_days(int64_t days) {
  const Moment found = date_of_days(days);
  return (found.year - 1970) * 12 + found.month - 1;
}

int64_t count_of(const Moment& moment, DateUnit unit) {
  if (unit == DateUnit::Y) return moment.year - 1970;
  if (unit == DateUnit::M) return times_plus(moment.year - 1970, 12, moment.month - 1);
  const int64_t days = days_of_date(moment.year, moment.month, moment.day);
  if (unit == DateUnit::W) return floor_divided(days, 7);
  if (unit == DateUnit::D) return days;
  if (unit <= DateUnit::s) {
    const int64_t size = kSecondsOfDay / per_day(unit);
    return times_plus(days, per_day(unit), moment.second / size);
  }
  const int64_t factor = per_second(unit);
  return times_plus(times_plus(days, kSecondsOfDay, moment.second), factor,
                    moment.attosecond / (kAttoseconds / factor));
}

Moment moment_of(int64_t count, DateUnit unit) {
  if (unit <= DateUnit::M) {
    const int64_t years = unit == DateUnit::Y ? count : floor_divided(count, 12);
    Moment found;
    found.year = times_plus(years, 1, 1970);
    if (unit == DateUnit::M) found.month = static_cast<int>(count - years * 12) + 1;
    return found;
  }
  if (unit <= DateUnit::D)
    return date_of_days(unit == DateUnit::W ? times_plus(count, 7, 0) : count);
  int64_t attosecond = 0;
  if (unit > DateUnit::s) {
    const int64_t factor = per_second(unit);
    const int64_t seconds = floor_divided(count, factor);
    attosecond = (count - seconds * factor) * (kAttoseconds / factor);
    count = seconds;
  }
  const int64_t parts = per_day(unit);
  const int64_t days = floor_divided(count, parts);
  Moment found = date_of_days(days);
  found.second = (count - days * parts) * (kSecondsOfDay / parts);
  found.attosecond = attosecond;
  return found;
}

}  // namespace gpy::lib
