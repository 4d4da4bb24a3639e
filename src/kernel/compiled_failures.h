#pragma once
// What a compiled function has raised and printed, as the script's.

#include <span>

#include "runtime/typed/compiled_function.h"
#include "src/interpreter.h"
#include "src/translate/translation.h"

namespace gpy {

// The exception, with the line of the script that raised it in its traceback.
[[noreturn]] void raise_failure(Interpreter& vm, const ProgramValues& values,
                                const rt::typed::Raised& raised);

void print_all(Interpreter& vm, const ProgramValues& values,
               std::span<const rt::typed::Printed> printed);

// A function that cannot be translated: Numba's TypingError.
[[noreturn]] void raise_typing_error(Interpreter& vm, std::string_view message);
// An error of numba.core.errors, by its name.
[[noreturn]] void raise_numba_error(Interpreter& vm, std::string_view name,
                                    std::string_view message);

}  // namespace gpy
