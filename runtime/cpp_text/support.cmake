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
set(support_text ${CMAKE_CURRENT_BINARY_DIR}/support_text.cpp)
add_custom_command(OUTPUT ${support_text}
  COMMAND ${CMAKE_COMMAND} "-DFILES=${support_files}" -DOUT=${support_text}
          -P ${CMAKE_CURRENT_SOURCE_DIR}/cpp_text/embed.cmake
  DEPENDS ${support_files} ${support_headers}
          ${CMAKE_CURRENT_SOURCE_DIR}/cpp_text/embed.cmake
  VERBATIM)
target_sources(gpy_runtime PRIVATE ${support_text})
