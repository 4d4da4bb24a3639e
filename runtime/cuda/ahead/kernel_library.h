#pragma once

// The library of kernels that are compiled ahead of time, libgpy_cuda_kernels.so: its tables, and
// calls of their functions.

#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/backend.h"
#include "runtime/core/process.h"
#include "runtime/cuda/ahead/device_call.h"
#include "runtime/cuda/context.h"
#include "runtime/cuda/libraries.h"

namespace gpy::rt::cuda {

// The library's handle, or null.
void* open_kernel_library();

// The table that the symbol's function gives; null where the library is not there, is of another
// version, or does not work with this driver or device.
template <class Table> const Table* open_kernel_table(Context& context, const char* symbol) {
  const Context::Scope scope(context);
  void* const library = open_kernel_library();
  const Table* (*table_of)();
  if (!library || !load_symbol(library, symbol, table_of)) return nullptr;
  const Table* const table = table_of();
  return table->version == Table::kVersion && table->start() == 0 ? table : nullptr;
}

// Calls of one family's functions, one at a time.
class KernelCalls {
 public:
  KernelCalls(Context& context, Backend& backend) : context_(context), backend_(backend) {}

  // Calls function(call, arguments...) and throws its failure as the driver's own.
  template <class... Parameters, class... Arguments>
  void call(const char* name, int (*function)(const DeviceCall&, Parameters...),
            Arguments&&... arguments) {
    const std::lock_guard lock(mutex_);
    const Context::Scope scope(context_);
    Lender lender(backend_);
    const int code = function({context_.stream(), &lender, Lender::lend}, arguments...);
    lender.rethrow();
    context_.check(static_cast<CUresult>(code), name);
    ++backend_.counters.library_calls;
  }

  // The value that find(T* on the device) writes.
  template <class T, class Find> T found(Find&& find) {
    const Ref<Buffer> place = backend_.allocate(sizeof(T));
    find(static_cast<T*>(place->data()));
    T value;
    backend_.download(&value, place->data(), sizeof(T));
    return value;
  }

 private:
  // Lends the workspaces of one call. No exception passes through the library.
  class Lender {
   public:
    explicit Lender(Backend& backend) : backend_(backend) {}
    static void* lend(void* self, size_t bytes) noexcept;
    void rethrow() const {
      if (error_) std::rethrow_exception(error_);
    }

   private:
    Backend& backend_;
    std::vector<Ref<Buffer>> lent_;
    std::exception_ptr error_;
  };

  Context& context_;
  Backend& backend_;
  ForkSafe<std::mutex> mutex_;
};

}  // namespace gpy::rt::cuda
