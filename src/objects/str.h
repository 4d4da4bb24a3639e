#pragma once
// Text is generalized UTF-8 (utf8.h) in one block behind its header, with the count of code points:
// if the bytes are as many, it is plain ASCII, and byte and character positions agree. Only the
// functions below make one, so code that gets a Str need not check it again.

#include <string>
#include <string_view>

#include "src/memory/heap.h"
#include "src/objects/utf8.h"
#include "src/value.h"

namespace gpy {

struct Str : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::str;

  int64_t cached_hash = -1;  // -1: not yet
  size_t bytes;              // of UTF-8
  size_t length;             // code points
  size_t interned : 1 = 0;
  size_t block_bytes : 63;  // header, text and room to grow

  // The number of bytes of text that fit.
  size_t room() const { return block_bytes - sizeof(Str) - 1; }
  bool is_ascii() const { return bytes == length; }
  bool is_unshared() const { return refs == 1 && !interned; }
  std::string_view view() const { return {data(), bytes}; }
  const char* data() const { return reinterpret_cast<const char*>(this + 1); }
  const char* c_str() const { return data(); }  // followed by a zero byte
  int64_t hash();

  // Byte offset of a code point (0..length).
  size_t offset_of(size_t position) const;
  // The code points [from, to) as text; bounds are the caller's.
  std::string_view slice(size_t from, size_t to) const;

  // A Str of any text, checked and counted: a byte that is not generalized UTF-8 becomes the
  // surrogate that stands for it.
  static Ref<Str> make(Interpreter& vm, std::string_view text);
  static Ref<Str> make_of(Type* type, std::string_view text);  // of str or a class over it
  // A Str of a piece cut out of another one between code points, or of a result of decode_text: not
  // checked again, only counted where its length is not given.
  static Ref<Str> make_part(Interpreter& vm, std::string_view part);
  static Ref<Str> make_part(Interpreter& vm, std::string_view part, size_t length);
  // A Str for a concatenation of whole Strs, with the sums of their bytes and lengths, to be filled
  // in through mutable_data. With a `capacity` above that, the block has room to grow in place.
  static Ref<Str> make_joined(Interpreter& vm, size_t bytes, size_t length, size_t capacity = 0);
  char* mutable_data() { return reinterpret_cast<char*>(this + 1); }
  // Grows in place if nobody else refers to it and there is room; false: it did not.
  bool try_append(const Str& more);
  static void destroy(Object* self);

 private:
  static Ref<Str> allocate(Type* type, size_t bytes, size_t length, size_t capacity = 0);
  static Ref<Str> copy_of(Type* type, std::string_view text, size_t length);
  static Ref<Str> make_character(Interpreter& vm, char c);
  friend class Interpreter;
  Str(Type* type, size_t bytes, size_t length, size_t block_bytes)
      : Object(type), bytes(bytes), length(length), block_bytes(block_bytes) {}
};

int64_t hash_bytes(std::string_view bytes);  // never -1

struct Bytes : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::bytes;
  Bytes(Type* type, std::string data);
  std::string data;  // of a bytearray it changes
  // Called after a change of its size.
  void count() { noted_.set(data.capacity()); }

 private:
  NotedBytes noted_;
};

}  // namespace gpy
