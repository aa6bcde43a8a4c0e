// SPDX-License-Identifier: Apache-2.0
// A collective step by step: who sends which blocks to whom, and what each rank holds after it. Found by a run of its own, whose
// elements know what they are made of: as few of them as the algorithm tells apart, a block each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/run/setup.hpp"

namespace heddle {

struct BlockSteps {
  /// What a rank holds of a block from now on: so many of the contributions that it is made of.
  struct Gain {
    int rank = 0;
    int block = 0;
    int terms = 0;
  };
  /// A message. In place of a rank: PostedMessage::kSwitches.
  struct Move {
    int source = 0;
    int dest = 0;
    std::vector<int> blocks = {};
  };
  struct Step {
    std::vector<Move> moves = {};
    std::vector<Gain> gains = {};
  };
  /// Blocks first … first + count - 1.
  struct Needed {
    int first = 0;
    int count = 0;
  };

  int ranks = 0;
  int blocks = 0;  ///< of the rank that has most
  int whole = 1;   ///< contributions that a finished block is made of
  /// Blocks are numbered by whom they come from, apart for each rank that gets them: an alltoall.
  bool by_source = false;
  std::vector<Needed> needed = {};  ///< by rank: what it must hold whole in the end
  std::vector<Gain> before = {};    ///< what ranks begin with
  std::vector<Step> steps = {};     ///< by round: each message in the one that its place in the chain of messages says
};

/// Of the setup's call by one of its algorithms, on its fabric. Throws InputError that says why there are none: several groups, too
/// many ranks or blocks, or a call that goes wrong.
BlockSteps block_steps(const Setup& setup, const Algorithm& algorithm);

}  // namespace heddle
