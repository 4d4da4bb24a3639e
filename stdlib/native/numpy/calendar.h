#pragma once
// The proleptic Gregorian calendar in counts of units since 1970, as datetime64 counts. Whatever
// does not fit in 64 bits wraps around, as in NumPy.

#include <array>
#include <cstdint>
#include <string_view>

namespace gpy::lib {

enum class DateUnit { Y, M, W, D, h, m, s, ms, us, ns, ps, fs, as };
inline constexpr std::array<std::string_view, 13> kDateUnitNames = {
    "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"};
inline constexpr int64_t kNat = INT64_MIN;

// A moment: the day of the calendar, the second of the day, attoseconds (1e-18 s).
struct Moment {
  int64_t year = 1970;
  int month = 1;
  int day = 1;
  int64_t second = 0;
  int64_t attosecond = 0;
};

int64_t floor_divided(int64_t value, int64_t by);
int days_in_month(int64_t year, int month);
// Days since 1970 of the first of a month that is counted since January 1970.
int64_t days_of_months(int64_t months);
// The month, counted since January 1970, of a day counted since 1970.
int64_t months_of_days(int64_t days);

// How many of a unit have passed since 1970, rounded down.
int64_t count_of(const Moment& moment, DateUnit unit);
Moment moment_of(int64_t count, DateUnit unit);

}  // namespace gpy::lib
