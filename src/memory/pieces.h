#pragma once
// Long loops of builtins that run no code of a script, cut into pieces: an interrupt waits for the
// end of at most one of them.

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "src/interpreter.h"

namespace gpy {

// Raises what interrupt() or stop() asked for. Unlike poll() it counts no step and destroys no
// object, so pointers of a loop stay valid.
inline void poll_interrupt(Interpreter& vm) {
  ++vm.looks;
  if (vm.interrupt_flag().load(std::memory_order_relaxed)) [[unlikely]]
    vm.raise(vm.interrupt_exception());
}

// True once in a fixed number of calls.
class Pace {
 public:
  bool is_time() {
    if (--left_ > 0) [[likely]]
      return false;
    left_ = kSteps;
    return true;
  }

 private:
  static constexpr uint32_t kSteps = 1 << 14;
  uint32_t left_ = kSteps;
};

// A loop calls step() for each thing it does.
class InterruptPoll {
 public:
  explicit InterruptPoll(Interpreter& vm) : vm_(vm) {}
  void step() {
    if (pace_.is_time()) [[unlikely]]
      poll_interrupt(vm_);
  }

 private:
  Interpreter& vm_;
  Pace pace_;
};

// Calls work(from, to) for one piece of 0..count after the other.
constexpr size_t kPiece = 1 << 16;
template <class F> void in_pieces(Interpreter& vm, size_t count, F&& work, size_t piece = kPiece) {
  if (count <= piece) [[likely]]
    return work(size_t{0}, count);
  for (size_t from = 0; from < count; from += piece) {
    poll_interrupt(vm);
    work(from, std::min(count, from + piece));
  }
}

constexpr size_t kPieceBytes = 1 << 20;
inline void copy_bytes(Interpreter& vm, char* to, const char* from, size_t count) {
  if (count == 0) return;  // the pointers may be null
  in_pieces(
      vm, count, [&](size_t begin, size_t end) { memcpy(to + begin, from + begin, end - begin); },
      kPieceBytes);
}

// Reserves room for so many more bytes or items, claimed before, with the usual growth of a vector.
void grow(Interpreter& vm, std::string& text, size_t more);
void grow(Interpreter& vm, std::vector<Value>& row, size_t more);
template <class T> void grow(Interpreter& vm, std::vector<T>& row, size_t more) {
  const size_t most = std::max(row.size() + more, 2 * row.size());
  vm.claim(most, sizeof(T));
  row.reserve(most);
}
template <class Row> inline void make_room(Interpreter& vm, Row& row, size_t more) {
  if (more > row.capacity() - row.size()) [[unlikely]]
    grow(vm, row, more);
}

// Adds bytes, none of them in `text`, to its end; nothing is added when interrupted.
void append_long(Interpreter& vm, std::string& text, std::string_view more);
inline void append_bytes(Interpreter& vm, std::string& text, std::string_view more) {
  if (more.size() > text.capacity() - text.size() || more.size() > kPieceBytes) [[unlikely]]
    return append_long(vm, text, more);
  text += more;
}
inline void append_byte(Interpreter& vm, std::string& text, char byte) {
  make_room(vm, text, 1);
  text.push_back(byte);
}
std::string copy_text(Interpreter& vm, std::string_view text);
void append_fill(Interpreter& vm, std::string& text, size_t count, char fill);

// Adds copies of `items`, none of them in `row`, to its end; nothing is added when interrupted.
void append_items(Interpreter& vm, std::vector<Value>& row, std::span<const Value> items);
template <class T>
inline void append_item(Interpreter& vm, std::vector<T>& row, std::type_identity_t<T> item) {
  make_room(vm, row, 1);
  row.push_back(std::move(item));
}
std::vector<Value> copy_items(Interpreter& vm, std::span<const Value> items);

}  // namespace gpy
