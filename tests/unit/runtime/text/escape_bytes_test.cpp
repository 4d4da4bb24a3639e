#include "runtime/text/escape_bytes.h"

#include <doctest/doctest.h>

namespace gpy::rt {

TEST_CASE("what is UTF-8 stays, other bytes are written out") {
  CHECK(escape_bytes("plain\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") ==
        "plain\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(escape_bytes("\xff\xc3") == "\\xff\\xc3");
  CHECK(escape_bytes("\xc0\x80") == "\\xc0\\x80");                    // too long a form
  CHECK(escape_bytes("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // a surrogate
  CHECK(escape_bytes("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond the last character
  CHECK(escape_bytes("\xe2\x82") == "\\xe2\\x82");                    // cut
}

}  // namespace gpy::rt
