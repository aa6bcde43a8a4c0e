// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in a neighbor exchange, and about which blocks, as pure functions.
//
// n positions in a ring, n even; positions 2q and 2q + 1 are pair q. In round 0 the two of a pair exchange their own blocks.
// From then on every position turns to its other neighbour and back, round after round, and they exchange pairs of blocks: each
// sends what it got in the round before (in round 1 its own pair).
//
//   n = 6    position    0        1        2        3        4        5
//   round 0    with      1        0        3        2        5        4
//   round 1    with      5        2        1        4        3        0
//              gets     4 5      2 3      0 1      4 5      2 3      0 1
//   round 2    with      1        0        3        2        5        4
//              gets     2 3      4 5      4 5      0 1      0 1      2 3
//
// Source: Chen, Zhang, Zhang, Yuan, Performance evaluation of allgather algorithms on terascale Linux cluster with Fast
// Ethernet (2005).
#pragma once
namespace heddle::plans {

/// n/2, or none for less than two positions.
constexpr int neighbor_exchange_rounds(int positions) { return positions / 2; }

constexpr int neighbor_exchange_partner(int position, int round, int positions) {
  const bool upwards = (position % 2 == 0) == (round % 2 == 0);
  return (position + (upwards ? 1 : positions - 1)) % positions;
}

/// The pair that a position has both blocks of after a round, 0 … n/2 - 1, and had not before it; after round 0 its own.
constexpr int neighbor_exchange_pair_gotten(int position, int round, int positions) {
  const int pairs = positions / 2;
  const int way = (round + 1) / 2;  // further at every turn, to either side
  const bool upwards = (position % 2 == 0) == (round % 2 == 0);
  return (position / 2 + (upwards ? way : pairs - way)) % pairs;
}

}  // namespace heddle::plans
