// Business days: np.busday_offset and its relatives, on days since 1970.
#include <algorithm>
#include <array>

#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/elementwise.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/calendar.h"
#include "stdlib/native/numpy/kind_arguments.h"
#include "stdlib/native/numpy/kinds.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// Sums and products of days and offsets up to these stay within int64.
constexpr int64_t kFarthestDay = int64_t{1} << 62, kMostOffset = int64_t{1} << 59;

enum class Roll { raise, nat, forward, backward, modified_forward, modified_backward };

// Which days of the week are business days, Monday first, and the holidays among these, in order.
class Calendar {
 public:
  Calendar(Interpreter& vm, const Value& mask, std::span<const int64_t> holidays)
      : holidays_(holidays) {
    const ListItems days(vm, mask);
    for (size_t i = 0; i < 7; ++i) {
      is_open_[i] = vm.truth(days.at(i));
      before_[i] = a_week_;
      if (is_open_[i]) open_[static_cast<size_t>(a_week_)] = static_cast<int64_t>(i);
      a_week_ += is_open_[i] ? 1 : 0;
    }
    if (a_week_ == 0) vm.raise_value_error("a week needs a business day");
  }

  bool is_business_day(int64_t day) const {
    return is_open_[weekday(day)] &&
           (holidays_.empty() || !std::binary_search(holidays_.begin(), holidays_.end(), day));
  }

  // Of the days from the first up to the last, without it.
  int64_t count(int64_t from, int64_t to) const {
    return open_days_before(to) - open_days_before(from) - holidays_between(from, to);
  }

  // The business day that comes so many after, or before, a business day.
  int64_t moved(int64_t day, int64_t offset) const {
    const int64_t start = open_days_before(day);
    int64_t found = day, skipped = 0;
    for (;;) {
      found = open_day(start + offset + skipped);
      const int64_t holidays =
          offset < 0 ? -holidays_between(found, day) : holidays_between(day, found + 1);
      if (holidays == skipped) return found;
      skipped = holidays;
    }
  }

  int64_t rolled(int64_t day, bool forward) const {
    while (!is_business_day(day)) day += forward ? 1 : -1;
    return day;
  }

 private:
  // Monday is 0. The first of January 1970 was a Thursday. What is added is added to the remainder
  // of a week: days may be as far away as int64 goes.
  static size_t weekday(int64_t day) { return static_cast<size_t>((since_week(day) + 3) % 7); }
  static int64_t week(int64_t day) { return day / 7 - (day % 7 < 0) + (since_week(day) + 3) / 7; }
  static int64_t since_week(int64_t day) { return (day % 7 + 7) % 7; }

  // Days of the week that are business days, holidays among them, counted from some Monday.
  int64_t open_days_before(int64_t day) const {
    return week(day) * a_week_ + before_[weekday(day)];
  }

  int64_t open_day(int64_t number) const {
    const int64_t weeks = floor_divided(number, a_week_);
    return weeks * 7 - 3 + open_[static_cast<size_t>(number - weeks * a_week_)];
  }

  int64_t holidays_between(int64_t from, int64_t to) const {
    if (holidays_.empty()) return 0;
    const auto first = std::lower_bound(holidays_.begin(), holidays_.end(), from);
    return std::lower_bound(first, holidays_.end(), to) - first;
  }

  std::array<bool, 7> is_open_ = {};
  std::array<int64_t, 7> before_ = {};  // business days of the week before each
  std::array<int64_t, 7> open_ = {};    // the business days themselves
  int64_t a_week_ = 0;
  std::span<const int64_t> holidays_;
};

