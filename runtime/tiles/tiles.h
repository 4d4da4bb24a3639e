#pragma once

// Evaluates a plan's loads, operations and stores over ranges of its elements ("tiles"): about a
// thousand at a time, so that intermediate values stay in the first-level cache; more where there
// is one operation, which makes none.
//
// A TileProgram is shared by the threads of a run; each thread runs it through a TileRunner of its
// own.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/graph/plan.h"

namespace gpy::rt {

inline constexpr int64_t kTile = 1024;

// A position in the loop nest: the indices of all dimensions.
struct Coordinates {
  int64_t index[kMaxRank];
};

class TileProgram {
 public:
  // `order` permutes the plan's dimensions (empty: as they are); ranges are counted in that order.
  // `apart`: no output will share memory with an input. Tiles hold about `tile` elements.
  // Keeps a reference to the plan.
  void prepare(const Plan& plan, std::span<const int> order, bool apart, int64_t tile);
  // Keeps a reference to the bindings.
  void bind(const Bindings& bindings);

  int64_t count() const { return count_; }
  int rank() const { return static_cast<int>(extents_.size()); }
  int64_t extent(int axis) const { return extents_[axis]; }
  int64_t inner() const { return extents_.back(); }
  void locate(int64_t position, Coordinates& at) const;

  // The pieces to cut the whole range into: whole rows or even parts of one.
  int64_t tile_count() const { return tile_count_; }
  void tile(int64_t number, int64_t* start, int64_t* length) const;
  int64_t max_tile() const { return max_tile_; }

  // True where a register is contiguous memory and there is nothing to compute or to store.
  bool reads_in_place(Register value) const {
    return steps_.empty() && stores_.empty() && operands_[value].access == Access::kDirect;
  }

  const Plan& plan() const { return *plan_; }
  // The work of one element, in additions, about.
  int64_t cost() const { return cost_; }

 private:
  friend class TileRunner;
  static constexpr int kPanelRows = 8;

  enum class Access : uint8_t {
    kDirect,    // contiguous: used in place
    kRows,      // contiguous inside a row: in place where a tile lies in one row, else staged
    kStaged,    // copied into a tile
    kAcross,    // contiguous across rows: a panel of some rows is copied at a time
    kPeriodic,  // repeats along the range, as what is broadcast does: staged once for all tiles
    kIota,
    kUnused,  // read by gathers only
  };
  struct Source {
    Access access = Access::kUnused;
    int size = 0;
    int64_t period = 0;
    int slot = -1;
    const std::byte* data = nullptr;
    const int64_t* strides = nullptr;  // rank() of them, in elements
  };
  struct TileStep {
    enum class Kind : uint8_t { kStage, kCall, kGather };
    Kind kind = Kind::kCall;
    bool quiet = false;
    Register to = 0;
    std::array<Register, 3> args = {kNoRegister, kNoRegister, kNoRegister};
    uint16_t op = 0;     // in the plan, for the report
    uint16_t input = 0;  // of a gather
    TileLoop loop = nullptr;
    int slot = -1;   // of the result
    int store = -1;  // the output written without a copy; -1: none
  };
  struct Store {
    Register value = 0;
    Register index = kNoRegister;
    Access access = Access::kStaged;
    int size = 0;
    std::byte* data = nullptr;
    const int64_t* strides = nullptr;
  };

  void set_extents(std::span<const int> order);
  const int64_t* keep_strides(std::span<const int64_t> strides, std::span<const int> order);
  Access access_of(const int64_t* strides) const;
  int64_t period_of(const int64_t* strides) const;
  void choose_tiles();
  void cut_rows(int64_t most);
  void choose_tiles_across();
  void widen_tiles();
  bool runs_across(const int64_t* strides, int64_t size) const;
  void add_operands(std::span<const int> order);
  void add_stores(std::span<const int> order);
  void find_last_uses();
  void add_steps();
  void add_stage(Register input, int now);
  void add_op(int op);
  int take_slots(int count);
  void release_dying(const TileStep& step, int now, int size_wanted);
  int direct_store(Register value, bool last) const;

  const Plan* plan_ = nullptr;
  std::vector<int64_t> extents_;
  std::vector<int64_t> stride_pool_;
  int64_t count_ = 0;
  int64_t cost_ = 1;
  int64_t tile_count_ = 0;
  int64_t tile_ = kTile;       // elements that a tile is meant to hold
  int64_t max_tile_ = kTile;   // elements of the largest tile
  int64_t staged_ = kTile;     // the most elements that a slot holds, and that a loop is given
  int64_t tiles_per_row_ = 0;  // 0: tiles are `max_tile_` consecutive elements
  bool rows_fastest_ = false;  // tiles of one strip of columns follow one another
  bool apart_ = false;         // no output shares memory with an input
  Register op_base_ = 0;       // registers from here on are results of ops
  int slots_ = 0;
  int64_t slot_bytes_ = 0;
  std::vector<Source> operands_;  // inputs, then scalars
  std::vector<TileStep> steps_;
  std::vector<Store> stores_;
  // Tables by register, used while steps are made.
  std::vector<int> last_use_;
  std::vector<int> slot_of_;
  std::vector<bool> ready_;
  std::vector<int> free_slots_;
};

// The thread's floating-point events, in <cfenv>'s bits.
void clear_events();
int raised_events();

class TileRunner {
 public:
  // `flags`, if given, has one entry an op and gathers the events.
  TileRunner(const TileProgram& program, int* flags);

  // Computes all registers of a range of at most max_tile() elements (any number where the plan
  // only reads a register in place) and stores the outputs.
  void run(int64_t start, int64_t length);
  const void* value(Register value) const { return pointers_[value]; }

  // Runs `work`, whose floating-point events count as those of op `op`.
  template <class Work> void with_events(size_t op, bool quiet, Work&& work) {
    if (!flags_ || quiet) return work();
    clear_events();
    work();
    flags_[op] |= raised_events();
  }

 private:
  using Access = TileProgram::Access;
  using Source = TileProgram::Source;
  using TileStep = TileProgram::TileStep;
  using Store = TileProgram::Store;

  std::byte* slot(int number) const { return room_ + number * program_.slot_bytes_; }
  bool in_one_row() const;
  void point_at_operands();
  void run_step(const TileStep& step);
  void call(const TileStep& step, void* to);
  void call_in_pieces(const TileStep& step, std::array<const void*, 3> args, void* to);
  void gather(const TileStep& step, void* to);
  void stage(const Source& operand, void* to) const;
  void turn_panels();
  void* place(const Store& store) const;
  void store(const Store& store) const;
  int64_t offset(const int64_t* strides) const;

  const TileProgram& program_;
  int* flags_;
  std::byte* room_;
  const void** pointers_;
  Coordinates at_;
  int64_t start_ = 0;
  int64_t length_ = 0;
  int64_t panel_start_ = -1;  // where the first row of the panels begins
};

}  // namespace gpy::rt
