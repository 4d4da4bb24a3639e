# What the build is for: the program build/gpy and the library, build/libgpy.a and .so.

# What a host program sees, over all four floors.
file(GLOB embed_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/embed/*.cpp)
add_library(gpy_host STATIC ${embed_sources})
target_link_libraries(gpy_host PUBLIC gpy_stdlib PRIVATE gpy_fmt)
set(GPY_FLOORS gpy_host gpy_stdlib gpy_lang gpy_syntax gpy_runtime)
get_target_property(fmt_kind gpy_fmt TYPE)
if(fmt_kind STREQUAL STATIC_LIBRARY)
  list(APPEND GPY_FLOORS gpy_fmt)
endif()

# The program can be carried to any x86-64 Linux: all but glibc is in it or opened at run time.
if(NOT GPY_SANITIZE)
  set(GPY_SELF_CONTAINED -static-libstdc++ -static-libgcc)
endif()

if(EXISTS ${PROJECT_SOURCE_DIR}/src/main.cpp)
  file(GLOB command_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/command/*.cpp
       ${PROJECT_SOURCE_DIR}/src/command/*/*.cpp)
  add_executable(gpy src/main.cpp ${command_sources})
  target_link_libraries(gpy PRIVATE gpy_stdlib gpy_fmt)
  # The line editor, and what it is made of.
  foreach(archive edit tinfo bsd md)
    find_library(GPY_LIB${archive} lib${archive}.a REQUIRED)
    list(APPEND GPY_LINE_EDITOR ${GPY_LIB${archive}})
  endforeach()
  target_link_libraries(gpy PRIVATE ${GPY_LINE_EDITOR})
  target_link_options(gpy PRIVATE ${GPY_SELF_CONTAINED} -Wl,--gc-sections)
  target_compile_definitions(gpy PRIVATE GPY_VERSION="${PROJECT_VERSION}")
  gpy_keep_counts(gpy)
endif()

# The floors in one archive.
set(archive ${PROJECT_BINARY_DIR}/libgpy.a)
set(script "create ${archive}\n")
foreach(floor ${GPY_FLOORS})
  string(APPEND script "addlib $<TARGET_FILE:${floor}>\n")
endforeach()
foreach(counters ${GPY_COUNTERS})
  string(APPEND script "addlib ${counters}\n")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/libgpy.mri CONTENT "${script}save\nend\n")
add_custom_command(
  OUTPUT ${archive}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
  COMMAND ${CMAKE_AR} -M < ${PROJECT_BINARY_DIR}/libgpy.mri
  DEPENDS ${GPY_FLOORS} ${PROJECT_BINARY_DIR}/libgpy.mri
  VERBATIM)
add_custom_target(gpy_archive ALL DEPENDS ${archive})

# The same as a shared library: only what is marked as API is seen from outside.
set(exported ${PROJECT_SOURCE_DIR}/scripts/exported.map)
file(WRITE ${PROJECT_BINARY_DIR}/shared.cpp "")
add_library(gpy_shared SHARED ${PROJECT_BINARY_DIR}/shared.cpp)
set_target_properties(gpy_shared PROPERTIES OUTPUT_NAME gpy LINK_DEPENDS ${exported})
target_link_options(gpy_shared PRIVATE LINKER:--version-script=${exported})
foreach(floor ${GPY_FLOORS})
  target_link_libraries(gpy_shared PRIVATE $<LINK_ONLY:${floor}>)
  target_link_options(gpy_shared PRIVATE
                      LINKER:--whole-archive $<TARGET_FILE:${floor}> LINKER:--no-whole-archive)
  add_dependencies(gpy_shared ${floor})
endforeach()

include(${CMAKE_CURRENT_LIST_DIR}/install.cmake)
