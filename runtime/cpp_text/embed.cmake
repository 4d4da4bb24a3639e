# cmake -DFILES=a.h;b.h -DOUT=x.cpp -DHEADER=... -DFUNCTION=... -DNAMESPACE=... -P embed.cmake: the files' text,
# joined, as NAMESPACE::FUNCTION().
set(text "")
foreach(file IN LISTS FILES)
  file(READ ${file} content)
  string(APPEND text "R\"GPYTEXT(${content})GPYTEXT\"\n")
endforeach()
file(WRITE ${OUT} "#include \"${HEADER}\"

namespace ${NAMESPACE} {
std::string_view ${FUNCTION}() {
  static constexpr std::string_view kText =
${text};
  return kText;
}
}  // namespace ${NAMESPACE}
")
