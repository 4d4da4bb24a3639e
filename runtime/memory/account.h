#pragma once

// The memory of one interpreter's arrays, on the host and on devices. A block is charged to the
// asking thread's account before it is taken, and credited when it goes, on any thread.

#include <atomic>
#include <cstddef>
#include <utility>

namespace gpy::rt {

// The bytes of all its owner's blocks, and the function to ask before they become more.
class MemoryAccount {
 public:
  // charge() calls it with the bytes that are to be taken, for large blocks and once for many small
  // ones. It throws to refuse them.
  using Ask = void (*)(void* owner, size_t bytes);

  // Made by its one owner, who ends it by close(). It lives on until its last block is credited.
  static MemoryAccount* open(Ask ask, void* owner) { return new MemoryAccount(ask, owner); }
  void close() noexcept { credit(kOwner); }
  MemoryAccount(const MemoryAccount&) = delete;
  MemoryAccount& operator=(const MemoryAccount&) = delete;

  size_t used() const { return used_.load(std::memory_order_relaxed) - kOwner; }

 private:
  friend class Charge;
  // The total of small blocks before it asks.
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

// While it lives, `account` is this thread's. Memory that a device keeps for all is taken without
// an account.
class AccountScope {
 public:
  explicit AccountScope(MemoryAccount* account) noexcept;
  ~AccountScope();
  AccountScope(const AccountScope&) = delete;
  AccountScope& operator=(const AccountScope&) = delete;

 private:
  MemoryAccount* before_;
};

// A charge of `bytes` to this thread's account, until the object goes.
class Charge {
 public:
  Charge() = default;
  explicit Charge(size_t bytes) : bytes_(bytes) {
    MemoryAccount* account = current_account();
    if (!account || bytes == 0) return;
    account->charge(bytes);
    account_ = account;
  }
  // Charges more bytes.
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
