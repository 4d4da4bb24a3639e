#include "runtime/text/backslash_replace.h"

#include <doctest/doctest.h>

namespace gpy::rt {

TEST_CASE("what is UTF-8 stays, other bytes are written out") {
  CHECK(backslash_replace("plain\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") ==
        "plain\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(backslash_replace("\xff\xc3") == "\\xff\\xc3");
  CHECK(backslash_replace("\xc0\x80") == "\\xc0\\x80");           // too long a form
  CHECK(backslash_replace("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  CHECK(backslash_replace("\xf4\x90\x80\x80") ==
        "\\xf4\\x90\\x80\\x80");                         // beyond the last character
  CHECK(backslash_replace("\xe2\x82") == "\\xe2\\x82");  // cut
}

}  // namespace gpy::rt
