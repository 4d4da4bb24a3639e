#pragma once

// The arguments of a call as words of 8 bytes, as support/words.h reads them.

#include <string>
#include <vector>

#include "runtime/graph/lent_memory.h"
#include "runtime/typed/form.h"

namespace gpy::rt::typed {

// A value that a function takes or gives, of one of Type's kinds.
struct Data {
  Scalar number;
  Array array;
  std::vector<Data> items;  // of a tuple or a list
};

size_t word_count(const Type& type);
// The arguments of a function in C++: "Words<f64>::get(given + 0), ...".
std::string argument_text(const Function& function, std::string_view words);

// Arrays are lent to the call in one place, for writing too if it `writes`, while this lives.
class ArgumentWords {
 public:
  ArgumentWords(Session& session, Place place, bool writes)
      : session_(session), place_(place), writes_(writes) {}

  // The data stays where it is.
  void add(const Type& type, const Data& data);
  const uint64_t* data() const { return words_.data(); }
  size_t count() const { return words_.size(); }

  // The array that an address lies in, and its offset in that array's storage; null: none.
  const Array* array_at(const std::byte* address, int64_t& offset) const;

 private:
  struct Lent {
    const Array* array;
    const std::byte* address;  // of element 0
  };
  void add_number(DType dtype, const Scalar& number);
  void add_array(const Type& type, const Array& array);

  Session& session_;
  Place place_;
  bool writes_;
  std::vector<uint64_t> words_;
  std::vector<LentMemory> memory_;
  std::vector<Lent> lent_;
};

}  // namespace gpy::rt::typed
