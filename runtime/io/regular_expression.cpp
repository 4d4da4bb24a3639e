#include "runtime/io/regular_expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/system_library.h"

namespace gpy::rt {
namespace {

struct Pcre2 : SystemLibrary {
  decltype(&::pcre2_compile_8) compile;
  decltype(&::pcre2_code_free_8) free_code;
  decltype(&::pcre2_match_data_create_from_pattern_8) make_data;
  decltype(&::pcre2_match_data_free_8) free_data;
  decltype(&::pcre2_match_8) match;
  decltype(&::pcre2_get_ovector_pointer_8) ends_of;
  decltype(&::pcre2_get_ovector_count_8) count_of;
  decltype(&::pcre2_get_error_message_8) message_of;

  Pcre2() : SystemLibrary("libpcre2-8.so.0") {
    find("pcre2_compile_8", compile);
    find("pcre2_code_free_8", free_code);
    find("pcre2_match_data_create_from_pattern_8", make_data);
    find("pcre2_match_data_free_8", free_data);
    find("pcre2_match_8", match);
    find("pcre2_get_ovector_pointer_8", ends_of);
    find("pcre2_get_ovector_count_8", count_of);
    find("pcre2_get_error_message_8", message_of);
  }
};

const Pcre2& pcre2() {
  static const Pcre2 opened;
  if (!opened.is_whole()) {
    fail(ErrorKind::kNotImplemented,
         "regular expressions need PCRE2 (libpcre2-8.so.0), which this system lacks");
  }
  return opened;
}

std::string message_of(int code) {
  std::string text(256, '\0');
  const int length =
      pcre2().message_of(code, reinterpret_cast<PCRE2_UCHAR8*>(text.data()), text.size());
  text.resize(length > 0 ? length : 0);
  return text;
}

struct FreeData {
  void operator()(pcre2_match_data_8* data) const { pcre2().free_data(data); }
};

PCRE2_SPTR8 units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR8>(text.data()); }

}  // namespace

RegularExpression::RegularExpression(std::string_view pattern, Units made_of) {
  int error = 0;
  PCRE2_SIZE place = 0;
  const uint32_t options = made_of == Units::kCharacters ? PCRE2_UTF | PCRE2_UCP : 0;
  code_ = pcre2().compile(units(pattern), pattern.size(), options, &error, &place, nullptr);
  if (!code_) {
    fail(ErrorKind::kValue, "no regular expression: {} at position {}", message_of(error), place);
  }
}

RegularExpression::~RegularExpression() { pcre2().free_code(code_); }

void RegularExpression::for_each_match(std::string_view text, const Found& found) const {
  const std::unique_ptr<pcre2_match_data_8, FreeData> data(pcre2().make_data(code_, nullptr));
  if (!data) fail(ErrorKind::kMemory, "no memory to match a regular expression");
  std::vector<std::string_view> texts(pcre2().count_of(data.get()));
  const PCRE2_SIZE* const ends = pcre2().ends_of(data.get());
  PCRE2_SIZE from = 0;
  uint32_t options = 0;
  while (true) {
    poll_interrupt();
    const int matched =
        pcre2().match(code_, units(text), text.size(), from, options, data.get(), nullptr);
    if (matched == PCRE2_ERROR_NOMATCH) return;
    if (matched < 0) fail(ErrorKind::kValue, "regular expression: {}", message_of(matched));
    for (size_t i = 0; i < texts.size(); ++i) {
      const PCRE2_SIZE begin = ends[2 * i], end = ends[2 * i + 1];
      texts[i] = begin == PCRE2_UNSET || end < begin ? std::string_view()
                                                     : text.substr(begin, end - begin);
    }
    found(texts);
    // After an empty match the next one, here, may not be empty too. One that a \K has moved back
    // brings no progress: there is no more to be found. The text is known to be UTF-8.
    const bool empty = ends[0] == ends[1];
    if (ends[1] < from || (ends[1] == from && (!empty || options & PCRE2_NOTEMPTY_ATSTART))) return;
    options = PCRE2_NO_UTF_CHECK | (empty ? PCRE2_NOTEMPTY_ATSTART : 0);
    from = ends[1];
  }
}

}  // namespace gpy::rt
