#include "stdlib/native/numpy/date_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ctime>

namespace gpy::lib {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

// Takes minutes from a moment.
Moment earlier(const Moment& moment, int64_t minutes) {
  Moment moved = moment_of(count_of(moment, DateUnit::s) - minutes * 60, DateUnit::s);
  moved.attosecond = moment.attosecond;
  return moved;
}

class Parser {
 public:
  Parser(Interpreter& vm, std::string_view text) : vm_(vm), text_(text) {}

  ParsedDate parse() {
    while (more() && is_space(here())) ++at_;
    date();
    zone();
    return found_;
  }

 private:
  bool more() const { return at_ < text_.size(); }
  char here() const { return text_[at_]; }
  bool at_digit() const { return more() && is_digit(here()); }

  bool skip(char wanted) {
    if (!more() || here() != wanted) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail() {
    vm_.raise_value_error("Error parsing datetime string \"{}\" at position {}", text_, at_);
  }

  int two_digits() {
    if (text_.size() - at_ < 2 || !is_digit(text_[at_]) || !is_digit(text_[at_ + 1])) fail();
    at_ += 2;
    return (text_[at_ - 2] - '0') * 10 + text_[at_ - 1] - '0';
  }

  int part(std::string_view name, int least, int most) {
    const int value = two_digits();
    if (value < least || value > most) {
      vm_.raise_value_error("{} out of range in datetime string \"{}\"", name, text_);
    }
    return value;
  }

  void date() {
    const bool negative = skip('-');
    if (!negative) skip('+');
    if (!more()) fail();
    uint64_t year = 0;
    for (; at_digit(); ++at_) year = year * 10 + static_cast<uint64_t>(here() - '0');
    found_.moment.year = static_cast<int64_t>(negative ? 0 - year : year);
    if (!more()) return;
    if (!skip('-')) fail();
    found_.unit = DateUnit::M;
    found_.moment.month = part("Month", 1, 12);
    if (!more()) return;
    if (!skip('-')) fail();
    found_.unit = DateUnit::D;
    found_.moment.day = part("Day", 1, days_in_month(found_.moment.year, found_.moment.month));
    if (!more()) return;
    if (!skip('T') && !skip(' ')) fail();
    time();
  }

  void time() {
    found_.unit = DateUnit::h;
    found_.moment.second = part("Hours", 0, 23) * 3600;
    if (!skip(':')) return;
    found_.unit = DateUnit::m;
    found_.moment.second += part("Minutes", 0, 59) * 60;
    if (!skip(':')) return;
    found_.unit = DateUnit::s;
    found_.moment.second += part("Seconds", 0, 59);
    if (skip('.')) fraction();
  }

  void fraction() {
    int digits = 0;
    int64_t value = 0;
    for (; digits < 18 && at_digit(); ++digits, ++at_) value = value * 10 + (here() - '0');
    const int unit = static_cast<int>(DateUnit::ms) + std::max(digits - 1, 0) / 3;
    found_.unit = static_cast<DateUnit>(unit);
    for (; digits < 18; ++digits) value *= 10;
    found_.moment.attosecond = value;
  }

  void zone() {
    if (!more() || found_.unit < DateUnit::h) return;
    vm_.warn(vm_.types.user_warning,
             "no explicit representation of timezones available for np.datetime64");
    if (!skip('Z') && (here() == '+' || here() == '-')) offset();
    while (more() && is_space(here())) ++at_;
    if (more()) fail();
  }

  void offset() {
    const bool behind = here() == '-';
    ++at_;
    int minutes = part("Timezone hours offset", 0, 23) * 60;
    skip(':');
    if (at_digit()) minutes += part("Timezone minutes offset", 0, 59);
    found_.moment = earlier(found_.moment, behind ? -minutes : minutes);
  }

  Interpreter& vm_;
  std::string_view text_;
  size_t at_ = 0;
  ParsedDate found_;
};

// Local time's offset from UTC in minutes.
int64_t local_offset(std::time_t at) {
  std::tm local = {};
  localtime_r(&at, &local);
  return local.tm_gmtoff / 60;
}

ParsedDate now() { return {moment_of(std::time(nullptr), DateUnit::s), DateUnit::s}; }

ParsedDate today() {
  const std::time_t at = std::time(nullptr);
  Moment moment = moment_of(at + local_offset(at) * 60, DateUnit::s);
  moment.second = 0;
  return {moment, DateUnit::D};
}

// A number with zeros in front.
void put_number(std::string& text, int64_t number, int digits) {
  const size_t start = text.size();
  text.append(static_cast<size_t>(digits), '0');
  for (size_t at = text.size(); at-- > start; number /= 10) {
    text[at] = static_cast<char>('0' + number % 10);
  }
}

// A sign and two digits.
void put_part(std::string& text, char sign, int64_t number) {
  text += sign;
  put_number(text, number, 2);
}

}  // namespace

ParsedDate parse_date(Interpreter& vm, std::string_view text) {
  if (text.empty() || is_word(text, "nat")) return {{}, DateUnit::Y, true};
  if (is_word(text, "today")) return today();
  if (is_word(text, "now")) return now();
  return Parser(vm, text).parse();
}

std::string date_text(Moment moment, DateUnit unit, Zone zone) {
  int64_t offset = 0;
  if (zone == Zone::local) {
    offset = local_offset(static_cast<std::time_t>(count_of(moment, DateUnit::s)));
    moment = earlier(moment, -offset);
  }
  std::string text;
  if (moment.year >= 0 && moment.year <= 9999) {
    put_number(text, moment.year, 4);
  } else {
    text = fmt::format("{:04}", moment.year);
  }
  if (unit >= DateUnit::M) put_part(text, '-', moment.month);
  if (unit >= DateUnit::W) put_part(text, '-', moment.day);
  if (unit < DateUnit::h) return text;
  put_part(text, 'T', moment.second / 3600);
  if (unit >= DateUnit::m) put_part(text, ':', moment.second / 60 % 60);
  if (unit >= DateUnit::s) put_part(text, ':', moment.second % 60);
  if (unit > DateUnit::s) {
    const int digits = 3 * (static_cast<int>(unit) - static_cast<int>(DateUnit::s));
    int64_t dropped = 1;
    for (int i = digits; i < 18; ++i) dropped *= 10;
    text += '.';
    put_number(text, moment.attosecond / dropped, digits);
  }
  if (zone == Zone::utc) text += "Z";
  if (zone == Zone::local) {
    const int64_t size = offset < 0 ? -offset : offset;
    text += fmt::format("{}{:02}{:02}", offset < 0 ? '-' : '+', size / 60, size % 60);
  }
  return text;
}

}  // namespace gpy::lib
