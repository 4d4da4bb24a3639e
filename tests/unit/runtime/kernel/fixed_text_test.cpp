#include "runtime/kernel/fixed_text.h"

#include <doctest/doctest.h>

namespace gpy::rt {

TEST_CASE("texts that include, embed or ask for files or the time are not fixed") {
  for (const char* source :
       {"#include <x.h>", "# include \"x.h\"", "  #\tinclude MACRO", "#/* */include <x>",
        "#\\\ninclude <x>", "%:include <x>", "#include_next <x>", "#import \"x\"", "#embed \"x\"",
        "asm(\".incbin \\\"x\\\"\");", "#if __has_include(<x>)\n#endif",
        "const char* s = __DATE__;", "int a = __TIME__[0];", "f(__TIMESTAMP__)"}) {
    CAPTURE(std::string(source));
    CHECK_FALSE(is_fixed_text(source));
  }
}

TEST_CASE("words that look like an include do not keep a text from being kept") {
  for (const char* source :
       {"", "#", "#define f(x) #x\n", "int include = 1;", "// #include <x>\n", "a ? b : include",
        "const char* s = \"#include\";", "#pragma unroll\n#if 1\n#endif", "x::include y", ":"}) {
    CAPTURE(std::string(source));
    CHECK(is_fixed_text(source));
    CHECK_FALSE(has_include(source));
  }
  CHECK(has_include("# include <x>"));
  CHECK_FALSE(has_include("__TIME__"));
}

}  // namespace gpy::rt
