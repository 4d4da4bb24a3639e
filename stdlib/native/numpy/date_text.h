#pragma once
// ISO 8601 as NumPy reads and writes it.

#include <string>
#include <string_view>

#include "src/interpreter.h"
#include "stdlib/native/numpy/calendar.h"

namespace gpy::lib {

// What a text says; a text of NaT has no unit and is_nat.
struct ParsedDate {
  Moment moment;
  DateUnit unit = DateUnit::Y;  // the finest that the text names
  bool is_nat = false;
};

// "2020-03", "2020-03-01T05:06:07.89", "NaT", "today", "now"; ValueError for other texts. Warns
// where a text names a time zone.
ParsedDate parse_date(Interpreter& vm, std::string_view text);

enum class Zone { none, utc, local };

// Written as far as the unit.
std::string date_text(Moment moment, DateUnit unit, Zone zone);

}  // namespace gpy::lib
