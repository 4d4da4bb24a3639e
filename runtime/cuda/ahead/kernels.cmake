# The kernels of the sort and sparse families, compiled ahead of time where the toolkit has nvcc: a library of its own,
# with CUDA's runtime inside, which lies beside gpy and is opened when it is first needed.
set(GPY_CUDA_ARCHITECTURES 90 CACHE STRING
    "What the kernels compiled ahead of time are built for: 90, or a list such as 75;80;86;89;90;100;120")
find_program(GPY_NVCC nvcc HINTS ${GPY_CUDA_INCLUDE}/../bin ${GPY_CUDA_INCLUDE}/../../../bin)
if(NOT GPY_NVCC OR GPY_SANITIZE)
  message(STATUS "CUDA kernels: off (no nvcc, or a sanitizer)")
  return()
endif()
message(STATUS "CUDA kernels: for ${GPY_CUDA_ARCHITECTURES}")

set(flags -std=c++20 -O2 --compress-mode=size -Werror all-warnings -I${PROJECT_BINARY_DIR}/floors/runtime
    -ccbin ${CMAKE_CXX_COMPILER} -Xcompiler=-fPIC,-fvisibility=hidden,-ffp-contract=off)
foreach(architecture IN LISTS GPY_CUDA_ARCHITECTURES)
  list(APPEND flags -gencode arch=compute_${architecture},code=sm_${architecture})
endforeach()
set(launcher ${CMAKE_CXX_COMPILER_LAUNCHER})

file(GLOB kernel_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../sorting/*.cu
     ${CMAKE_CURRENT_LIST_DIR}/../sparse/*.cu)
set(objects "")
foreach(source IN LISTS kernel_sources)
  cmake_path(GET source STEM name)
  cmake_path(GET source PARENT_PATH family)
  cmake_path(GET family FILENAME family)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${family}_${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${launcher} ${GPY_NVCC} ${flags} -MD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d VERBATIM)
  list(APPEND objects ${object})
endforeach()

set(library ${PROJECT_BINARY_DIR}/libgpy_cuda_kernels.so)
add_custom_command(OUTPUT ${library}
  COMMAND ${GPY_NVCC} -shared -cudart static -ccbin ${CMAKE_CXX_COMPILER} ${objects} -o ${library}
          -Xcompiler=-static-libstdc++,-static-libgcc
          -Xlinker=--exclude-libs=ALL -Xlinker=--strip-all
  DEPENDS ${objects} VERBATIM)
add_custom_target(gpy_cuda_kernels ALL DEPENDS ${library})
install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
