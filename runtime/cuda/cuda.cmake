# The CUDA backend builds from the toolkit's headers alone: every library is opened at run time.
# Sets GPY_HAVE_CUDA (0 or 1) and, with 1, GPY_CUDA_INCLUDE.
set(GPY_HAVE_CUDA 0)
if(NOT GPY_CUDA STREQUAL "OFF")
  file(GLOB toolkits /usr/local/cuda /usr/local/cuda-* /opt/cuda)
  find_path(GPY_CUDA_INCLUDE NAMES cuda.h
    HINTS ENV GPY_CUDA_PATH ENV CUDA_HOME ENV CUDA_PATH ${CUDAToolkit_ROOT}
    PATHS ${toolkits}
    PATH_SUFFIXES include targets/x86_64-linux/include)
  set(missing "")
  foreach(header cuda.h nvrtc.h cublas_v2.h cusolverDn.h cufft.h)
    if(NOT EXISTS "${GPY_CUDA_INCLUDE}/${header}")
      list(APPEND missing ${header})
    endif()
  endforeach()
  if(NOT missing)
    set(GPY_HAVE_CUDA 1)
    message(STATUS "CUDA backend: on (headers in ${GPY_CUDA_INCLUDE})")
  elseif(GPY_CUDA STREQUAL "ON")
    message(FATAL_ERROR "GPY_CUDA=ON, but the toolkit's headers were not found: ${missing}. Set CUDA_HOME.")
  else()
    message(STATUS "CUDA backend: off (headers not found: ${missing}; set CUDA_HOME to build it)")
  endif()
else()
  message(STATUS "CUDA backend: off (GPY_CUDA=OFF)")
endif()

set(GPY_HAVE_CUDA ${GPY_HAVE_CUDA} CACHE INTERNAL "The CUDA backend is built")

# Kernel text is generated, and tested, without CUDA.
file(GLOB cuda_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/cuda/ahead/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/cuda/sorting/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/cuda/sparse/*.cpp)
file(GLOB cuda_text_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/text/*.cpp)
if(GPY_HAVE_CUDA)
  list(REMOVE_ITEM cuda_sources ${CMAKE_CURRENT_SOURCE_DIR}/cuda/absent.cpp)
else()
  set(cuda_sources ${CMAKE_CURRENT_SOURCE_DIR}/cuda/absent.cpp
                   ${CMAKE_CURRENT_SOURCE_DIR}/cuda/nvtx.cpp)
endif()

target_sources(gpy_runtime PRIVATE ${cuda_sources} ${cuda_text_sources})
target_compile_definitions(gpy_runtime PUBLIC GPY_HAVE_CUDA=${GPY_HAVE_CUDA})
if(GPY_HAVE_CUDA)
  target_include_directories(gpy_runtime SYSTEM PRIVATE ${GPY_CUDA_INCLUDE})
  include(GNUInstallDirs)
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/cuda/libraries.cpp PROPERTIES
    COMPILE_DEFINITIONS GPY_LIBRARY_FOLDER="../${CMAKE_INSTALL_LIBDIR}")
  include(cuda/ahead/kernels.cmake)
endif()
