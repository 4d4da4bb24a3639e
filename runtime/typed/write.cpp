#include "runtime/typed/write.h"

#include <fmt/format.h>

#include "runtime/cpp_text/library_text.h"
#include "runtime/cpp_text/names.h"
#include "runtime/cpp_text/support_text.h"
#include "runtime/kernel/line_directives.h"
#include "runtime/typed/function_writer.h"
#include "runtime/typed/typed_text.h"

namespace gpy::rt::typed {

static std::string array_type(const Type& type) {
  const std::string view = fmt::format("{}<{}, {}>", type.dense ? "Dense" : "View",
                                       cpp_memory_type_name(type.dtype), type.rank);
  return type.owned ? "Owned<" + view + ">" : view;
}

std::string cpp_type(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kNone: return "void";
    case Type::Kind::kNumber: return std::string(cpp_type_name(type.dtype));
    case Type::Kind::kArray: return array_type(type);
    case Type::Kind::kList:
      return fmt::format("List<{}>", type.items.empty() ? "i64" : cpp_type(type.items[0]));
    case Type::Kind::kMap:
      if (type.items.empty()) return "Map<i64, i64>";
      break;
    case Type::Kind::kTuple:
    case Type::Kind::kInstance: break;
  }
  std::string items;
  for (const Type& item : type.items) items += (items.empty() ? "" : ", ") + cpp_type(item);
  const char* name = type.is_tuple() ? "Tuple" : type.is_map() ? "Map" : "Instance";
  return fmt::format("{}<{}>", name, items);
}

// What programs are written over.
static const LibraryText& library() {
  static const std::string text = std::string(support_text()) + std::string(typed_text());
  static const LibraryText library(text);
  return library;
}

std::string program_text(const Program& program, std::string_view behind, bool one_thread,
                         std::vector<std::string>* checked) {
  Rows rows;
  CppWriter functions;
  for (const auto& each : program.functions) functions.line("{};", FunctionWriter::head(*each));
  for (const auto& each : program.functions)
    FunctionWriter(functions, rows, program, *each, one_thread, checked).write();
  const std::string own = fmt::format("\n#line 1 \"{}\"\n{}\n#line 1 \"<functions>\"\n{}",
                                      kRowsFile, rows.take(), functions.take());
  std::string out = fmt::format("\n#line 1 \"{}\"\nnamespace {} {{\n", kSupportFile, kNamespace);
  out += "#define GPY_NO_EVENTS\n";
  out += library().used_by(own + std::string(behind));
  return out + own + "}\n#line 1 \"<generated>\"\n";
}

}  // namespace gpy::rt::typed
