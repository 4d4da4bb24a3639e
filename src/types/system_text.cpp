#include "src/types/system_text.h"

#include "src/interpreter.h"
#include "src/types/text_codec.h"

namespace gpy {

Value text_from_system(Interpreter& vm, std::string_view bytes) {
  return vm.str(is_valid_utf8(bytes) ? std::string(bytes) : escape_bytes(bytes));
}

std::string bytes_for_system(Interpreter& vm, std::string_view text) {
  return encode_text(vm, text, "utf-8", "surrogateescape");
}

}  // namespace gpy
