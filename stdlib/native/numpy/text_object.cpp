#include "stdlib/native/numpy/text_object.h"

#include "src/array/arrays.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct TextObject : Object {
  static constexpr ObjectLayout kLayout = kBenchmarkLayout;
  TextObject(Type* type, std::string text) : Object(type), text(std::move(text)) {}
  std::string text;
};

std::string text_of(Interpreter&, const Value& self) { return self.as<TextObject>()->text; }

}  // namespace

Value make_text_object(Interpreter& vm, std::string text) {
  Type* type = kept_type(vm, "_Report", [&] {
    return vm.make_type<TextObject>(
        {.name = "Report", .module = "gpy", .slots = {.repr = text_of}});
  });
  return vm.make<TextObject>(type, std::move(text));
}

}  // namespace gpy::lib
