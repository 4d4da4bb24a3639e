#include "runtime/memory/account.h"

namespace gpy::rt {

static thread_local MemoryAccount* this_threads = nullptr;

MemoryAccount* current_account() noexcept { return this_threads; }

AccountScope::AccountScope(MemoryAccount* account) noexcept
    : before_(std::exchange(this_threads, account)) {}
AccountScope::~AccountScope() { this_threads = before_; }

}  // namespace gpy::rt
