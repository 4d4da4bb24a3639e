#pragma once

// Intrusive references. Buffers are counted atomically: sessions on different threads may share
// them. What points to them, values and storages, belongs to one session, which runs on one thread
// at a time: a plain count does.

#include <atomic>
#include <cstdint>
#include <utility>

namespace gpy::rt {

// A count for what no two threads touch at a time, with the interface of std::atomic's.
class PlainCount {
 public:
  void fetch_add(int32_t change, std::memory_order) { count_ += change; }
  int32_t fetch_sub(int32_t change, std::memory_order) {
    return std::exchange(count_, count_ - change);
  }
  int32_t load(std::memory_order) const { return count_; }

 private:
  int32_t count_ = 0;
};

template <class T, class Count = std::atomic<int32_t>> class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      T::destroy(const_cast<T*>(static_cast<const T*>(this)));
    }
  }
  // False where the last reference is gone and the target is being destroyed.
  bool try_retain() const {
    int32_t count = count_.load(std::memory_order_relaxed);
    while (count > 0) {
      if (count_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return true;
    }
    return false;
  }
  int32_t use_count() const { return count_.load(std::memory_order_acquire); }

 protected:
  ~RefCounted() = default;

 private:
  mutable Count count_{};
};

template <class T> class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  Ref(T* target) : target_(target) {
    if (target_) target_->retain();
  }
  Ref(const Ref& other) : Ref(other.target_) {}
  Ref(Ref&& other) noexcept : target_(std::exchange(other.target_, nullptr)) {}
  template <class U> Ref(const Ref<U>& other) : Ref(static_cast<T*>(other.get())) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(target_, other.target_);
    return *this;
  }
  ~Ref() {
    if (target_) target_->release();
  }

  // A reference to a target that is counted for it already.
  static Ref adopt(T* counted) {
    Ref ref;
    ref.target_ = counted;
    return ref;
  }

  T* get() const { return target_; }
  T* operator->() const { return target_; }
  T& operator*() const { return *target_; }
  explicit operator bool() const { return target_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.target_ == b.target_; }

 private:
  T* target_ = nullptr;
};

template <class T, class... Args> Ref<T> make_ref(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

}  // namespace gpy::rt
