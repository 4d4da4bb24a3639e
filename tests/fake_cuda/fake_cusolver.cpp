// A cuSOLVER that computes nothing. All factorisations say that they have succeeded, or what
// GPY_FAKE_CUSOLVER_INFO tells them to say. The declarations only match the binary interface:
// the library's header has a type for each element, and no element is read here.
#include <cstdint>
#include <cstdlib>

#include "fake_cuda.h"

#define EXPORT extern "C" __attribute__((visibility("default")))
#define ENTER(function) \
  if (fake_cuda_enter(function)) return kAllocFailed

using Status = int;
using Handle = void*;
using Info = void*;  // gesvdjInfo_t, syevjInfo_t
using Params = void*;
using Option = int;  // of an enumeration
static constexpr Status kSuccess = 0, kNotInitialized = 1, kAllocFailed = 2;

EXPORT Status cusolverGetProperty(int, int* value) {
  *value = 12;
  return kSuccess;
}

EXPORT Status cusolverDnCreate(Handle* handle) {
  ENTER("cusolverDnCreate");
  if (fake_cuda_is_older()) return kNotInitialized;
  *handle = reinterpret_cast<Handle>(0x5000);
  return kSuccess;
}
EXPORT Status cusolverDnDestroy(Handle) {
  ENTER("cusolverDnDestroy");
  return kSuccess;
}
EXPORT Status cusolverDnSetStream(Handle, void*) {
  ENTER("cusolverDnSetStream");
  return kSuccess;
}
EXPORT Status cusolverDnCreateGesvdjInfo(Info* info) {
  ENTER("cusolverDnCreateGesvdjInfo");
  *info = reinterpret_cast<Info>(0x6000);
  return kSuccess;
}
EXPORT Status cusolverDnDestroyGesvdjInfo(Info) {
  ENTER("cusolverDnDestroyGesvdjInfo");
  return kSuccess;
}

EXPORT Status cusolverDnCreateSyevjInfo(Info* info) {
  ENTER("cusolverDnCreateSyevjInfo");
  *info = reinterpret_cast<Info>(0x7000);
  return kSuccess;
}
EXPORT Status cusolverDnDestroySyevjInfo(Info) {
  ENTER("cusolverDnDestroySyevjInfo");
  return kSuccess;
}
EXPORT Status cusolverDnCreateParams(Params* params) {
  ENTER("cusolverDnCreateParams");
  *params = reinterpret_cast<Params>(0x8000);
  return kSuccess;
}
EXPORT Status cusolverDnDestroyParams(Params) {
  ENTER("cusolverDnDestroyParams");
  return kSuccess;
}

// Elements of the work memory of every factorisation.
static constexpr int kWork = 64;
static Status tell_size(const char* function, int* elements) {
  ENTER(function);
  *elements = kWork;
  return kSuccess;
}
static Status succeed(const char* function, int* info) {
  ENTER(function);
  const char* told = std::getenv("GPY_FAKE_CUSOLVER_INFO");
  *info = told ? std::atoi(told) : 0;
  return kSuccess;
}

static Status succeed_all(const char* function, int* infos, int count) {
  Status status = kSuccess;
  for (int i = 0; i < count && status == kSuccess; ++i) status = succeed(function, infos + i);
  return status;
}

