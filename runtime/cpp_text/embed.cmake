# cmake -DFILES=a.h;b.h -DOUT=x.cpp -P embed.cmake: the files' text, joined, as support_text().
set(text "")
foreach(file IN LISTS FILES)
  file(READ ${file} content)
  string(APPEND text "R\"GPYTEXT(${content})GPYTEXT\"\n")
endforeach()
file(WRITE ${OUT} "#include \"runtime/cpp_text/support_text.h\"

namespace gpy::rt {
std::string_view support_text() {
  static constexpr std::string_view kText =
${text};
  return kText;
}
}  // namespace gpy::rt
")
