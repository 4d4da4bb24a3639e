// NVRTC compiles the text around users' kernels, with no GPU in sight. The host's compiler gets the
// same text; the scripts in tests/lib/kernels run it.

#include <doctest/doctest.h>

#if GPY_HAVE_CUDA
#include "runtime/cuda/nvrtc.h"
#include "runtime/kernel/checks/check_text.h"
#include "runtime/kernel/checks/checked_source.h"
#include "runtime/kernel/elementwise_text.h"
#include "runtime/kernel/own_headers.h"
#include "runtime/kernel/reduction_text.h"
#include "runtime/kernel/scan_text.h"
#include "runtime/kernel/stencil_text.h"
#include "runtime/ops/create.h"

namespace gpy::rt {
namespace {

// Inputs and outputs of (2, 3) elements: strided, dense, a number and, where they are raw, whole.
struct Arguments {
  explicit Arguments(std::string_view in, std::string_view out)
      : inputs(parse_parameters(in)), outputs(parse_parameters(out)) {}

  std::vector<KernelParameter> inputs, outputs;
  Session session{std::make_shared<Runtime>(DeviceChoice{DeviceChoice::Kind::kCpu})};
  std::vector<Operand> operands;
  std::string fields;

  Array array(const KernelParameter& parameter, bool dense) {
    const DType dtype = dtype_from_name(parameter.type).value_or(DType::kFloat32);
    return empty(session, Dims{2, 3}, dtype, Space::on_device(0), dense ? 'C' : 'F');
  }
  Bound bound(const KernelParameter& parameter, bool output, int number) {
    const Array all = array(parameter, output || number % 2 == 0);
    operands.emplace_back(all);
    Bound out(parameter, all.dtype());
    out.output = output;
    out.array = all;
    out.passing = parameter.raw     ? Passing::kRaw
                  : number % 2 == 0 ? Passing::kDense
                                    : Passing::kStrided;
    if (parameter.name == "number") out.passing = Passing::kNumber;
    return out;
  }
  std::vector<Bound> bind(bool with_outputs) {
    std::vector<Bound> all;
    for (const KernelParameter& each : inputs) {
      all.push_back(bound(each, false, static_cast<int>(all.size())));
    }
    for (const KernelParameter& each : outputs) {
      if (with_outputs) all.push_back(bound(each, true, 0));
    }
    return all;
  }
  // The fields that every kernel has, and those of the arguments.
  void add_fields(std::span<const Bound> all, std::initializer_list<const char*> numbers) {
    ArgumentBlock block(true);
    for (const char* name : numbers) block.add_int(name, 0);
    block.add_pointer("_partial", "void", nullptr);
    block.add_ints("_shape", Dims{2, 3});
    const std::vector<LentMemory> lent = lend_arrays(session, all, kHostPlace);
    add_arguments(all, lent, block);
    fields = block.fields();
  }
  TypeBinding types() { return {"k", inputs, std::span(operands).first(inputs.size())}; }
};

void compile(const std::string& text, std::vector<std::string> instances = {}) {
  std::string why_not;
  static const auto nvrtc = cuda::Nvrtc::open(0, &why_not);
  if (!nvrtc) {
    MESSAGE("skipped: " << why_not);
    return;
  }
  const std::vector<std::string> options = {"--gpu-architecture=sm_90"};
  const auto result = nvrtc->compile(text, "kernel", options, instances);
  CHECK_MESSAGE(result.ok, result.log.substr(0, 4000));
  CHECK(result.code.size() > 0);
  CHECK(result.lowered_names.size() == instances.size());
}

constexpr const char* kInputs = "T x, T y, float64 number, raw T table";

ElementwiseText elementwise() {
  ElementwiseText text;
  text.name = "k";
  text.inputs = parse_parameters(kInputs);
  text.outputs = parse_parameters("T z, int32 w");
  text.preamble = "__device__ float twice(float x) { return x + x; }";
  text.body =
      "if (x < 0) continue; z = twice(x) + y * number + table[_ind.get()] + table[{1, 2}];"
      "w = table.shape()[0] + table.strides()[1] + table.ndim + _ind.size() + n";
  return text;
}

void check(const ElementwiseText& text) {
  Arguments arguments(kInputs, "T z, int32 w");
  const std::vector<Bound> bound = arguments.bind(true);
  arguments.add_fields(bound, {"_n"});
  compile(elementwise_source(text, nullptr, arguments.types(), bound, arguments.fields, 2));
  std::vector<Bound> checked = bound;
  for (Bound& each : checked) each.number_of_name = 0;
  compile(std::string(check_text()) +
          elementwise_source(text, nullptr, arguments.types(), checked, arguments.fields, 2, true));
}

}  // namespace

TEST_CASE("NVRTC compiles elementwise kernels") {
  check(elementwise());
  ElementwiseText text = elementwise();
  text.loop_prep = "float sum = 0";
  text.after_loop = "sum += n";
  check(text);
}

TEST_CASE("NVRTC compiles checked sources") {
  const std::string source = R"(
#define N 16
__device__ float total(const float* x, int n) { float sum = 0; for (int i = 0; i < n; ++i) sum += x[i]; return sum; }
struct Pair { float both[2]; };
template <class T> __global__ void fill(T* out, T value) { out[threadIdx.x] = value; }
extern "C" __global__ void k(const float* __restrict__ x, float *y, int n, unsigned int* counts,
                             float2* z, float a[], Pair* pairs, void* v, float** pp) {
  __shared__ float tile[N][N + 1], other[4];
  __shared__ int sum;
  extern __shared__ __align__(16) float dynamic[];
  float local[3] = {1, 2, 3};
  const float* row = x + blockIdx.x * n;
  int t = threadIdx.x;
  tile[t][t] = x[t];
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  atomicAdd(&counts[t % 4], 1u);
  atomicAdd(counts + 1, 1u);
  dynamic[t] = local[t % 3] + row[0] + __ldg(x + t);
  const float4* four = reinterpret_cast<const float4*>(x);
  for (const float* p = x; p < x + n; ++p) other[0] += *p;
  y[t] = total(x, n) + total(tile[0], 4) + total(&tile[1][0], 4) + total(dynamic, 2) + four[0].x;
  if (y && counts != nullptr && (size_t)y % 16 == 0) z[t].x = pairs[t].both[0] + a[t] + other[0];
  float2* zz = &z[t];
  zz->y = *(float*)v + **pp;
  float *flat = &tile[0][0], *end;
  end = flat + N * (N + 1);
  for (int4* w = (int4*)&y[4 * t]; (float*)w < end; ++w) w->x = ((const int*)(x + t))[1];
  atomicMax((int*)counts, 1);
  atomicCAS(counts + 1, 0u, (unsigned)__ldcg(x) + local[0]);
  other[1] = ((const char*)local)[t];
}
)";
  for (const bool all : {true, false}) compile(checked_source(source, all).text, {"fill<float>"});
}

