// What arrays of dates (stdlib/numpy/kinds) need of C++: text, the calendar. A unit is its number
// in DateUnit, the counts of texts have one axis.
#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/elementwise.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/date_text.h"
#include "stdlib/native/numpy/kinds.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/text/ascii_rows.h"

namespace gpy::lib {

namespace {

std::span<const Value> texts_in(const Value& list) { return list.as<List>()->items; }

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
  const rt::Array dense = rt::copy(session(vm), counts, 'C');
  const rt::HostRead read(session(vm), dense);
  const auto* values = reinterpret_cast<const int64_t*>(read.data());
  return counts_array(vm, dense.shape(), static_cast<size_t>(dense.size()),
                      [&](size_t i) { return values[i] == kNat ? kNat : change(values[i]); });
}

// (counts of a unit, the number of the unit). A unit of -1 stands for the finest that a text names;
// if none does, it stays -1.
Value parse_dates(Interpreter& vm, const Value& list, int64_t unit) {
  std::vector<ParsedDate> dates;
  InterruptPoll poll(vm);
  const bool is_open = unit < 0;
  for (const Value& each : texts_in(list)) {
    poll.step();
    dates.push_back(parse_date(vm, text_in(each)));
    const ParsedDate& date = dates.back();
    if (is_open && !date.is_nat) unit = std::max(unit, static_cast<int64_t>(date.unit));
  }
  const auto counted = static_cast<DateUnit>(std::max<int64_t>(unit, 0));
  const rt::Dims shape{static_cast<int64_t>(dates.size())};
  const Value counts = counts_array(vm, shape, dates.size(), [&](size_t i) {
    return dates[i].is_nat ? kNat : count_of(dates[i].moment, counted);
  });
  return vm.tuple({counts, Value::integer(unit)});
}

// The same of rows of text, in their shape.
Value parse_date_rows(Interpreter& vm, const rt::Array& rows, int64_t unit) {
  RowLoop<1, 0> loop(vm, {rows});
  std::vector<ParsedDate> dates;
  std::string buffer;
  const bool is_open = unit < 0;
  loop.run([&](auto text) {
    append_item(vm, dates, parse_date(vm, as_utf8(text, buffer)));
    const ParsedDate& date = dates.back();
    if (is_open && !date.is_nat) unit = std::max(unit, static_cast<int64_t>(date.unit));
  });
  const auto counted = static_cast<DateUnit>(std::max<int64_t>(unit, 0));
  rt::Dims shape = rows.shape();
  shape.erase(shape.size() - 1);
  const Value counts = counts_array(vm, shape, dates.size(), [&](size_t i) {
    return dates[i].is_nat ? kNat : count_of(dates[i].moment, counted);
  });
  return vm.tuple({counts, Value::integer(unit)});
}

// Rows of the texts of counts of a unit: see date_texts.
Value date_text_rows(Interpreter& vm, const rt::Array& counts, int64_t unit, int64_t shown,
                     int64_t zone, int64_t width, bool of_bytes) {
  const rt::Array dense = rt::copy(session(vm), counts, 'C');
  const rt::HostRead read(session(vm), dense);
  const auto* values = reinterpret_cast<const int64_t*>(read.data());
  std::string text;
  return ascii_rows(vm, dense.shape(), width, of_bytes, [&](int64_t i) -> std::string_view {
    if (values[i] == kNat) return "NaT";
    text = date_text(moment_of(values[i], static_cast<DateUnit>(unit)),
                     static_cast<DateUnit>(shown), static_cast<Zone>(zone));
    return text;
  });
}

// The texts of counts of a unit, written as far as another unit. `zone`: 0 none, 1 UTC, 2 local.
Value date_texts(Interpreter& vm, const rt::Array& counts, int64_t unit, int64_t shown,
                 int64_t zone) {
  const rt::Array dense = rt::copy(session(vm), counts, 'C');
  const rt::HostRead read(session(vm), dense);
  const auto* values = reinterpret_cast<const int64_t*>(read.data());
  std::vector<Value> texts;
  InterruptPoll poll(vm);
  const int64_t count = dense.size();
  for (int64_t i = 0; i < count; ++i) {
    poll.step();
    texts.push_back(vm.str(values[i] == kNat
                               ? "NaT"
                               : date_text(moment_of(values[i], static_cast<DateUnit>(unit)),
                                           static_cast<DateUnit>(shown), static_cast<Zone>(zone))));
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
  const auto of = static_cast<DateUnit>(unit);
  return vm.str(count == kNat ? "NaT" : date_text(moment_of(count, of), of, Zone::none));
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
