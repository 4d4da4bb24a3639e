#include "runtime/cuda/form_q.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <vector>

namespace gpy::rt::cuda {
namespace {

// Where the elements of a stack of matrices lie: the distances, in elements, from matrix to matrix,
// from column to column and from row to row.
using Strides = std::array<int64_t, 3>;

// Loops over the elements of a stack of matrices. Inputs come first, then scalars, then operations.
class StackPlan {
 public:
  StackPlan(DType dtype, int64_t batch, int64_t rows, int64_t cols) : dtype_(dtype) {
    plan_.extents = {batch, cols, rows};
  }

  Register input(const Strides& strides) {
    return add_input({PlanInput::Kind::kBuffer, dtype_, dims(strides)});
  }
  Register row() { return add_input({PlanInput::Kind::kIota, DType::kInt64, {0, 0, 1}}); }
  Register col() { return add_input({PlanInput::Kind::kIota, DType::kInt64, {0, 1, 0}}); }
  Register number(double value) {
    plan_.scalars.push_back(dtype_);
    Scalar::of(dtype_, value).store(dtype_, numbers_.emplace_back().data());
    return static_cast<Register>(plan_.inputs.size() + plan_.scalars.size() - 1);
  }
  Register call(Row row, std::initializer_list<Register> args) {
    const Ufunc& function = ufunc(row);
    std::vector<DType> types;
    for (const Register arg : args) types.push_back(plan_.dtype_of(arg));
    const UfuncLoop* const loop = resolve(function, types);
    PlanOp op;
    op.ufunc = function.id;
    op.loop = static_cast<uint16_t>(loop - function.loops.data());
    op.dtype = loop->out;
    std::copy(args.begin(), args.end(), op.args.begin());
    plan_.ops.push_back(op);
    return static_cast<Register>(plan_.inputs.size() + plan_.scalars.size() + plan_.ops.size() - 1);
  }
  void output(Register value, const Strides& strides) {
    plan_.outputs.push_back({value, dtype_, dims(strides), kNoRegister});
  }

  // An address an input that is memory, and one an output.
  void run(Backend& backend, std::span<const void* const> from, std::vector<void*> to) const {
    Bindings bindings;
    size_t next = 0;
    for (const PlanInput& input : plan_.inputs) {
      bindings.inputs.push_back(input.kind == PlanInput::Kind::kBuffer ? from[next++] : nullptr);
    }
    bindings.scalars = numbers_;
    bindings.outputs = std::move(to);
    backend.prepare(plan_, false)->run(bindings, nullptr);
  }

 private:
  static Dims dims(const Strides& strides) { return {strides[0], strides[1], strides[2]}; }
  Register add_input(PlanInput input) {
    plan_.inputs.push_back(std::move(input));
    return static_cast<Register>(plan_.inputs.size() - 1);
  }

  DType dtype_;
  Plan plan_;
  std::vector<std::array<std::byte, 16>> numbers_;
};

// v (m x reflectors) = the reflectors below the diagonal of `a`, ones on it, zeros above; and its
// conjugate, if wanted.
void copy_reflectors(Backend& backend, const QrStack& stack, const void* a, void* v,
                     void* conjugate) {
  const int64_t m = stack.m, p = stack.reflectors();
  StackPlan plan(stack.dtype, stack.batch, m, p);
  const Register below = plan.input({stack.step(), m, 1}), row = plan.row(), col = plan.col();
  const Register zero = plan.number(0), one = plan.number(1);
  const Register is_below = plan.call(Row::greater, {row, col});
  const Register is_diagonal = plan.call(Row::equal, {row, col});
  const Register other = plan.call(Row::where, {is_diagonal, one, zero});
  const Register element = plan.call(Row::where, {is_below, below, other});
  plan.output(element, {m * p, m, 1});
  if (conjugate) plan.output(plan.call(Row::conjugate, {element}), {m * p, m, 1});
  const void* const from[] = {a};
  plan.run(backend, from, conjugate ? std::vector<void*>{v, conjugate} : std::vector<void*>{v});
}

// to[i, j] = tau[i] * from[i, j] in each matrix of rows x cols, one after another in `to`.
void scale_rows(Backend& backend, const QrStack& stack, int64_t cols, const void* tau,
                const void* from, const Strides& strides, void* to) {
  const int64_t rows = stack.reflectors();
  StackPlan plan(stack.dtype, stack.batch, rows, cols);
  const Register scale = plan.input({rows, 0, 1}), element = plan.input(strides);
  plan.output(plan.call(Row::multiply, {scale, element}), {rows * cols, rows, 1});
  const void* const both[] = {tau, from};
  plan.run(backend, both, {to});
}

// a = I - a, of k columns.
void subtract_from_identity(Backend& backend, const QrStack& stack, void* a) {
  const Strides strides = {stack.step(), stack.m, 1};
  StackPlan plan(stack.dtype, stack.batch, stack.m, stack.k);
  const Register element = plan.input(strides), row = plan.row(), col = plan.col();
  const Register zero = plan.number(0), one = plan.number(1);
  const Register is_diagonal = plan.call(Row::equal, {row, col});
  const Register identity = plan.call(Row::where, {is_diagonal, one, zero});
  plan.output(plan.call(Row::subtract, {identity, element}), strides);
  const void* const from[] = {a};
  plan.run(backend, from, {a});
}

}  // namespace

void copy_upper(Backend& backend, const QrStack& stack, const void* a, void* r) {
  StackPlan plan(stack.dtype, stack.batch, stack.k, stack.n);
  const Register above = plan.input({stack.step(), stack.m, 1}), row = plan.row(), col = plan.col();
  const Register zero = plan.number(0);
  const Register is_above = plan.call(Row::less_equal, {row, col});
  const Register element = plan.call(Row::where, {is_above, above, zero});
  plan.output(element, {stack.k * stack.n, stack.k, 1});
  const void* const from[] = {a};
  plan.run(backend, from, {r});
}

void form_q(Backend& backend, const QrStack& stack, const StackRoutines& routines, void* a,
            const void* tau) {
  const int64_t m = stack.m, k = stack.k, p = stack.reflectors();
  const auto room = [&](int64_t elements) {
    return backend.allocate(stack.batch * elements * item_size(stack.dtype));
  };
  const Ref<Buffer> v = room(m * p), inner = room(p * p), x = room(p * k);
  const Ref<Buffer> other = is_complex(stack.dtype) ? room(m * p) : nullptr;
  copy_reflectors(backend, stack, a, v->data(), other ? other->data() : nullptr);
  const void* const conjugate = other ? other->data() : v->data();
  const ConstMatrixView reflectors{v->data(), m, p, 1, m}, adjoint{conjugate, p, m, m, 1};
  routines.multiply(adjoint, m * p, reflectors, m * p, {inner->data(), p, p, 1, p}, p * p);
  scale_rows(backend, stack, p, tau, inner->data(), {p * p, p, 1}, inner->data());
  scale_rows(backend, stack, k, tau, conjugate, {m * p, 1, m}, x->data());
  routines.solve_upper(p, k, inner->data(), x->data());
  routines.multiply(reflectors, m * p, {x->data(), p, k, 1, p}, p * k, {a, m, k, 1, m},
                    stack.step());
  subtract_from_identity(backend, stack, a);
}

}  // namespace gpy::rt::cuda
