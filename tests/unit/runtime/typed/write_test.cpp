// The typed form as text: what both compilers read.

#include "runtime/typed/write.h"

#include <doctest/doctest.h>

#include "runtime/host_kernel/user_source.h"
#include "runtime/typed/grid_function.h"

#if GPY_HAVE_CUDA
#include "runtime/cuda/nvrtc.h"
#endif

namespace gpy::rt::typed {
namespace {

const Type kDouble = Type::number(DType::kFloat64);
const Type kInt = Type::number(DType::kInt64);

Expression row(Row which, std::vector<Expression> args) {
  Expression out;
  out.kind = Expression::Kind::kRow;
  out.ufunc = &ufunc(which);
  std::vector<DType> types;
  for (const Expression& each : args) types.push_back(each.type.dtype);
  out.loop = static_cast<int>(resolve(*out.ufunc, types) - out.ufunc->loops.data());
  out.type = Type::number(out.ufunc->loops[static_cast<size_t>(out.loop)].out);
  out.args = std::move(args);
  return out;
}

Expression element(const Expression& array, const Expression& index) {
  Expression out;
  out.kind = Expression::Kind::kElement;
  out.type = Type::number(array.type.dtype);
  out.args = {array, index};
  return out;
}

Statement assign(int variable, Expression value) {
  Statement out;
  out.kind = Statement::Kind::kAssign;
  out.line = 3;
  out.variable = variable;
  out.values = {std::move(value)};
  return out;
}

// The sum of a[k] * s over k in range(n), stored into a[0].
Program summing() {
  Program program;
  auto function = std::make_unique<Function>();
  function->name = "summing";
  function->symbol = "f0";
  function->file = "a \"file\".gpy";
  function->variables = {{"a", Type::array(DType::kFloat64, 1, true)},
                         {"s", kDouble},
                         {"n", kInt},
                         {"k", kInt},
                         {"total", kDouble}};
  function->parameters = 3;
  const auto variable = [&](int i) {
    return Expression::variable(i, function->variables[static_cast<size_t>(i)].type);
  };
  Statement loop;
  loop.kind = Statement::Kind::kRange;
  loop.variable = 3;
  loop.values = {Expression::constant(Scalar::strong(int64_t{0})), variable(2),
                 Expression::constant(Scalar::strong(int64_t{1}))};
  loop.body = {assign(
      4, row(Row::add,
             {variable(4), row(Row::multiply, {element(variable(0), variable(3)), variable(1)})}))};
  Statement store;
  store.kind = Statement::Kind::kStore;
  store.values = {element(variable(0), Expression::constant(Scalar::strong(int64_t{0}))),
                  variable(4)};
  function->body = {loop, store};
  program.functions.push_back(std::move(function));
  return program;
}

}  // namespace

TEST_CASE("types as C++") {
  CHECK(cpp_type(Type()) == "void");
  CHECK(cpp_type(Type::number(DType::kBool)) == "bool");
  CHECK(cpp_type(Type::array(DType::kBool, 2, true)) == "Dense<u8, 2>");
  CHECK(cpp_type(Type::tuple({kInt, Type::array(DType::kFloat32, 1, false)})) ==
        "Tuple<i64, View<f32, 1>>");
}

TEST_CASE("types as words of messages and of keys") {
  const Type weak = Type::number(DType::kFloat64, Weak::kFloat);
  CHECK(type_text(Type::tuple({weak, kDouble})) == "(float, float64)");
  CHECK(type_text(Type::array(DType::kInt8, 1, true)) == "array of int8 (1 axis)");
  CHECK(type_key(weak) != type_key(kDouble));
  CHECK(type_key(Type::array(DType::kInt8, 1, true)) !=
        type_key(Type::array(DType::kInt8, 1, false)));
}

TEST_CASE("statements name their lines") {
  const std::string text = program_text(summing(), "");
  CHECK(text.find("GPY_FUNCTION void f0(Dense<f64, 1> v0, f64 v1, i64 v2) {") != text.npos);
  CHECK(text.find("#line 3 \"a \\\"file\\\".gpy\"\n") != text.npos);
  CHECK(text.find("v0.at(i64(0x0ull)) = v4;") != text.npos);
}

TEST_CASE("functions do not name what threads meet at: they run on their caller's stack") {
  CHECK_FALSE(read_source(program_text(summing(), ""), "f").meets);
}

TEST_CASE("accesses that are checked have the number of their array's name") {
  std::vector<std::string> names;
  const std::string text = program_text(summing(), "", false, &names);
  CHECK(text.find("checked_at(v0, AccessPlace(0), i64(0x0ull)) = v4;") != text.npos);
  CHECK(names == std::vector<std::string>{"a"});
}

TEST_CASE("operands with effects are computed from left to right") {
  Program program = summing();
  Function& function = *program.functions[0];
  Expression first = Expression::variable(1, kDouble), second = first;
  first.effects = second.effects = true;
  Expression sum = row(Row::add, {first, second});
  function.body = {assign(4, sum)};
  const std::string text = program_text(program, "");
  CHECK(text.find("v4 = [&] { const f64 t0_0 = v1; const f64 t0_1 = v1; return row_add_") !=
        text.npos);
}

#if GPY_HAVE_CUDA
TEST_CASE("NVRTC compiles the typed form") {
  std::string why_not;
  const auto nvrtc = cuda::Nvrtc::open(0, &why_not);
  if (!nvrtc) {
    MESSAGE("skipped: " << why_not);
    return;
  }
  const std::vector<std::string> options = {"--gpu-architecture=sm_90", "--std=c++17"};
  const auto result = nvrtc->compile(GridFunction(summing(), true, {}).source(), "typed", options);
  CHECK_MESSAGE(result.ok, result.log.substr(0, 4000));
  CHECK(result.code.size() > 0);
  std::vector<std::string> names;
  const std::string checked = GridFunction(summing(), true, {}).source(&names);
  const auto with_checks = nvrtc->compile(checked, "typed", options);
  CHECK_MESSAGE(with_checks.ok, with_checks.log.substr(0, 4000));
}
#endif

}  // namespace gpy::rt::typed
