# Direct solution of sparse systems by SuperLU (BSD-3-Clause), Debian's libsuperlu-dev. Without it
# splu and spsolve say that it is missing. Only its headers are needed here: it is opened at run time.
find_path(GPY_SUPERLU_INCLUDE slu_ddefs.h PATH_SUFFIXES superlu SuperLU)
if(GPY_SUPERLU_INCLUDE)
  target_sources(gpy_runtime PRIVATE ${CMAKE_CURRENT_LIST_DIR}/factors_by_superlu.cpp)
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/factors_by_superlu.cpp PROPERTIES
                              SKIP_PRECOMPILE_HEADERS ON
                              COMPILE_OPTIONS -isystem${GPY_SUPERLU_INCLUDE})
else()
  message(STATUS "Sparse direct solvers: none (libsuperlu-dev is not there)")
  target_sources(gpy_runtime PRIVATE ${CMAKE_CURRENT_LIST_DIR}/factors_absent.cpp)
endif()
