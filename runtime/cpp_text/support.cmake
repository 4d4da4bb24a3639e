# The support text of operations, which NVRTC and the system compiler read too. Two headers name the
# files and their order.
set(support_headers ${CMAKE_CURRENT_SOURCE_DIR}/ops/support.h
    ${CMAKE_CURRENT_SOURCE_DIR}/ops/support_draws.h)
set(support_includes "")
foreach(header IN LISTS support_headers)
  file(STRINGS ${header} includes REGEX "^#include \"runtime/")
  list(APPEND support_includes ${includes})
endforeach()
set(support_files "")
foreach(line IN LISTS support_includes)
  string(REGEX REPLACE "^#include \"runtime/(.*)\"$" "\\1" file "${line}")
  list(APPEND support_files ${CMAKE_CURRENT_SOURCE_DIR}/${file})
endforeach()

# embed_text(HEADER FUNCTION NAMESPACE FILES DEPENDS): a source file that defines what HEADER declares.
function(embed_text header function namespace files depends)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DOUT=${out} -DHEADER=${header}
            -DFUNCTION=${function} -DNAMESPACE=${namespace}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/cpp_text/embed.cmake
    DEPENDS ${files} ${depends} ${CMAKE_CURRENT_SOURCE_DIR}/cpp_text/embed.cmake
    VERBATIM)
  target_sources(gpy_runtime PRIVATE ${out})
endfunction()

embed_text(runtime/cpp_text/support_text.h support_text gpy::rt "${support_files}"
           "${support_headers}")
set(typed_files "")
foreach(name values words owned views records walk python_complex arrays joins picks folds lists maps instances
        draws parallel grid checks checked)
  list(APPEND typed_files ${CMAKE_CURRENT_SOURCE_DIR}/typed/support/${name}.h)
endforeach()
embed_text(runtime/typed/typed_text.h typed_text gpy::rt::typed "${typed_files}" "")
embed_text(runtime/host_kernel/shim_texts.h texture_support_text gpy::rt
           ${CMAKE_CURRENT_SOURCE_DIR}/host_kernel/texture_support.h "")
