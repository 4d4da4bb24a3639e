#pragma once

// Writes the part of a kernel that is the same in every form: how the elements of a few lanes are
// loaded, computed and stored. Names in the text: d<dim> indices, in<i>/out<i>/s<i> parameters,
// x<i> loaded elements, v<i> results of operations, y<i> elements to store, k the lane.

#include <string>
#include <string_view>

#include "runtime/cuda/text/schedule.h"
#include "runtime/cpp_text/writer.h"

namespace gpy::rt::cuda {

class LaneWriter {
 public:
  LaneWriter(const Plan& plan, const Schedule& schedule, CppWriter& out)
      : plan_(plan), s_(schedule), out_(out) {}

  // The index type, a function for each operation, the parameters.
  void declarations();
  // Elements and scalars that every lane shares.
  void shared_values();
  // Writes d<from>.. from a linear index over these dimensions. Along the vector dimension it
  // counts vectors if `in_vectors`, else elements.
  void decompose(std::string_view index, int from, int to, bool in_vectors);

  // Loads with vectors: x<i> for the lanes at the indices d<dim>, of which `valid` hold elements.
  void load_vectors(std::string_view valid);
  // Load without vectors: the text between the two finds the indices d<dim> of lane k, or leaves
  // live[k] false.
  void open_lane_loads();
  void close_lane_loads();

  // kTiled: copies the element at d<dim> to tile<i>[row][column].
  void fill_tiles();

  // Computes y<i> of every lane, and value[k], declared already, where the plan reduces.
  void compute(std::string_view valid);
  void store(std::string_view valid);

  // `const ix NAME = d0 * p.PREFIX_s0 + ...;`
  void offset(std::string_view name, std::string_view prefix, Access access);

 private:
  bool is_moved(Register value) const;
  // The name of an operation's operand: for a bool, whether its byte is not 0.
  std::string register_name(Register value) const;
  // The name of a value to store: a bool that is only moved keeps its byte, as on the host.
  std::string stored_name(Register value) const;
  std::string offset_text(std::string_view prefix, Access access) const;
  void load_vector(int input, std::string_view valid);
  void load_lane(int input);
  void operation(int index);
  void gather(int index);
  void operation_functions();
  int function_of(int op) const;
  bool gathers() const;
  std::string_view input_type(int input) const;

  const Plan& plan_;
  const Schedule& s_;
  CppWriter& out_;
};

}  // namespace gpy::rt::cuda
