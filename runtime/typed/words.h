#pragma once

// The arguments of a call as words of 8 bytes, as support/words.h reads them.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/graph/lent_memory.h"
#include "runtime/typed/form.h"

namespace gpy::rt::typed {

// A value that a function takes or gives, of one of Type's kinds.
struct Data {
  Scalar number;
  Array array;
  std::vector<Data>
      items;  // of a tuple or a list, keys and values in turn, or an instance's fields
  // Of a list or an instance, which keeps it through a call; a new one has its items too.
  const void* identity = nullptr;
  bool is_new = false;
};

size_t word_count(const Type& type);
// The arguments of a function in C++: "Words<f64>::get(given + 0), ...".
std::string argument_text(const Function& function, std::string_view words);

// Arrays are lent to the call in one place, for writing too if it `writes`, while this lives.
class ArgumentWords {
 public:
  ArgumentWords(Session& session, Place place, bool writes)
      : session_(session), place_(place), writes_(writes) {}

  // For so many words in all.
  void reserve(size_t words) { words_.reserve(words); }
  // The data stays where it is. A list or an instance that comes again is the same one. `name`: the
  // parameter's, for findings of checked kernels.
  void add(const Type& type, const Data& data, std::string_view name = {});
  const uint64_t* data() const { return words_.data(); }
  size_t count() const { return words_.size(); }

  // The arrays among the arguments, in their order.
  struct Lent {
    const Array* array;
    const std::byte* address;  // of element 0
    std::string_view name;     // of the argument
  };
  const std::vector<Lent>& lent() const { return lent_; }
  // The array that an address lies in, and its offset in that array's storage; null: none.
  const Array* array_at(const std::byte* address, int64_t& offset) const;

  // Lists and instances that were handed over, as support/records.h reads them.
  struct Given {
    Type type;
    const void* identity;
    std::vector<uint64_t> words, items;
    // Null as long as the function has not read it.
    const uint64_t* content() const { return words[0] ? words.data() + kRecordHead : nullptr; }
  };
  static constexpr size_t kRecordHead = 3;
  const std::vector<std::unique_ptr<Given>>& given() const { return given_; }
  // Null: a new one.
  const Given* given_at(uint64_t address) const;

 private:
  void add_number(DType dtype, const Scalar& number);
  void add_array(const Type& type, const Array& array, std::string_view name);
  uint64_t record_of(const Type& type, const Data& data);
  // What `add` adds goes there.
  template <class F> void add_into(std::vector<uint64_t>& words, F&& add);

  Session& session_;
  Place place_;
  bool writes_;
  std::vector<uint64_t> words_;
  std::vector<LentMemory> memory_;
  std::vector<Lent> lent_;
  std::vector<std::unique_ptr<Given>> given_;
  std::unordered_map<const void*, uint64_t> records_;  // addresses by identity
  std::unordered_map<uint64_t, const Given*> given_at_;
};

}  // namespace gpy::rt::typed