TEST_CASE("NVRTC compiles reductions") {
  ReductionText text;
  text.name = "k";
  text.inputs = parse_parameters(kInputs);
  text.outputs = parse_parameters("T z");
  text.identity = "0, 1";
  text.preamble =
      "struct Pair { float a, b; __device__ Pair() {} __device__ Pair(float x, float y) : a(x), "
      "b(y) {} };";
  text.reduce_type = "Pair";
  text.map = "Pair(x + _raw_y[_j], table[_J] * number + _raw_x[_in_ind.get()] + _in_ind.size())";
  text.reduce = "Pair(a.a + b.a, a.b * b.b)";
  text.post = "z = a.a / a.b + _out_ind.size()";
  Arguments arguments(kInputs, "T z");
  const std::vector<Bound> bound = arguments.bind(false);
  arguments.add_fields(bound, {"_outputs", "_reduced", "_parts", "_lanes", "_columns"});
  arguments.fields += "  float* _result;\n";
  for (int kept : {0, 1, 2}) {
    const ReductionSchedule schedule = {.kept_rank = kept};
    compile(reduction_source(text, arguments.types(), bound, arguments.fields, schedule, 2));
  }
}

TEST_CASE("NVRTC compiles scans") {
  for (const char* identity : {"", "0"}) {
    ScanText text;
    text.name = "k";
    text.inputs = parse_parameters(kInputs);
    text.outputs = parse_parameters("T z");
    text.identity = identity;
    text.type = "float64";
    text.map = "x * number + table[i]";
    text.scan = "a + b";
    text.post = "z = a / n + y";
    Arguments arguments(kInputs, "T z");
    const std::vector<Bound> bound = arguments.bind(true);
    arguments.add_fields(bound, {"_rows", "_length", "_parts", "_share", "_exclusive"});
    compile(scan_source(text, arguments.types(), bound, arguments.fields, 2));
  }
}

TEST_CASE("NVRTC compiles stencils") {
  StencilText text;
  text.name = "k";
  text.inputs = parse_parameters(kInputs);
  text.outputs = parse_parameters("T z, int32 w");
  text.body = "z = x(-1, 0) + y(0, 1) * number + table[0] + x; w = _ind.get()[0] + i + n";
  for (const char* boundary : {"constant 1.5, nearest", "wrap, skip", "reflect, mirror"}) {
    Arguments arguments(kInputs, "T z, int32 w");
    std::vector<Bound> bound = arguments.bind(true);
    for (Bound& each : bound) {
      if (each.passing == Passing::kDense && !each.output) each.passing = Passing::kStrided;
    }
    arguments.add_fields(bound, {"_n"});
    compile(stencil_source(text, arguments.types(), bound, parse_boundaries(boundary),
                           arguments.fields));
  }
}

TEST_CASE("NVRTC names instances of templates") {
  compile(
      "template <class T, int N> __global__ void f(T* x) { x[0] = N; }\n"
      "namespace inner { __global__ void g(int* x) { *x = 1; } }",
      {"f<float, 2>", "f<int, 3>", "inner::g"});
}

TEST_CASE("NVRTC compiles gpy's own headers") {
  compile(with_own_headers(
      "#include <cuComplex.h>\n#include <cupy/complex.cuh>\n"
      "extern \"C\" __global__ void f(cuFloatComplex* x, cuDoubleComplex* y, complex<float>* z) {\n"
      "  x[0] = cuCdivf(cuCmulf(x[1], cuConjf(x[2])), make_cuComplex(cuCabsf(x[0]), 1));\n"
      "  y[0] = cuCfma(y[1], y[2], cuComplexFloatToDouble(x[0]));\n"
      "  z[0] = sqrt(z[1]) + exp(z[2]) * pow(z[0], 2.0f) + log(tanh(tan(z[3])));\n"
      "  thrust::complex<double> w(1, 2);\n"
      "  y[1] = make_cuDoubleComplex(abs(w), arg(polar(2.0, 1.0)));\n}",
      true, false));
  compile(
      with_own_headers("#include <cuComplex.h>\n"
                       "extern \"C\" __global__ void f(cuComplex* x, cuDoubleComplex* y) {\n"
                       "  x[0] = cuCadd(cuCdivf(x[1], x[2]), make_cuComplex(cuCabsf(x[0]), 1));\n"
                       "  y[0] = cuCfma(y[1], cuConj(y[2]), cuComplexFloatToDouble(x[0]));\n}",
                       false, true));
}

}  // namespace gpy::rt
#endif
