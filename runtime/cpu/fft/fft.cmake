# Fourier transforms by ducc0 (BSD-3-Clause), whose source scripts/setup fetches, compiled once per
# instruction set like the loops. Without it they are Debian's kissfft's.
set(ducc0 ${PROJECT_SOURCE_DIR}/build/ducc0/src)
if(EXISTS ${ducc0}/ducc0/fft/fftnd_impl.h)
  foreach(isa base avx2)
    set(objects gpy_fft_${isa})
    add_library(${objects} OBJECT ${CMAKE_CURRENT_LIST_DIR}/lines_by_ducc0.cpp)
    set(fft_flags ${loop_flags_${isa}})
    list(REMOVE_ITEM fft_flags -mfma)  # nothing here fuses, and under sanitizers gcc takes minutes with it
    # Looked at access by access, ducc0's templates take g++ eleven minutes.
    if(GPY_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      list(APPEND fft_flags -fno-sanitize=undefined "SHELL:--param asan-instrument-reads=0"
           "SHELL:--param asan-instrument-writes=0" "SHELL:--param asan-stack=0")
    endif()
    target_compile_options(${objects} PRIVATE ${fft_flags})
    target_compile_definitions(${objects} PRIVATE GPY_ISA=${isa} DUCC0_NAMESPACE=gpy_ducc0_${isa}
                                                  DUCC0_NO_LOWLEVEL_THREADING)
    target_include_directories(${objects} SYSTEM PRIVATE ${ducc0})
    gpy_floor(${objects} runtime)
    target_sources(gpy_runtime PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
else()
  message(STATUS "Fourier transforms: kissfft (ducc0 is not in ${ducc0})")
  target_sources(gpy_runtime PRIVATE ${CMAKE_CURRENT_LIST_DIR}/lines_by_kissfft.cpp)
endif()
