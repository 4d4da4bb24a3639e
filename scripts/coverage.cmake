# GPY_COVERAGE: a build that counts the lines that run, for scripts/coverage.
option(GPY_COVERAGE "Count the lines that run" OFF)
if(NOT GPY_COVERAGE)
  function(gpy_keep_counts target)
  endfunction()
  return()
endif()

add_compile_options(-O1 --coverage)
add_link_options(--coverage)

# What counts, for hosts that link libgpy.a with the system's libraries alone.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgcov.a
                OUTPUT_VARIABLE GPY_COUNTERS OUTPUT_STRIP_TRAILING_WHITESPACE)

# The program and the tests' workers leave by _exit, and the prompt by a signal that it raises once
# more: both would lose the counts.
set(counts_source ${PROJECT_BINARY_DIR}/keep_counts.cpp)
file(CONFIGURE OUTPUT ${counts_source} CONTENT [==[
extern "C" {
void __gcov_dump();
[[noreturn]] void __real__exit(int code);
int __real_raise(int signal);

[[noreturn]] void __wrap__exit(int code);
void __wrap__exit(int code) {
  __gcov_dump();
  __real__exit(code);
}
int __wrap_raise(int signal);
int __wrap_raise(int signal) {
  __gcov_dump();
  return __real_raise(signal);
}
}
]==] @ONLY)
function(gpy_keep_counts target)
  target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/keep_counts.cpp)
  target_link_options(${target} PRIVATE LINKER:--wrap=_exit LINKER:--wrap=raise)
endfunction()
