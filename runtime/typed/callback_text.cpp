#include "runtime/typed/callback_text.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#include "runtime/cpp_text/names.h"
#include "runtime/kernel/generated.h"
#include "runtime/typed/walk.h"
#include "runtime/typed/write.h"

namespace gpy::rt::typed {

namespace {

// The call has a frame of its own; what it has allocated goes when it ends.
constexpr const char* kCallback = R"(
extern "C" int dprintf(int file, const char* format, ...);
static {result} {name}_function({parameters}) {{
  using namespace gpy_typed;
  CallFrame frame = {{}};
  frame.room = i64(~0ull >> 1);
  CallFrame* const outer = call_frame;
  call_frame = &frame;
  {declared}
  if (!__builtin_setjmp(frame.way_out)) {{
    {assigned}{symbol}({arguments}));
  }} else {{
    dprintf(2, "Exception ignored in '{title}', line %d\n", frame.line);
  }}
  while (Block* block = frame.blocks) {{
    frame.blocks = block->after;
    __builtin_free(block);
  }}
  __builtin_free(frame.printed);
  call_frame = outer;
  return{returned};
}}
__device__ void* {name} = (void*)&{name}_function;
)";

std::string number_type(const Type& type) {
  return fmt::format("{}::{}", kNamespace, cpp_type(type));
}

std::string parameter_type(const Type& type) {
  if (type.is_number()) return number_type(type);
  if (type.is_array() && type.rank == 1 && type.dense)
    return fmt::format("{}::{}*", kNamespace, cpp_memory_type_name(type.dtype));
  fail(ErrorKind::kType, "a function of C takes numbers and pointers, not {}", type_text(type));
}

bool prints(const Program& program) {
  bool found = false;
  for (const auto& function : program.functions) {
    each_statement(function->body, [&](const Statement& statement) {
      for (const Expression& value : statement.values)
        each_expression(value, [&](const Expression& each) {
          found = found || each.symbol.starts_with("print_");
        });
    });
  }
  return found;
}

}  // namespace

std::string callback_name(const Function& function) {
  return entry_name(function.name) + "_callback";
}

std::string callback_text(const Program& program, const Type& result) {
  const Function& function = *program.functions[0];
  if (prints(program))
    fail(ErrorKind::kNotImplemented, "'{}' prints, which a function of C does not here",
         function.name);
  std::string parameters, arguments;
  for (int i = 0; i < function.parameters; ++i) {
    const Type& type = function.variables[static_cast<size_t>(i)].type;
    const char* comma = i ? ", " : "";
    parameters += fmt::format("{}{} a{}", comma, parameter_type(type), i);
    arguments += type.is_number() ? fmt::format("{}a{}", comma, i)
                                  : fmt::format("{}array_over<{}, 1>((void*)a{}, i64(~0ull >> 1))",
                                                comma, cpp_memory_type_name(type.dtype), i);
  }
  const bool has_result = !result.is_none();
  const bool fits =
      has_result ? function.result.is_number() && result.is_number() : function.result.is_none();
  if (!fits)
    fail(ErrorKind::kType, "a function of C that returns {} cannot give {}", type_text(result),
         type_text(function.result));
  const std::string type = has_result ? number_type(result) : "void";
  return fmt::format(fmt::runtime(kCallback), fmt::arg("result", type),
                     fmt::arg("name", callback_name(function)), fmt::arg("parameters", parameters),
                     fmt::arg("declared", has_result ? type + " out = {};" : ""),
                     fmt::arg("assigned", has_result ? fmt::format("out = cast<{}>(", type) : "("),
                     fmt::arg("symbol", function.symbol), fmt::arg("arguments", arguments),
                     fmt::arg("title", function.name),
                     fmt::arg("returned", has_result ? " out" : ""));
}

}  // namespace gpy::rt::typed