int64_t rolled_day(Interpreter& vm, const Calendar& calendar, int64_t day, Roll roll) {
  if (day == kNat) {
    if (roll == Roll::raise) vm.raise_value_error("NaT input in busday_offset");
    return kNat;
  }
  if (calendar.is_business_day(day)) return day;
  if (roll == Roll::raise) vm.raise_value_error("Non-business day date in busday_offset");
  if (roll == Roll::nat) return kNat;
  const bool forward = roll == Roll::forward || roll == Roll::modified_forward;
  const int64_t found = calendar.rolled(day, forward);
  const bool stays = roll == Roll::modified_forward || roll == Roll::modified_backward;
  if (!stays || months_of_days(found) == months_of_days(day)) return found;
  return calendar.rolled(day, !forward);
}

int64_t within(Interpreter& vm, int64_t value, int64_t most, const char* what) {
  if (value == kNat || (-most <= value && value <= most)) return value;
  vm.raise_overflow_error("{} {} is too far away to count business days to it", what, value);
}

void check_lengths(Interpreter& vm, const Int64Values& one, const Int64Values& other) {
  if (one.size() != other.size()) vm.raise_value_error("arrays of one shape are needed here");
}

template <class Item, class Make>
Value made_array(Interpreter& vm, rt::DType dtype, const Int64Values& days, Make&& make) {
  InterruptPoll poll(vm);
  auto fill = [&](std::byte* memory) {
    auto* items = reinterpret_cast<Item*>(memory);
    for (size_t i = 0; i < days.size(); ++i) {
      poll.step();
      items[i] = make(i);
    }
  };
  return wrap_array(vm, rt::make_filled(session(vm), dtype, days.shape(), rt::Space::host(), fill));
}

Value busday_offset(Interpreter& vm, const rt::Array& dates, const rt::Array& offsets, int64_t roll,
                    const Value& mask, const rt::Array& holidays) {
  const Int64Values days(vm, dates), counts(vm, offsets), closed(vm, holidays);
  check_lengths(vm, days, counts);
  const Calendar calendar(vm, mask, closed.all());
  return made_array<int64_t>(vm, rt::DType::kInt64, days, [&](size_t i) {
    const int64_t given = within(vm, days[i], kFarthestDay, "day");
    const int64_t day = rolled_day(vm, calendar, given, static_cast<Roll>(roll));
    const int64_t offset = within(vm, counts[i], kMostOffset, "offset");
    return day == kNat || offset == kNat ? kNat : calendar.moved(day, offset);
  });
}

Value busday_count(Interpreter& vm, const rt::Array& begins, const rt::Array& ends,
                   const Value& mask, const rt::Array& holidays) {
  const Int64Values first(vm, begins), last(vm, ends), closed(vm, holidays);
  check_lengths(vm, first, last);
  const Calendar calendar(vm, mask, closed.all());
  return made_array<int64_t>(vm, rt::DType::kInt64, first, [&](size_t i) {
    const int64_t from = within(vm, first[i], kFarthestDay, "day");
    const int64_t to = within(vm, last[i], kFarthestDay, "day");
    if (from == kNat || to == kNat) {
      vm.raise_value_error("Cannot compute a business day count with a NaT (not-a-time) date");
    }
    return from <= to ? calendar.count(from, to) : -calendar.count(to + 1, from + 1);
  });
}

Value is_busday(Interpreter& vm, const rt::Array& dates, const Value& mask,
                const rt::Array& holidays) {
  const Int64Values days(vm, dates), closed(vm, holidays);
  const Calendar calendar(vm, mask, closed.all());
  return made_array<bool>(vm, rt::DType::kBool, days, [&](size_t i) {
    return days[i] != kNat && calendar.is_business_day(days[i]);
  });
}

const Native kRows[] = {
    {"_busday_offset", "(days, offsets, roll, weekmask, holidays, /)", typed<busday_offset>,
     "Days moved by business days."},
    {"_busday_count", "(begins, ends, weekmask, holidays, /)", typed<busday_count>,
     "Business days between days."},
    {"_is_busday", "(days, weekmask, holidays, /)", typed<is_busday>,
     "Which days are business days."},
};

}  // namespace

std::span<const Native> business_day_rows() { return kRows; }

}  // namespace gpy::lib