// The names differ by the letter of the element type alone: no element is read.
#define ROUTINES(X, ORGQR, SYEV)                                                                   \
  EXPORT Status cusolverDn##X##getrf_bufferSize(Handle, int, int, void*, int, int* work) {         \
    return tell_size("getrf_bufferSize", work);                                                    \
  }                                                                                                \
  EXPORT Status cusolverDn##X##getrf(Handle, int m, int n, void*, int, void*, int* pivots,         \
                                     int* info) {                                                  \
    for (int i = 0; i < (m < n ? m : n); ++i) pivots[i] = i + 1;                                   \
    return succeed("getrf", info);                                                                 \
  }                                                                                                \
  EXPORT Status cusolverDn##X##getrs(Handle, Option, int, int, const void*, int, const int*,       \
                                     void*, int, int* info) {                                      \
    return succeed("getrs", info);                                                                 \
  }                                                                                                \
  EXPORT Status cusolverDn##X##potrf_bufferSize(Handle, Option, int, void*, int, int* work) {      \
    return tell_size("potrf_bufferSize", work);                                                    \
  }                                                                                                \
  EXPORT Status cusolverDn##X##potrf(Handle, Option, int, void*, int, void*, int, int* info) {     \
    return succeed("potrf", info);                                                                 \
  }                                                                                                \
  EXPORT Status cusolverDn##X##geqrf_bufferSize(Handle, int, int, void*, int, int* work) {         \
    return tell_size("geqrf_bufferSize", work);                                                    \
  }                                                                                                \
  EXPORT Status cusolverDn##X##geqrf(Handle, int, int, void*, int, void*, void*, int, int* info) { \
    return succeed("geqrf", info);                                                                 \
  }                                                                                                \
  EXPORT Status cusolverDn##X##ORGQR##_bufferSize(Handle, int, int, int, const void*, int,         \
                                                  const void*, int* work) {                        \
    return tell_size("orgqr_bufferSize", work);                                                    \
  }                                                                                                \
  EXPORT Status cusolverDn##X##ORGQR(Handle, int, int, int, void*, int, const void*, void*, int,   \
                                     int* info) {                                                  \
    return succeed("orgqr", info);                                                                 \
  }                                                                                                \
  EXPORT Status cusolverDn##X##gesvdj_bufferSize(Handle, Option, int, int, int, const void*, int,  \
                                                 const void*, const void*, int, const void*, int,  \
                                                 int* work, Info) {                                \
    return tell_size("gesvdj_bufferSize", work);                                                   \
  }                                                                                                \
  EXPORT Status cusolverDn##X##gesvdj(Handle, Option, int, int, int, void*, int, void*, void*,     \
                                      int, void*, int, void*, int, int* info, Info) {              \
    return succeed("gesvdj", info);                                                                \
  }                                                                                                \
  EXPORT Status cusolverDn##X##potrfBatched(Handle, Option, int, void* const*, int, int* infos,    \
                                            int count) {                                           \
    return succeed_all("potrfBatched", infos, count);                                              \
  }                                                                                                \
  EXPORT Status cusolverDn##X##gesvdjBatched_bufferSize(Handle, Option, int, int, const void*,     \
                                                        int, const void*, const void*, int,        \
                                                        const void*, int, int* work, Info, int) {  \
    return tell_size("gesvdjBatched_bufferSize", work);                                            \
  }                                                                                                \
  EXPORT Status cusolverDn##X##gesvdjBatched(Handle, Option, int, int, void*, int, void*, void*,   \
                                             int, void*, int, void*, int, int* infos, Info,        \
                                             int count) {                                          \
    return succeed_all("gesvdjBatched", infos, count);                                             \
  }                                                                                                \
  EXPORT Status cusolverDn##X##SYEV##d_bufferSize(Handle, Option, Option, int, const void*, int,   \
                                                  const void*, int* work) {                        \
    return tell_size("syevd_bufferSize", work);                                                    \
  }                                                                                                \
  EXPORT Status cusolverDn##X##SYEV##d(Handle, Option, Option, int, void*, int, void*, void*, int, \
                                       int* info) {                                                \
    return succeed("syevd", info);                                                                 \
  }                                                                                                \
  EXPORT Status cusolverDn##X##SYEV##jBatched_bufferSize(Handle, Option, Option, int, const void*, \
                                                         int, const void*, int* work, Info, int) { \
    return tell_size("syevjBatched_bufferSize", work);                                             \
  }                                                                                                \
  EXPORT Status cusolverDn##X##SYEV##jBatched(Handle, Option, Option, int, void*, int, void*,      \
                                              void*, int, int* infos, Info, int count) {           \
    return succeed_all("syevjBatched", infos, count);                                              \
  }
ROUTINES(S, orgqr, syev)
ROUTINES(D, orgqr, syev)
ROUTINES(C, ungqr, heev)
ROUTINES(Z, ungqr, heev)

static Status tell_bytes(const char* function, size_t* on_device, size_t* on_host) {
  ENTER(function);
  *on_device = *on_host = kWork;
  return kSuccess;
}
EXPORT Status cusolverDnXsyevBatched_bufferSize(Handle, Params, Option, Option, int64_t, Option,
                                                const void*, int64_t, Option, const void*, Option,
                                                size_t* on_device, size_t* on_host, int64_t) {
  return tell_bytes("XsyevBatched_bufferSize", on_device, on_host);
}
EXPORT Status cusolverDnXsyevBatched(Handle, Params, Option, Option, int64_t, Option, void*,
                                     int64_t, Option, void*, Option, void*, size_t, void*, size_t,
                                     int* infos, int64_t count) {
  return succeed_all("XsyevBatched", infos, static_cast<int>(count));
}
EXPORT Status cusolverDnXgeev_bufferSize(Handle, Params, Option, Option, int64_t, Option,
                                         const void*, int64_t, Option, const void*, Option,
                                         const void*, int64_t, Option, const void*, int64_t, Option,
                                         size_t* on_device, size_t* on_host) {
  return tell_bytes("Xgeev_bufferSize", on_device, on_host);
}
EXPORT Status cusolverDnXgeev(Handle, Params, Option, Option, int64_t, Option, void*, int64_t,
                              Option, void*, Option, void*, int64_t, Option, void*, int64_t, Option,
                              void*, size_t, void*, size_t, int* info) {
  return succeed("Xgeev", info);
}
