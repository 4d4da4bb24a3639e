#pragma once

// The expressions of a function of the typed form as C++ text.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cpp_text/writer.h"
#include "runtime/typed/form.h"

namespace gpy::rt::typed {

// The rows of the table that a program uses, by the names of their functions.
class Rows {
 public:
  const std::string& name(const Ufunc& ufunc, int loop);
  std::string take() { return text_.take(); }

 private:
  std::map<std::pair<int, int>, std::string> names_;
  CppWriter text_;
};

// An element that is read already, or whose address follows from that of a strip's first round by
// what a compiler sees to be a sum that does not wrap (strips.h).
struct KnownElement {
  const Expression* element;
  std::string name, place;
};

class ExpressionText {
 public:
  // `checked` as in write.h; null: accesses are not checked.
  ExpressionText(Rows& rows, const Program& program, const Function& function,
                 std::vector<std::string>* checked)
      : rows_(rows), program_(program), function_(function), checked_(checked) {}

  std::string text(const Expression& node);
  // Of an element, or a field, that can be assigned to.
  std::string place_text(const Expression& node);
  std::string storage_name(size_t index) const;
  // The number that findings have for the name of an array.
  size_t name_number(const std::string& name) const;

  // The elements that have other places as long as they are here.
  std::vector<KnownElement> known;

 private:
  std::string access_place(const Expression& array) const;
  std::string memory(const Expression& node);
  std::string arguments(const std::vector<Expression>& args, size_t first = 0);
  std::string call(const std::string& function, const std::vector<Expression>& args,
                   const std::string& before = "");
  std::string elementwise(const Expression& node);

  Rows& rows_;
  const Program& program_;
  const Function& function_;
  int temporaries_ = 0;
  std::vector<std::string>* checked_;
};

}  // namespace gpy::rt::typed
