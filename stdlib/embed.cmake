# Writes OUT: C++ that holds every .gpy file below ROOT as text, and a function that registers each as
# the module that it is. Run by stdlib/CMakeLists.txt when one of them changes.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.gpy)
list(SORT files)
set(loaders "")
set(rows "")
set(number 0)
foreach(file ${files})
  string(REGEX REPLACE "\\.gpy$" "" name ${file})
  set(is_package false)
  if(name MATCHES "/__init__$")
    string(REGEX REPLACE "/__init__$" "" name ${name})
    set(is_package true)
  endif()
  string(REPLACE "/" "." name ${name})
  file(READ ${ROOT}/${file} text)
  string(APPEND loaders "static Value open_${number}(Interpreter& vm) {\n"
         "  return import_text(vm, {\"${name}\", \"<gpy>/${file}\", R\"gpy(${text})gpy\", ${is_package}});\n}\n\n")
  string(APPEND rows "  vm.register_module(\"${name}\", open_${number});\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "#include \"src/modules/import.h\"\n#include \"src/interpreter.h\"\n"
     "#include \"stdlib/native/modules.h\"\n\nnamespace gpy::lib {\n\n${loaders}"
     "void register_library_texts(Interpreter& vm) {\n${rows}}\n\n}  // namespace gpy::lib\n")
