// No program may crash the interpreter, corrupt its memory, or outlast its budget. The
// first byte says whether the others are a program's text or choose one (write_program.h). Built
// with clang and -DGPY_FUZZ=ON it is a libFuzzer target; with any compiler replay.cpp runs it over
// the corpus.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "src/interpreter.h"
#include "src/memory/limits.h"
#include "write_program.h"

namespace gpy::fuzz {
namespace {

constexpr Limits kLimits = {.steps = 20000, .seconds = 5, .memory = 64 << 20, .output = 1 << 20};

std::string program_of(const uint8_t* data, size_t size) {
  if (size == 0) return "";
  if (data[0] == '#') return std::string(reinterpret_cast<const char*>(data), size);
  return write_program({data, size});
}

// Any exception can be shown, and the interpreter goes on.
void run_twice(const std::string& text) {
  Interpreter vm;
  vm.out = vm.err = [](std::string_view) {};
  for (int turn = 0; turn < 2; ++turn) {
    vm.start(kLimits);
    try {
      vm.run_source(text, "fuzz.gpy", vm.main_module());
    } catch (const Raised& raised) {
      vm.render(raised);
    }
    vm.finish();
  }
}

}  // namespace
}  // namespace gpy::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text = gpy::fuzz::program_of(data, size);
  if (std::getenv("GPY_FUZZ_SHOW")) std::printf("%s\n", text.c_str());
  gpy::fuzz::run_twice(text);
  return 0;
}
