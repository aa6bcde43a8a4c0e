// SPDX-License-Identifier: Apache-2.0
// Case number `index` of a seed: drawn from these two alone, so that any number of threads draws the same cases.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

/// What is not drawn, but given; what is empty is drawn as ever.
struct DrawOnly {
  std::string topology = {};
  std::shared_ptr<const GivenFabrics> given = {};  ///< that the topology may be one of
  std::vector<int> ranks = {};                     ///< one of these
  std::vector<Datatype> types = {};                ///< one of these
  std::vector<const ReduceOp*> ops = {};           ///< one of these, affine maps among them
  std::optional<bool> in_place = {};

  bool is_nothing() const { return *this == DrawOnly(); }
  bool operator==(const DrawOnly&) const = default;
};

struct DrawBounds {
  int most_ranks = 64;    ///< ≥ 1
  int fault_once_in = 0;  ///< one case in so many has faults; 1: each; 0: none
  /// One case in so many is large, each row's in turn: many elements, then many ranks; 1: each; 0: none.
  int large_once_in = 0;
  /// One case in so many has a count beyond 31 bits, and no data, each row's in turn; none where less than 4.
  int positions_once_in = 0;
  /// Of large cases; none has more ranks than others do where it is 64 or less.
  int most_large_ranks = 256;
  DrawOnly only = {};
};

/// One call of one of the rows, each row as likely, that the row serves: its options at their defaults or, one in three, one of their
/// examples; 1 … most_ranks ranks, small and odd numbers favoured; fabrics of every family, with switches that compute and
/// without, at several speeds; ranks in order or not; any count around the numbers where blocks become empty or uneven, or
/// blocks of any sizes; all ranks together or in groups at once; any type, operation and root; in place or not; eager,
/// synchronous or limited; in order or permuted by an order seed, some with messages that come later; on user-level or,
/// rarely, kernel threads; elements of 3, 12 and 24 bytes and special floats where these can be; one in 32 of up to 40 ranks
/// in packets; by the row's formula no more than 2^13 messages, of large cases 2^15. `rows` is not empty, and becomes the case's
/// own. Without faults each case is what it would be anyway, and so is each that is not large. Throws InputError if a row serves
/// nothing that is drawn for it in a thousand attempts. Safe from any thread.
Experiment draw_case(std::uint64_t seed, std::uint64_t index, const std::shared_ptr<const std::vector<Algorithm>>& rows,
                     const DrawBounds& bounds = {});

/// Whether any of some two hundred calls that are drawn for the row is one that it serves. Safe from any thread.
bool is_ever_served(const Algorithm& row, const DrawBounds& bounds);

/// Whose case it is, which is cheap to know.
const Algorithm& row_of_case(std::uint64_t seed, std::uint64_t index, const std::vector<Algorithm>& rows,
                             const DrawBounds& bounds = {});

}  // namespace heddle
