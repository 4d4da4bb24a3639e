// Prints what NVIDIA's curand_kernel.h gives for tests/lib/kernels/raw_random.gpy, on the host:
// nvcc -std=c++17 curand_values.cu -o values && ./values
#include <cmath>
#include <cstdio>
#define QUALIFIERS static inline __host__ __device__
#include <curand_kernel.h>

constexpr unsigned long long kStarts[][3] = {{1234, 0, 0},
                                             {1234, 5, 3},
                                             {0x123456789abcdef, 1000003, 77},
                                             {42, (1ull << 40) + 9, (1ull << 35) + 6}};

template <class State> void print_words() {
  printf("[");
  for (const auto& start : kStarts) {
    State state;
    curand_init(start[0], start[1], start[2], &state);
    printf("%s[", start == kStarts[0] ? "" : ", ");
    for (int i = 0; i < 6; ++i) printf("%s%u", i == 0 ? "" : ", ", curand(&state));
    printf("]");
  }
  printf("]\n");
}

template <class State> void print_numbers() {
  State state;
  curand_init(1234, 5, 3, &state);
  const float uniform = curand_uniform(&state);
  const double wide = curand_uniform_double(&state);
  const float normal = curand_normal(&state), second = curand_normal(&state);
  const double wide_normal = curand_normal_double(&state);
  const float log_normal = curand_log_normal(&state, 0.5f, 0.25f);
  printf("%.6f %.12f %.3f %.3f %.10f %.3f\n", uniform, wide, normal, second, wide_normal,
         log_normal);
}

int main() {
  print_words<curandStateXORWOW_t>();
  print_words<curandStatePhilox4_32_10_t>();
  print_numbers<curandStateXORWOW_t>();
  print_numbers<curandStatePhilox4_32_10_t>();
}
