// SPDX-License-Identifier: Apache-2.0
// A round as the sources write it, one rank at a time: what the functions of namespace `paper` return.
//
// Each of them is a few lines: a source's formulas for whom a rank sends to and which blocks. Nothing runs by them. What runs
// is a general schedule (block_steps.hpp), and tests hold that both send the same, for every size that the source serves:
//
//   source    rounds                                                                       what runs
//   Swing     paper::swing_round        schedule/butterflies/swing_schedule.hpp            swing_block_schedule
//   Träff     paper::circulant_round    schedule/skips/circulant_skips.hpp                 circulant_schedule
//   Trivance  paper::trivance_round     schedule/windows/trivance_pattern.hpp              trivance_paths
//   Bine      paper::bine_round         schedule/bine/bine_schedule.hpp (the trees:        bine_block_schedule,
//                                       schedule/bine/bine_tree.hpp)                       bine_halving_schedule
//
// Parameters have the sources' letters: rank r of p (Trivance: n), step s, k or i, counted from 0 on.
#pragma once

#include <map>
#include <set>

namespace heddle::schedule::paper {

/// What one rank sends in a round: by peer, blocks, each named by the rank that is to have it in the end.
using Round = std::map<int, std::set<int>>;

}  // namespace heddle::schedule::paper
