#pragma once
// Text is UTF-8 in one block behind its header, with the count of code points and a flag for plain
// ASCII, where byte and character positions agree.

#include <string>
#include <string_view>

#include "src/memory/heap.h"
#include "src/value.h"

namespace gpy {

struct Str : Object {
  static constexpr Layout kLayout = Layout::str;

  int64_t cached_hash = -1;  // -1: not yet
  size_t bytes;              // of UTF-8
  size_t length;             // code points
  size_t interned : 1 = 0;
  size_t block_bytes : 63;  // header, text and room to grow

  // Bytes of text that fit.
  size_t room() const { return block_bytes - sizeof(Str) - 1; }
  bool is_ascii() const { return bytes == length; }
  std::string_view view() const { return {data(), bytes}; }
  const char* data() const { return reinterpret_cast<const char*>(this + 1); }
  const char* c_str() const { return data(); }  // followed by a zero byte
  int64_t hash();

  // Byte offset of a code point (0..length).
  size_t offset_of(size_t position) const;
  // The code points [from, to) as text; bounds are the caller's.
  std::string_view slice(size_t from, size_t to) const;

  static Ref<Str> make(Interpreter& vm, std::string_view utf8);
  static Ref<Str> make_of(Type* type, std::string_view utf8);  // of str or a class over it
  // Space for `bytes` to be filled in through mutable_data, then finish() counts code points.
  // With a `capacity` above that, the block has room to grow in place.
  static Ref<Str> make_uninitialised(Interpreter& vm, size_t bytes, size_t capacity = 0);
  char* mutable_data() { return reinterpret_cast<char*>(this + 1); }
  void finish();
  static void destroy(Object* self);

 private:
  static Ref<Str> allocate(Type* type, size_t bytes, size_t capacity);
  friend class Interpreter;
  Str(Type* type, size_t bytes, size_t block_bytes)
      : Object(type), bytes(bytes), length(bytes), block_bytes(block_bytes) {}
};

int64_t hash_bytes(std::string_view bytes);  // never -1
// Steps over one code point of valid UTF-8.
char32_t decode_utf8(const char*& at);
void append_utf8(std::string& text, char32_t code_point);
bool is_valid_utf8(std::string_view bytes);

struct Bytes : Object {
  static constexpr Layout kLayout = Layout::bytes;
  Bytes(Type* type, std::string data);
  std::string data;  // that of a bytearray changes
  // Called after a change of its size.
  void count() { noted_.set(data.capacity()); }

 private:
  NotedBytes noted_;
};

}  // namespace gpy
