// SPDX-License-Identifier: Apache-2.0
// How long a case may go on before it is taken for one that never ends: what smaller ones of its row took says it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>

#include "fuzz/cases/coverage.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

/// What a case was, as far as its length depends on it, and how long it was.
struct RunLength {
  int ranks = 0;
  std::int64_t count = 0;                    ///< elements of the whole vector
  std::uint64_t turns = 0;                   ///< that its ranks had between calls that could end one
  std::chrono::duration<double> seconds{0};  ///< the host's
};

/// Beyond which a case is endless, and up to which it is only slow.
struct RunBound {
  std::uint64_t turns = 0;
  std::chrono::duration<double> turn{0};  ///< one turn of a rank, in which it makes no call
};

/// Learns from cases that have ended. Safe from any thread.
class RunBounds {
 public:
  void learn(const FuzzCoverage::Row& row, const RunLength& length);
  /// Of a row that nothing is known of, as far as any collective may go.
  RunBound bound(const FuzzCoverage::Row& row, int ranks, std::int64_t count) const;
  RunBound bound(const Experiment& what) const;

 private:
  struct Learnt {
    std::int64_t cases = 0;
    double turns_per_step = 0;  ///< the most
    std::chrono::duration<double> longest{0};
  };

  mutable std::mutex mutex_;
  std::map<FuzzCoverage::Row, Learnt> learnt_;
};

}  // namespace heddle
