# Writes OUT: C++ that holds every .gpy file below ROOT as text. numpy/NAME.gpy and numpy/PART/NAME.gpy
# (PART: a folder, or several) are families of array functions, whose names are found here, and so are
# scipy/PART/NAME.gpy and cupyx/scipy/PART/NAME.gpy; every other file is registered as the module that
# it is.
# Run by stdlib/CMakeLists.txt when one of them changes.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.gpy)
list(SORT files)
set(code "")
set(modules "")
set(families "")
set(number 0)
foreach(file ${files})
  string(REGEX REPLACE "\\.gpy$" "" name ${file})
  file(READ ${ROOT}/${file} text)
  set(source "\"<gpy>/${file}\", R\"gpy(${text})gpy\"sv")
  if(name MATCHES "^(numpy|numpy/([a-z_/]+)|((cupyx/)?scipy/[a-z/]+))/[a-z][^/]*$")
    string(REPLACE "/" "." part "${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
    string(REGEX MATCHALL "\n(def|class) [a-zA-Z][a-zA-Z0-9_]*|\n[a-zA-Z][a-zA-Z0-9_]* = " found "${text}")
    set(names "")
    foreach(each ${found})
      string(REGEX REPLACE "\n(def |class )?| = " "" each "${each}")
      string(APPEND names "\"${each}\", ")
    endforeach()
    string(APPEND code "static constexpr std::string_view kNames${number}[] = {${names}};\n\n")
    string(APPEND families "    {\"${part}\", ${source}, kNames${number}},\n")
  else()
    set(is_package false)
    if(name MATCHES "/__init__$")
      string(REGEX REPLACE "/__init__$" "" name ${name})
      set(is_package true)
    endif()
    string(REPLACE "/" "." name ${name})
    string(APPEND code "static Value open_${number}(Interpreter& vm) {\n"
           "  return import_text(vm, {\"${name}\", ${source}, ${is_package}});\n}\n\n")
    string(APPEND modules "  vm.register_module(\"${name}\", open_${number});\n")
  endif()
  math(EXPR number "${number} + 1")
endforeach()
# help/MODULE/FAMILY.txt: pages on the functions of a module.
set(pages "")
file(GLOB helps RELATIVE ${ROOT} ${ROOT}/help/*/*.txt)
list(SORT helps)
foreach(file ${helps})
  string(REGEX REPLACE "^help/([^/]*)/.*$" "\\1" module ${file})
  file(READ ${ROOT}/${file} text)
  string(APPEND pages "    {\"${module}\", R\"gpy(${text})gpy\"sv},\n")
endforeach()
file(WRITE ${OUT} "#include \"src/modules/import.h\"\n#include \"src/interpreter.h\"\n"
     "#include \"stdlib/native/help_pages.h\"\n#include \"stdlib/native/modules.h\"\n#include \"stdlib/native/numpy/library.h\"\n\n"
     "using namespace std::string_view_literals;  // its length is known: no text is walked when compiled\n\n"
     "namespace gpy::lib {\n\n${code}"
     "void register_library_texts(Interpreter& vm) {\n${modules}}\n\n"
     "static constexpr FamilyText kFamilies[] = {\n${families}};\n\n"
     "std::span<const FamilyText> family_texts() { return kFamilies; }\n\n"
     "static constexpr HelpText kHelp[] = {\n${pages}};\n\n"
     "std::span<const HelpText> help_texts() { return kHelp; }\n\n}  // namespace gpy::lib\n")
