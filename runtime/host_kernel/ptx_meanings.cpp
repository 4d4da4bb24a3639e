#include "runtime/host_kernel/ptx_meanings.h"

#include <algorithm>
#include <span>

namespace gpy::rt {
namespace {

constexpr std::string_view kRegisterText = R"GPY(
static inline unsigned _gpy_ptx_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
static inline unsigned _gpy_ptx_lane() { return _gpy_ptx_rank() & 31; }
// A thread of the processor's that runs blocks stands for a multiprocessor. A thread_local variable
// would be the block's.
static inline unsigned _gpy_ptx_multiprocessor() {
  constexpr unsigned most = 4096;
  static void* threads[most];
  void* const own = __builtin_thread_pointer();
  for (unsigned i = 0; i < most; ++i) {
    void* known = 0;
    if (__atomic_compare_exchange_n(&threads[i], &known, own, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || known == own) return i;
  }
  return most;
}
)GPY";

// Special registers ("PTX ISA", chapter 10).
constexpr PtxMeaning kRegisters[] = {
    {"tid.x", "threadIdx.x"},
    {"tid.y", "threadIdx.y"},
    {"tid.z", "threadIdx.z"},
    {"ntid.x", "blockDim.x"},
    {"ntid.y", "blockDim.y"},
    {"ntid.z", "blockDim.z"},
    {"ctaid.x", "blockIdx.x"},
    {"ctaid.y", "blockIdx.y"},
    {"ctaid.z", "blockIdx.z"},
    {"nctaid.x", "gridDim.x"},
    {"nctaid.y", "gridDim.y"},
    {"nctaid.z", "gridDim.z"},
    {"laneid", "_gpy_ptx_lane()"},
    {"warpid", "(_gpy_ptx_rank() >> 5)"},
    {"nwarpid", "32u"},
    {"smid", "_gpy_ptx_multiprocessor()"},
    {"lanemask_eq", "(1u << _gpy_ptx_lane())"},
    {"lanemask_lt", "((1u << _gpy_ptx_lane()) - 1)"},
    {"lanemask_le", "((2u << _gpy_ptx_lane()) - 1)"},
    {"lanemask_gt", "(0u - (2u << _gpy_ptx_lane()))"},
    {"lanemask_ge", "(0u - (1u << _gpy_ptx_lane()))"},
    {"clock", "(unsigned)clock64()"},
    {"clock_hi", "(unsigned)(clock64() >> 32)"},
    {"clock64", "clock64()"},
    {"globaltimer", "__globaltimer()"},
    {"globaltimer_lo", "(unsigned)__globaltimer()"},
    {"globaltimer_hi", "(unsigned)(__globaltimer() >> 32)"},
};

constexpr PtxMeaning kInstructions[] = {
    {"bar.sync 0", "__syncthreads()"},        {"barrier.sync 0", "__syncthreads()"},
    {"membar.cta", "__threadfence_block()"},  {"membar.gl", "__threadfence()"},
    {"membar.sys", "__threadfence_system()"}, {"trap", "__trap()"},
};

// What does the same in CUDA C++, by the first part of an instruction's name.
constexpr PtxMeaning kInstead[] = {
    {"activemask", "__activemask()"},
    {"add", "the operator +"},
    {"atom", "atomicAdd() and its kin"},
    {"bar", "__syncthreads() or __syncwarp()"},
    {"barrier", "__syncthreads() or __syncwarp()"},
    {"bfe", "shifts and masks"},
    {"bfi", "shifts and masks"},
    {"bfind", "__clz()"},
    {"brev", "__brev()"},
    {"clz", "__clz()"},
    {"cos", "__cosf()"},
    {"cvt", "a conversion such as __float2int_rn()"},
    {"dp4a", "__dp4a()"},
    {"ex2", "exp2f()"},
    {"exit", "return"},
    {"fence", "__threadfence()"},
    {"fma", "fmaf() or fma()"},
    {"fns", "__fns()"},
    {"ld", "__ldg() or a plain read"},
    {"lg2", "log2f()"},
    {"lop3", "the operators & | ^ ~"},
    {"mad", "the operators * +"},
    {"match", "__match_any_sync() or __match_all_sync()"},
    {"membar", "__threadfence()"},
    {"mma", "a loop over the tiles' elements"},
    {"mov", "threadIdx, blockIdx, blockDim, gridDim or clock64()"},
    {"mul", "the operator * or __umulhi()"},
    {"mul24", "__mul24()"},
    {"nanosleep", "__nanosleep()"},
    {"popc", "__popc() or __popcll()"},
    {"prmt", "__byte_perm()"},
    {"rcp", "__frcp_rn()"},
    {"red", "atomicAdd() and its kin"},
    {"redux", "__reduce_add_sync() and its kin"},
    {"rsqrt", "rsqrtf()"},
    {"sad", "__sad()"},
    {"selp", "the operator ?:"},
    {"setp", "a comparison"},
    {"shf", "__funnelshift_l() or __funnelshift_r()"},
    {"shfl", "__shfl_sync() and its kin"},
    {"sin", "__sinf()"},
    {"sqrt", "sqrtf() or sqrt()"},
    {"st", "a plain write"},
    {"sub", "the operator -"},
    {"tanh", "tanhf()"},
    {"vote", "__ballot_sync(), __any_sync() or __all_sync()"},
    {"wmma", "a loop over the tiles' elements"},
};

const PtxMeaning* find(std::span<const PtxMeaning> rows, std::string_view ptx) {
  const auto found = std::ranges::find(rows, ptx, &PtxMeaning::ptx);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const PtxMeaning* find_register(std::string_view name) { return find(kRegisters, name); }
const PtxMeaning* find_instruction(std::string_view text) { return find(kInstructions, text); }
const PtxMeaning* find_alternative(std::string_view name) { return find(kInstead, name); }

std::string_view ptx_text(const std::string& translated) {
  return translated.find("_gpy_ptx_") == translated.npos ? std::string_view() : kRegisterText;
}

}  // namespace gpy::rt
