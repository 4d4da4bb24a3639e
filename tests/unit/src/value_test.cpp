// A native may read a value as the type that it has, and as nothing else.
#include "src/value.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "src/interpreter.h"
#include "src/objects/builtin.h"

namespace gpy {
namespace {

struct Cup : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
};
struct Plate : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
};
struct DeepPlate : Plate {
  using Base = Plate;
  using Plate::Plate;
};

TEST_CASE("a value is read as what it is alone") {
  Interpreter vm;
  const Value list = vm.list({Value::integer(1)});
  CHECK(list.as<List>()->items.size() == 1);
  CHECK_THROWS_AS(list.as<Str>(), std::logic_error);
  CHECK_THROWS_AS(list.as_integer(), std::logic_error);
  CHECK_THROWS_AS(Value::integer(1).as_real(), std::logic_error);
  CHECK_THROWS_AS(Value::real(1).as_integer(), std::logic_error);
  CHECK_THROWS_AS(Value::integer(1).as_boolean(), std::logic_error);
  CHECK_THROWS_AS(Value::none().as_object(), std::logic_error);
  CHECK(Value::boolean(true).as_integer() == 1);
}

TEST_CASE("C++ types that have a layout in common are told apart") {
  Interpreter vm;
  const Value cup = vm.make<Cup>(vm.make_type<Cup>({.name = "Cup"}));
  const Value plate = vm.make<Plate>(vm.make_type<Plate>({.name = "Plate"}));
  const Value deep = vm.make<DeepPlate>(vm.make_type<DeepPlate>({.name = "DeepPlate"}));
  CHECK(cup.is<Cup>());
  CHECK_FALSE(cup.is<Plate>());
  CHECK_FALSE(plate.is<DeepPlate>());
  CHECK(deep.is<Plate>());
  CHECK(deep.is<DeepPlate>());
  CHECK_THROWS_AS(cup.as<Plate>(), std::logic_error);
}

TEST_CASE("what a native misreads is a SystemError") {
  Interpreter vm;
  try {
    vm.list().as<Dict>();
    FAIL("a list passed for a dict");
  } catch (const std::logic_error&) {
    CHECK(vm.exception_from_native()->type == vm.types.system_error);
  }
}

}  // namespace
}  // namespace gpy
