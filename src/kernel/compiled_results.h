#pragma once
// What a compiled function gives back, as values: results, and what it has made of the lists and
// instances among its arguments.

#include <map>
#include <span>
#include <vector>

#include "runtime/typed/words.h"
#include "src/interpreter.h"
#include "src/translate/dialect.h"

namespace gpy {

class CompiledResults {
 public:
  // `given`: the arguments, which stay. What is one of them, or a view of one, is that object.
  // `read`: what was read of them; the lists and instances in it stay as long as this is, whatever
  // happens to what holds them.
  CompiledResults(Interpreter& vm, Dialect dialect, std::span<const Value> given,
                  std::span<const rt::typed::Data> read);

  Value value(const TypedType& type, const rt::typed::Data& data);
  // Puts the content into the list or the instance that `data` is of.
  void write_back(const TypedType& type, const rt::typed::Data& data);

 private:
  Value number(const rt::Scalar& number);
  Value array(const rt::Array& array);
  Value array_in(std::span<const Value> known, const rt::Array& array);
  Value instance(const TypedType& type, const rt::typed::Data& data);
  Value named_tuple(const TypedType& type, const std::vector<Value>& items);
  Value list(const TypedType& type, const rt::typed::Data& data);
  std::vector<Value> items(const TypedType& type, const rt::typed::Data& data);
  void keep(const rt::typed::Data& data);

  Interpreter& vm_;
  Dialect dialect_;
  std::span<const Value> given_;
  std::vector<Value> fields_;  // arrays that were in the fields of instances
  std::vector<Value> kept_;
  std::map<const void*, Value> made_;  // new instances
};

}  // namespace gpy
