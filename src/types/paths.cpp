#include "src/types/paths.h"

#include "src/interpreter.h"
#include "src/types/system_text.h"

namespace gpy {

Value fs_path(Interpreter& vm, const Value& path) {
  if (path.is<Str>() || path.is<Bytes>()) return path;
  Value method = vm.try_get_attribute(path, vm.intern("__fspath__"));
  if (method.is_undefined()) {
    vm.raise_type_error("expected str, bytes or os.PathLike object, not {}", vm.type_name(path));
  }
  Value text = vm.call(method);
  if (text.is<Str>() || text.is<Bytes>()) return text;
  vm.raise_type_error("expected {}.__fspath__() to return str or bytes, not {}", vm.type_name(path),
                      vm.type_name(text));
}

std::string path_text(Interpreter& vm, const Value& path) {
  Value text = fs_path(vm, path);
  std::string name =
      text.is<Str>() ? bytes_for_system(vm, text.as<Str>()->view()) : text.as<Bytes>()->data;
  if (name.find('\0') != name.npos) vm.raise_value_error("embedded null byte");
  return name;
}

}  // namespace gpy
