#include "parsing.h"

namespace gpy::syntax {
namespace {

TEST_CASE("positions count lines and characters from 1") {
  SourceFile source("a.gpy", "ab\nñé😀x\n\nz");
  CHECK_EQ(source.line_count(), 5);
  CHECK_EQ(source.position(0).column, 1);
  CHECK_EQ(source.position(2).column, 3);
  CHECK_EQ(source.line(2), "ñé😀x");
  auto x = static_cast<uint32_t>(source.text().find('x'));
  CHECK_EQ(source.position(x).line, 2);
  CHECK_EQ(source.position(x).column, 4);
  CHECK_EQ(source.position(x + 2).line, 3);
  CHECK_EQ(source.line_of(x + 3), 4);
  CHECK_EQ(source.line(3), "");
  CHECK_EQ(source.text().back(), '\n');
}

TEST_CASE("line ends and byte order mark") {
  SourceFile source("a.gpy", "\xEF\xBB\xBFx = 1\r\ny = 2\rz = 3");
  CHECK_EQ(source.text(), "x = 1\ny = 2\nz = 3\n");
  CHECK_EQ(dump_of("x = '''a\r\nb'''\r\n", {.positions = false}),
           dump_of("x = '''a\nb'''\n", {.positions = false}));
}

TEST_CASE("text that is no text") {
  CHECK_EQ(error_of(std::string("x = 1\ny = \0", 11)),
           "2:5 SyntaxError: source code cannot contain null bytes");
  const std::string kCannot = " SyntaxError: (unicode error) 'utf-8' codec can't decode byte ";
  CHECK_EQ(error_of("x = 1\ny = '\xFF'"),
           "2:6" + kCannot + "0xff in position 11: invalid start byte");
  CHECK_EQ(error_of("x = '\xED\xA0\x80'"),
           "1:6" + kCannot + "0xed in position 5: invalid continuation byte");
  CHECK_EQ(error_of("x = '\xE2'"),
           "1:6" + kCannot + "0xe2 in position 5: invalid continuation byte");
  CHECK_EQ(error_of("x = '\xC3"),
           "1:6" + kCannot + "0xc3 in position 5: invalid continuation byte");
}

TEST_CASE("an empty source is an empty module") {
  CHECK_EQ(dump_of(""), "Module\n");
  CHECK_EQ(dump_of("\n  \n# x\n"), "Module\n");
  CHECK_EQ(dump_of("   "), "Module\n");
}

}  // namespace
}  // namespace gpy::syntax
