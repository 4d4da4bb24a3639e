#include "stdlib/native/numpy/checked.h"

#include "src/array/arrays.h"
#include "src/array/convert.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct CheckScope : Object {
  static constexpr ObjectLayout kLayout = kCheckScopeLayout;
  CheckScope(Type* type, rt::KernelChecks wanted) : Object(type), wanted(wanted) {}
  rt::KernelChecks wanted;
  std::vector<rt::KernelChecks> before;  // one for each entry that is open
};

Value enter(Interpreter& vm, const Value& self) {
  auto* scope = self.as<CheckScope>();
  rt::KernelChecks& current = session(vm).kernel_checks;
  scope->before.push_back(current);
  current = scope->wanted;
  return self;
}

bool leave(Interpreter& vm, const Value& self, const Value&) {
  auto* scope = self.as<CheckScope>();
  if (scope->before.empty()) return false;
  session(vm).kernel_checks = scope->before.back();
  scope->before.pop_back();
  return false;
}

Type* scope_type(Interpreter& vm) {
  return kept_type(vm, "_checked", [&] {
    return vm.make_type<CheckScope>(
        {.name = "checked", .module = "gpy", .slots = {.enter = enter, .exit = leave}});
  });
}

}  // namespace

Value checked(Interpreter& vm, bool on, bool nan) {
  return vm.make<CheckScope>(scope_type(vm), rt::KernelChecks{on, on, on && nan});
}

}  // namespace gpy::lib
