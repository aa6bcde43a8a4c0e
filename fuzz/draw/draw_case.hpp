// SPDX-License-Identifier: Apache-2.0
// Case number `index` of a seed: drawn from these two alone, so that any number of threads draws the same cases.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "lab/experiment/experiment.hpp"

namespace heddle {

/// One call of one of the rows, each row as likely, that the row serves: its options at their defaults or one of their
/// examples; 1 … most_ranks ranks, small and odd numbers favoured; fabrics of every family, with switches that compute and
/// without, at several speeds; ranks in order or not; any count around the numbers where blocks become empty or uneven, or
/// blocks of any sizes; all ranks together or in groups at once; any type, operation and root; in place or not; eager,
/// synchronous or limited; in order or permuted by an order seed, some with messages that come later; on user-level or,
/// rarely, kernel threads. `rows` is not empty, and becomes the case's own; most_ranks ≥ 1. With `fault_once_in` one case in so many has faults (all for 1,
/// none for 0); without them each case is what it would be anyway. Throws InputError if a row serves nothing that is drawn for
/// it in a thousand attempts. Safe from any thread.
Experiment draw_case(std::uint64_t seed, std::uint64_t index, const std::shared_ptr<const std::vector<Algorithm>>& rows,
                     int most_ranks, int fault_once_in = 0);

}  // namespace heddle
