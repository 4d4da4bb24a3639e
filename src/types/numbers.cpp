#include "src/types/number_types.h"

#include "src/types/setup.h"

namespace gpy {

void setup_numbers(Interpreter& vm) {
  setup_int(vm);
  setup_bool(vm);
  setup_float(vm);
  setup_complex(vm);
}

}  // namespace gpy
