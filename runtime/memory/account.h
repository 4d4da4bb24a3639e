#pragma once

// What one interpreter's arrays take, on the host and on devices. A block is charged to the account
// of the thread that asks for it, before it is taken, and credited when it goes, on any thread.

#include <atomic>
#include <cstddef>
#include <utility>

namespace gpy::rt {

// What its owner's blocks take together, in bytes, and whom to ask before it becomes more.
class MemoryAccount {
 public:
  // Called with the bytes that are to be taken, by charge(), for large blocks and once for many
  // small ones. Throws where they are not to be had.
  using Ask = void (*)(void* owner, size_t bytes);

  // Made by its one owner, who ends it by close(). It lives on until its last block is credited.
  static MemoryAccount* open(Ask ask, void* owner) { return new MemoryAccount(ask, owner); }
  void close() noexcept { credit(kOwner); }
  MemoryAccount(const MemoryAccount&) = delete;
  MemoryAccount& operator=(const MemoryAccount&) = delete;

  size_t used() const { return used_.load(std::memory_order_relaxed) - kOwner; }

 private:
  friend class Charge;
  // What small blocks may add up to before it asks.
  static constexpr size_t kUnasked = 64 << 10;
  static constexpr size_t kOwner = 1;

  MemoryAccount(Ask ask, void* owner) : ask_(ask), owner_(owner) {}
  ~MemoryAccount() = default;

  void charge(size_t bytes) {
    unasked_ += bytes;
    if (unasked_ >= kUnasked) {
      unasked_ = 0;
      ask_(owner_, bytes);
    }
    used_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void credit(size_t bytes) noexcept {
    if (used_.fetch_sub(bytes, std::memory_order_acq_rel) == bytes) delete this;
  }

  const Ask ask_;
  void* const owner_;
  size_t unasked_ = 0;
  std::atomic<size_t> used_{kOwner};
};

// This thread's account; null: nobody counts.
MemoryAccount* current_account() noexcept;

// While it lives, `account` is this thread's. What a device keeps for whoever comes is taken with
// none.
class AccountScope {
 public:
  explicit AccountScope(MemoryAccount* account) noexcept;
  ~AccountScope();
  AccountScope(const AccountScope&) = delete;
  AccountScope& operator=(const AccountScope&) = delete;

 private:
  MemoryAccount* before_;
};

// So many bytes of this thread's account, until it goes.
class Charge {
 public:
  Charge() = default;
  explicit Charge(size_t bytes) : bytes_(bytes) {
    MemoryAccount* account = current_account();
    if (!account || bytes == 0) return;
    account->charge(bytes);
    account_ = account;
  }
  // So many bytes more.
  void add(size_t bytes) {
    Charge more(bytes);
    if (!more.account_) return;
    if (account_) more.bytes_ += std::exchange(bytes_, 0);
    account_ = std::exchange(more.account_, nullptr);
    bytes_ = more.bytes_;
  }
  Charge(Charge&& other) noexcept
      : account_(std::exchange(other.account_, nullptr)), bytes_(other.bytes_) {}
  Charge& operator=(Charge other) noexcept {
    std::swap(account_, other.account_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Charge() {
    if (account_) account_->credit(bytes_);
  }

 private:
  MemoryAccount* account_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace gpy::rt
