// What arrays of dates (stdlib/numpy/kinds) need of C++: text, the calendar. A unit is its number
// in DateUnit, the counts of texts have one axis.
#include "runtime/graph/make_node.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/date_text.h"
#include "stdlib/native/numpy/kind_arguments.h"
#include "stdlib/native/numpy/kinds.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/text/ascii_rows.h"

namespace gpy::lib {

namespace {

std::string_view text_in(const Value& value) { return value.as<Str>()->view(); }

// An array of counts, the i-th of which `count(i)` gives.
template <class Count>
Value counts_array(Interpreter& vm, const rt::Dims& shape, size_t size, Count&& count) {
  InterruptPoll poll(vm);
  auto fill = [&](std::byte* memory) {
    auto* counts = reinterpret_cast<int64_t*>(memory);
    for (size_t i = 0; i < size; ++i) {
      poll.step();
      counts[i] = count(i);
    }
  };
  return wrap_array(
      vm, rt::make_filled(session(vm), rt::DType::kInt64, shape, rt::Space::host(), fill));
}

Value mapped(Interpreter& vm, const rt::Array& counts, int64_t (*change)(int64_t)) {
  const Int64Values given(vm, counts);
  return counts_array(vm, given.shape(), given.size(),
                      [&](size_t i) { return given[i] == kNat ? kNat : change(given[i]); });
}

// What texts say, and the unit of their counts. A unit of -1 stands for the finest that a text
// names; if none does, it stays -1.
class ParsedDates {
 public:
  ParsedDates(Interpreter& vm, int64_t unit) : vm_(vm), unit_(unit), is_open_(unit < 0) {
    if (!is_open_) date_unit(vm, unit);
  }

  void add(std::string_view text) {
    append_item(vm_, dates_, parse_date(vm_, text));
    const ParsedDate& date = dates_.back();
    if (is_open_ && !date.is_nat) unit_ = std::max(unit_, static_cast<int64_t>(date.unit));
  }

  // (counts of the unit, the number of the unit)
  Value counted(const rt::Dims& shape) const {
    const auto unit = static_cast<DateUnit>(std::max<int64_t>(unit_, 0));
    const Value counts = counts_array(vm_, shape, dates_.size(), [&](size_t i) {
      return dates_[i].is_nat ? kNat : count_of(dates_[i].moment, unit);
    });
    return vm_.tuple({counts, Value::integer(unit_)});
  }

  size_t size() const { return dates_.size(); }

 private:
  Interpreter& vm_;
  std::vector<ParsedDate> dates_;
  int64_t unit_;
  bool is_open_;
};

Value parse_dates(Interpreter& vm, const Value& list, int64_t unit) {
  ParsedDates dates(vm, unit);
  InterruptPoll poll(vm);
  for (const Value& each : listed(vm, list)) {
    poll.step();
    dates.add(text_in(each));
  }
  return dates.counted({static_cast<int64_t>(dates.size())});
}

// The same of rows of text, in their shape.
Value parse_date_rows(Interpreter& vm, const rt::Array& rows, int64_t unit) {
  ParsedDates dates(vm, unit);
  RowLoop<1, 0> loop(vm, {rows});
  std::string buffer;
  loop.run([&](auto text) { dates.add(as_utf8(text, buffer)); });
  rt::Dims shape = rows.shape();
  shape.erase(shape.size() - 1);
  return dates.counted(shape);
}

// Counts of a unit as texts, written as far as another unit.
struct DateWriter {
  DateUnit unit, shown;
  Zone zone;

  DateWriter(Interpreter& vm, int64_t unit, int64_t shown, int64_t zone)
      : unit(date_unit(vm, unit)), shown(date_unit(vm, shown)), zone(static_cast<Zone>(zone)) {}

  std::string text(int64_t count) const {
    return count == kNat ? "NaT" : date_text(moment_of(count, unit), shown, zone);
  }
};

// Rows of the texts of counts of a unit: see date_texts.
Value date_text_rows(Interpreter& vm, const rt::Array& counts, int64_t unit, int64_t shown,
                     int64_t zone, int64_t width, bool of_bytes) {
  const DateWriter writer(vm, unit, shown, zone);
  const Int64Values given(vm, counts);
  std::string text;
  return ascii_rows(vm, given.shape(), width, of_bytes, [&](int64_t i) -> std::string_view {
    return text = writer.text(given[static_cast<size_t>(i)]);
  });
}

// The texts of counts of a unit, written as far as another unit. `zone`: 0 none, 1 UTC, 2 local.
Value date_texts(Interpreter& vm, const rt::Array& counts, int64_t unit, int64_t shown,
                 int64_t zone) {
  const DateWriter writer(vm, unit, shown, zone);
  const Int64Values given(vm, counts);
  std::vector<Value> texts;
  InterruptPoll poll(vm);
  for (int64_t count : given.all()) {
    poll.step();
    append_item(vm, texts, vm.str(writer.text(count)));
  }
  return vm.list(std::move(texts));
}

Value parse_one_date(Interpreter& vm, std::string_view text) {
  const ParsedDate date = parse_date(vm, text);
  if (date.is_nat) return vm.tuple({Value::integer(kNat), Value::integer(-1)});
  return vm.tuple({Value::integer(count_of(date.moment, date.unit)),
                   Value::integer(static_cast<int64_t>(date.unit))});
}

Value one_date_text(Interpreter& vm, int64_t count, int64_t unit) {
  return vm.str(DateWriter(vm, unit, unit, 0).text(count));
}

Value month_days(Interpreter& vm, const rt::Array& months) {
  return mapped(vm, months, days_of_months);
}

Value day_months(Interpreter& vm, const rt::Array& days) {
  return mapped(vm, days, months_of_days);
}

const Native kRows[] = {
    {"_parse_dates", "(texts, unit, /)", typed<parse_dates>,
     "(counts of a unit, the unit) of a list of texts."},
    {"_date_texts", "(counts, unit, shown, zone, /)", typed<date_texts>,
     "A list of the texts of counts."},
    {"_parse_date_rows", "(rows, unit, /)", typed<parse_date_rows>,
     "(counts of a unit, the unit) of rows of text."},
    {"_date_text_rows", "(counts, unit, shown, zone, width, of_bytes, /)", typed<date_text_rows>,
     "Rows of the texts of counts."},
    {"_parse_one_date", "(text, /)", typed<parse_one_date>,
     "(count, unit) of a text; the unit is -1 for NaT."},
    {"_one_date_text", "(count, unit, /)", typed<one_date_text>, "The text of a count of a unit."},
    {"_month_days", "(months, /)", typed<month_days>, "The days on which months begin."},
    {"_day_months", "(days, /)", typed<day_months>, "The months in which days lie."},
};

}  // namespace

std::span<const Native> date_rows() { return kRows; }

}  // namespace gpy::lib
