#include "runtime/host_kernel/cpp_words.h"

#include <algorithm>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

// Functions of C++ and CUDA that compute a value.
constexpr std::string_view kPure = R"(
min max abs fabs fabsf sqrt sqrtf floor floorf ceil ceilf log2 log2f exp2 exp2f pow powf exp
expf log logf sin sinf cos cosf fma fmaf fmin fmax fminf fmaxf __clz __ffs __popc make_float2
make_float3 make_float4 make_int2 make_int3 make_int4 fmod fmodf copysign copysignf trunc truncf
rint rintf round roundf tan tanf asin asinf acos acosf atan atanf atan2 atan2f sinh sinhf cosh
coshf tanh tanhf log10 log10f log1p log1pf expm1 expm1f cbrt cbrtf hypot hypotf
_gpy_dynamic_shared
)";

constexpr std::string_view kTypes = R"(
void bool char short int long unsigned signed float double size_t int8_t int16_t int32_t int64_t
uint8_t uint16_t uint32_t uint64_t
)";

// Beside the kinds of types: what no expression calls, though a bracket follows.
constexpr std::string_view kKeywords = R"(
if else for while do switch case default return break continue sizeof alignof alignas decltype
static_cast const constexpr volatile typename template struct class union enum using namespace
typedef static inline extern operator new delete throw try catch noexcept static_assert
__attribute__ __launch_bounds__ goto true false nullptr this reinterpret_cast const_cast
)";

// What waits for other threads, or tells one from another.
constexpr std::string_view kMeetings[] = {
    "__sync",     "__shfl",   "__ballot",  "__any",        "__all",
    "__uni_sync", "__match_", "__reduce_", "__activemask", "cooperative_groups"};

// Whether a word stands in a list of words.
bool is_in(std::string_view list, std::string_view word) {
  if (word.empty()) return false;
  for (size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    if (!is_name_char(list[at - 1]) && !is_name_char(list[at + word.size()])) return true;
  }
  return false;
}

}  // namespace

bool is_cpp_keyword(std::string_view word) { return is_in(kKeywords, word); }

bool is_builtin_type(std::string_view word) { return is_in(kTypes, word); }

bool is_pure_function(std::string_view word) { return is_in(kPure, word); }

bool is_position_word(std::string_view word) {
  return word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
}

bool depends_by_itself(std::string_view word) {
  if (word == "threadIdx" || word == "asm" || word == "__asm__" || word == "__nanosleep" ||
      word == "thread_rank" || word == "this_thread_block")
    return true;
  if (word.starts_with("_gpy_")) {
    const bool is_of_all = word == "_gpy_dynamic_shared" || word == "_gpy_many" ||
                           word == "_gpy_dynamic" || word == "_gpy_words" ||
                           word.starts_with("_gpy_kernel_");
    return !is_of_all;
  }
  return std::ranges::any_of(kMeetings,
                             [&](std::string_view each) { return word.starts_with(each); });
}

}  // namespace gpy::rt
