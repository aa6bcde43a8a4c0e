// SPDX-License-Identifier: Apache-2.0
// Which of heddle's algorithms a collective of a program runs.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/registry.hpp"

namespace heddle::mpi {

/// The user's choice ("allreduce=ring,bcast=mpi:libmine.so:my_bcast"), and for the others a short table: the algorithms that are good on any
/// fabric, small calls and large ones apart (docs/mpi.md). Any thread.
class ChosenAlgorithms {
 public:
  /// `text` empty or "auto": the table alone. `own`: entries that stand before heddle's. Throws InputError with the nearest name.
  explicit ChosenAlgorithms(std::string_view text = {}, std::vector<Algorithm> own = {});

  /// One that serves the shape. What was chosen and does not serve it throws UsageError with the reason.
  const Algorithm& operator()(Collective collective, const Shape& shape, const ReduceOp* op) const;

 private:
  std::map<Collective, Algorithm> chosen_;
};

}  // namespace heddle::mpi
