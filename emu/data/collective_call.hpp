// SPDX-License-Identifier: Apache-2.0
// A collective to call and the data to call it on, as checked runs take them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/count_matrix.hpp"
#include "heddle/collective.hpp"
#include "heddle/datatype.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/units.hpp"
#include "heddle/vector_view.hpp"

namespace heddle {

// What is in the data of a checked call.

enum class DataValues : std::uint8_t {
  usual,
  /// NaN, infinities, both zeros and subnormal numbers among them, to be copied bit for bit; those that are compared have one
  /// NaN, the quiet one. Of calls that reduce by another operation than min and max: as usual.
  special,
  /// Of any type: stretches of 0, stretches in which a rank's elements are all alike, and single 0 among the others. What is only
  /// moved has stretches of equal bytes. Where a 0 would hide the others' (a product, a bitwise and, a user's operation), none.
  runs,
};

namespace emu {
struct KeptOutput;
}

/// What to call and on how much data.
struct CollectiveCall {
  Collective collective = Collective::allreduce;
  CollectiveFunction function;
  std::string name = {};  ///< for messages: "ring"
  Datatype type = Datatype::i32();
  const ReduceOp* op = &ReduceOp::sum();  ///< of a collective that reduces
  DataValues values = DataValues::usual;
  std::int64_t count = 0;  ///< elements of the whole vector, as timed
  std::uint64_t seed = 1;  ///< of the data
  /// Elements really kept of the whole vector, 0 < sampled ≤ count (or both 0); byte_scale is count / sampled.
  std::int64_t sampled = 0;
  Rank root = {};  ///< of a collective that has one
  /// Sizes of the p blocks of a collective that has them, `count` in all (and sampled = count); empty: cut as evenly as it goes.
  /// Of an alltoall they stand for CountMatrix::by_sum(blocks); without sizes p divides count and sampled.
  std::vector<std::int64_t> blocks = {};
  /// Of an alltoall, in place of `blocks`: what each rank sends to each other one. `count` is what the rank that sends most
  /// sends, and sampled / count of each number is whole. In place alone where the matrix is symmetric. Empty: all as much.
  CountMatrix sends = {};
  bool in_place = true;  ///< input and output are one vector on each rank that has both
  /// How many calls are made back to back, at least 1, of which the first is measured. The second has the next rank as root
  /// and other data; the third the first's root and another count; the fourth is the second's on another communicator of the same
  /// ranks; the fifth is the first's again. So it goes on: the sixth is as the second, the seventh as the third, and so forth, each
  /// with data of its own. With 1, what a call leaves for the next is not checked: for callers who make the second in another run.
  /// A barrier is called several times in any case.
  int calls = 2;
  /// Which counts of the whole vector and roots the function serves: later calls keep to them where the first one's do. Null: all.
  std::function<bool(std::int64_t count, Rank root)> serves = nullptr;
  /// Inputs that must not change are compared whenever a rank blocks: all of them each time, or else as much as costs little.
  bool watch_whole_inputs = false;
  /// Promised of a result that rounds, a sum or a product of floats: all ranks of an allreduce hold the same bits (what is only
  /// copied is compared with its source in any case).
  bool same_bits = true;
  /// Promised of such a result of any collective: it is the same, to the bit, in every order of events. RunToRun looks.
  bool same_bits_in_any_order = true;
  /// If above 0, what ranks do is a schedule that heddle carries out, on so many chunks of the vector: whenever it is called, in any
  /// order and with any data it does the same, which nobody need try, and it moves chunks whole.
  std::int64_t schedule_chunks = 0;
  /// If set, is filled with one rank's result (emu/data/call_bits.hpp). Outlives the run.
  emu::KeptOutput* keep = nullptr;
  /// What the fabric's switches may round the type to before they reduce it: set by run_checked.
  std::optional<Datatype> switch_precision = {};
};

/// Vectors of `count` elements (blocks of one together count as one) that all ranks hold in a checked run of this collective.
double vectors_held(Collective collective, int ranks, bool in_place);

/// Elements to hold so that `vectors` vectors of them stay within `budget`: all of `count` if they fit; else the largest
/// divisor of `count` that is a multiple of `block_count` and fits (where block_count does not divide count: the largest multiple of
/// block_count that fits); never below `block_count` (or `count`, where that is less), whatever the budget. block_count, element_size ≥ 1.
std::int64_t choose_sampled(std::int64_t count, std::int64_t block_count, double vectors, std::size_t element_size,
                            Bytes budget);

/// What run_checked looks at for this call, one stable word each, for reports: "result", "input" where it must not change,
/// "order" where the operation's result depends on it, "same_bits" where ranks must agree and might not, "hygiene", "again" if it is made, "too_fast", "deadlock".
std::vector<std::string> checks_of(const CollectiveCall& call);

}  // namespace heddle
