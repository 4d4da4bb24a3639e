# The loops of this folder, and those of sorting, are compiled once per instruction set and chosen from at run time. No
# contraction, no fast-math: every instruction set gives the same bits in arithmetic.
file(GLOB loop_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp
     ${PROJECT_SOURCE_DIR}/runtime/cpu/sorting/loops/*.cpp)
set(loop_flags_base -O2)  # for machines older than 2013: not worth -O3's compile time
set(loop_flags_avx2 -O3 -mavx2 -mfma -mf16c)
set(loop_flags_avx512 ${loop_flags_avx2} -mavx512f -mavx512dq -mavx512bw -mavx512vl)
if(GPY_SANITIZE OR GPY_COVERAGE)
  foreach(isa base avx2 avx512)
    list(REMOVE_ITEM loop_flags_${isa} -O2 -O3)
  endforeach()
endif()
# These raise no flags that anyone reads, so their branches may become selects.
set_source_files_properties(
  ${CMAKE_CURRENT_LIST_DIR}/compare.cpp ${CMAKE_CURRENT_LIST_DIR}/logic.cpp
  ${CMAKE_CURRENT_LIST_DIR}/rounding.cpp ${CMAKE_CURRENT_LIST_DIR}/reduce_extremes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/reduce_logic.cpp ${CMAKE_CURRENT_LIST_DIR}/hypot_blocks.cpp
  PROPERTIES COMPILE_OPTIONS -fno-trapping-math)
foreach(isa base avx2 avx512)
  set(objects gpy_loops_${isa})
  add_library(${objects} OBJECT ${loop_sources})
  target_compile_options(${objects} PRIVATE ${loop_flags_${isa}})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # asked for vectors where there are none; bools combined without branches
    target_compile_options(${objects} PRIVATE -Wno-pass-failed -Wno-bitwise-instead-of-logical)
  endif()
  target_compile_definitions(${objects} PRIVATE GPY_ISA=${isa})
  gpy_floor(${objects} runtime)
  target_sources(gpy_runtime PRIVATE $<TARGET_OBJECTS:${objects}>)
endforeach()
