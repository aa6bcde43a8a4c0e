// SPDX-License-Identifier: Apache-2.0
// Alltoalls in which blocks are passed on from neighbour to neighbour. First the relay over any dimensions, then the
// algorithms.
#include "algorithms/families/relays.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/collective.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

namespace {

constexpr std::array kDirections{+1, -1};

}  // namespace

Relay::Relay(Communicator& comm, const Lattice& lattice, bool wraps, int first_dimension, int opposite, Turns turns)
    : comm_(comm),
      ranks_in_order_(
          comm.shared_plan<std::vector<int>>("ranks in the order of the grid from dimension " + std::to_string(first_dimension),
                                             [&] { return lattice.ranks_in_order(first_dimension); })) {
  for (int i = 0; i < lattice.dimensions(); ++i) {
    const int at = (first_dimension + i) % lattice.dimensions();
    const int size = lattice.size(at);
    const int mine = lattice.coordinate(comm.rank(), at);
    for (Dimension& earlier : dimensions_) earlier.blocks_each *= size;
    dimensions_.push_back({.ways = {size, wraps, opposite},
                           .mine = mine,
                           .up = lattice.neighbor(comm.rank(), at, (mine + 1) % size),
                           .down = lattice.neighbor(comm.rank(), at, (mine + size - 1) % size),
                           .groups = {}});
    place_ = place_ * size + mine;
  }
  for (int i = 0; i < lattice.dimensions(); ++i) {
    find_groups(i, turns);
    rounds_ += dimensions_[static_cast<std::size_t>(i)].ways.longest();
  }
}

void Relay::find_groups(int dimension, Turns turns) {
  int sources = 1;
  for (int i = 0; i < dimension; ++i) sources *= dimensions_[static_cast<std::size_t>(i)].ways.size;
  std::map<int, Group> groups;
  for (int source = 0; source < sources; ++source) {
    int start = 0, wait = 0, rest = source;
    for (int i = dimension - 1; i >= 0; --i) {
      const Dimension& before = dimensions_[static_cast<std::size_t>(i)];
      const int from = rest % before.ways.size;
      rest /= before.ways.size;
      start += turns == Turns::together ? before.ways.longest() : before.ways.distance(from, before.mine);
      if (wait == 0 && from != before.mine) wait = i + 1;
    }
    Group& group = groups[start];
    group.start = start;
    group.sources.push_back(source);
    group.waits.push_back(wait);
  }
  for (auto& [start, group] : groups) dimensions_[static_cast<std::size_t>(dimension)].groups.push_back(std::move(group));
}

Relay::Stand Relay::stand(const Dimension& dimension, const Group& group, int coordinate, int direction, int round) {
  const Ways& ways = dimension.ways;
  const int gone = round - group.start;
  int from = coordinate - direction * gone;
  if (ways.wraps) from = (from + ways.size) % ways.size;
  if (from < 0 || from >= ways.size) return {gone, from, 0};
  return {gone, from, std::max(0, ways.reach(from, direction) - gone)};
}

class Relay::Run {
 public:
  Run(const Relay& relay, ConstVectorView outgoing, VectorView incoming, Piece piece)
      : relay_(relay), order_(*relay.ranks_in_order_), outgoing_(outgoing), incoming_(incoming) {
    const auto p = static_cast<std::int64_t>(relay.comm_.size());
    block_ = outgoing.count() / p;
    const BlockPartition cut(block_, piece.of);
    piece_ = cut.size(piece.number);
    piece_at_ = cut.offset(piece.number);
    if (piece_ == 0) return;
    for (std::size_t i = 1; i < relay.dimensions_.size(); ++i) waiting_.emplace_back(outgoing.type(), p * piece_);
    const std::int64_t on_the_way = most_on_the_way();
    held_.emplace_back(outgoing.type(), on_the_way);
    held_.emplace_back(outgoing.type(), on_the_way);
  }

  void alltoall() {
    if (piece_ == 0) return;
    Communicator& comm = relay_.comm_;
    const std::int64_t mine = comm.rank().value() * block_ + piece_at_;
    comm.copy(incoming_.slice(mine, piece_), outgoing_.slice(mine, piece_));
    for (round_ = 0; round_ < relay_.rounds_; ++round_) {
      taken_ = given_ = 0;
      for (std::size_t i = 0; i < relay_.dimensions_.size(); ++i) {
        for (const int direction : kDirections) post_receive(i, direction);
      }
      for (std::size_t i = 0; i < relay_.dimensions_.size(); ++i) {
        for (const int direction : kDirections) post_send(i, direction);
      }
      comm.wait_all(requests_);
      requests_.clear();
      std::swap(held_.front(), held_.back());
    }
  }

 private:
  /// Calls visit(group, stand) for the groups of batches that stand at a coordinate before a round and go on from there.
  template <class Visit>
  static void for_each_group(const Dimension& dimension, int coordinate, int direction, int round, const Visit& visit) {
    const int first_start = round - dimension.ways.longest() + 1;
    auto group = std::lower_bound(dimension.groups.begin(), dimension.groups.end(), first_start,
                                  [](const Group& earlier, int start) { return earlier.start < start; });
    for (; group != dimension.groups.end() && group->start <= round; ++group) {
      const Stand at = stand(dimension, *group, coordinate, direction, round);
      if (at.length > 0) visit(*group, at);
    }
  }

  /// The coordinate from which batches in a direction come here; none at the end of a line.
  static bool has_behind(const Dimension& dimension, int direction) {
    const int behind = dimension.mine - direction;
    return dimension.ways.wraps || (behind >= 0 && behind < dimension.ways.size);
  }
  static int behind(const Dimension& dimension, int direction) {
    return (dimension.mine - direction + dimension.ways.size) % dimension.ways.size;
  }

  std::int64_t most_on_the_way() const {
    std::int64_t most = 0;
    for (int round = 0; round < relay_.rounds_; ++round) {
      std::int64_t blocks = 0;
      for (const Dimension& dimension : relay_.dimensions_) {
        for (const int direction : kDirections) {
          if (!has_behind(dimension, direction)) continue;
          for_each_group(dimension, behind(dimension, direction), direction, round, [&](const Group& group, const Stand& at) {
            blocks += static_cast<std::int64_t>(group.sources.size()) * (at.length - 1) * dimension.blocks_each;
          });
        }
      }
      most = std::max(most, blocks);
    }
    return most * piece_;
  }

  /// What comes is sorted at once: what gets off to where it waits or stays, the rest in the order in which it goes on.
  void post_receive(std::size_t i, int direction) {
    const Dimension& dimension = relay_.dimensions_[i];
    if (!has_behind(dimension, direction)) return;
    receives_.clear();
    for_each_group(dimension, behind(dimension, direction), direction, round_, [&](const Group& group, const Stand& at) {
      for (const int source : group.sources) {
        const std::int64_t gets_off = (source * dimension.ways.size + at.from) * dimension.blocks_each;
        const VectorView goes_on = held_.back().view().slice(taken_, (at.length - 1) * dimension.blocks_each * piece_);
        taken_ += goes_on.count();
        if (direction > 0) {
          append_arrival(i, gets_off);
          append_part(receives_, goes_on);
        } else {
          append_part(receives_, goes_on);
          append_arrival(i, gets_off);
        }
      }
    });
    if (!receives_.empty()) requests_.push_back(relay_.comm_.irecv(dimension.neighbor(-direction), receives_));
  }

  /// Where the blocks of places first … first + blocks_each - 1, which travelled in dimension i, belong.
  void append_arrival(std::size_t i, std::int64_t first) {
    const std::int64_t blocks = relay_.dimensions_[i].blocks_each;
    const std::int64_t stays = relay_.place_ % blocks;
    append_waiting(receives_, i, first, stays);
    append_part(receives_, incoming_.slice(rank_at(first + stays) * block_ + piece_at_, piece_));
    append_waiting(receives_, i, first + stays + 1, blocks - stays - 1);
  }

  template <class View>
  void append_waiting(std::vector<View>& parts, std::size_t i, std::int64_t first, std::int64_t blocks) {
    if (blocks > 0) append_part(parts, View(waiting_[i].view().slice(first * piece_, blocks * piece_)));
  }

  void post_send(std::size_t i, int direction) {
    const Dimension& dimension = relay_.dimensions_[i];
    sends_.clear();
    for_each_group(dimension, dimension.mine, direction, round_, [&](const Group& group, const Stand& at) {
      if (at.gone > 0) {
        const std::int64_t count = static_cast<std::int64_t>(group.sources.size()) * at.length * dimension.blocks_each * piece_;
        append_part(sends_, ConstVectorView(held_.front().view().slice(given_, count)));
        given_ += count;
        return;
      }
      const int first = direction > 0 ? dimension.mine + 1 : dimension.mine - at.length;
      for (std::size_t batch = 0; batch < group.sources.size(); ++batch) {
        const std::int64_t row = std::int64_t{group.sources[batch]} * dimension.ways.size;
        for (int n = 0; n < at.length; ++n) {
          const int coordinate = (first + n + dimension.ways.size) % dimension.ways.size;
          append_start(group.waits[batch], (row + coordinate) * dimension.blocks_each, dimension.blocks_each);
        }
      }
    });
    if (!sends_.empty()) requests_.push_back(relay_.comm_.isend(dimension.neighbor(direction), sends_));
  }

  void append_start(int wait, std::int64_t first, std::int64_t blocks) {
    if (wait > 0) return append_waiting(sends_, static_cast<std::size_t>(wait - 1), first, blocks);
    if (order_.empty() && piece_ == block_) return append_part(sends_, outgoing_.slice(first * block_, blocks * block_));
    for (std::int64_t place = first; place < first + blocks; ++place)
      append_part(sends_, outgoing_.slice(rank_at(place) * block_ + piece_at_, piece_));
  }

  std::int64_t rank_at(std::int64_t place) const { return order_.empty() ? place : order_[static_cast<std::size_t>(place)]; }

  const Relay& relay_;
  const std::vector<int>& order_;
  ConstVectorView outgoing_;
  VectorView incoming_;
  std::int64_t block_ = 0;       ///< elements of a block,
  std::int64_t piece_ = 0;       ///< of the part of it that moves here,
  std::int64_t piece_at_ = 0;    ///< and before that part
  std::vector<Buffer> waiting_;  ///< since they came in dimension i, for all but the last
  std::vector<Buffer> held_;     ///< on the way: what this round sends, what it receives
  int round_ = 0;
  std::int64_t taken_ = 0;  ///< elements of held_.back() that this round's receives have
  std::int64_t given_ = 0;  ///< elements of held_.front() that its sends have
  std::vector<Request> requests_;
  std::vector<ConstVectorView> sends_;
  std::vector<VectorView> receives_;
};

int relay_parts(const std::vector<int>& sizes, bool wraps, Turns turns) {
  // In a dimension of 2 both ways are one cable.
  const bool has_opposite = std::any_of(sizes.begin(), sizes.end(), [](int size) { return size > 2 && size % 2 == 0; });
  const int orders = turns == Turns::at_once ? std::max(1, static_cast<int>(sizes.size())) : 1;
  return orders * (wraps && has_opposite ? 2 : 1);
}

void relay_alltoall(Communicator& comm, const Lattice& lattice, bool wraps, Turns turns, ConstVectorView outgoing,
                    VectorView incoming) {
  const int parts = relay_parts(lattice.sizes(), wraps, turns);
  const int orders = turns == Turns::at_once ? std::max(1, lattice.dimensions()) : 1;
  comm.concurrently(parts, [&](int part, Communicator& task) {
    Relay relay(task, lattice, wraps, part % orders, part < orders ? +1 : -1, turns);
    relay.alltoall(outgoing, incoming, {.number = part, .of = parts});
  });
}

void Relay::alltoall(ConstVectorView outgoing, VectorView incoming, Piece piece) {
  Run(*this, outgoing, incoming, piece).alltoall();
}

}  // namespace heddle::plans

namespace heddle::formulas {

// Rounds and bytes of alltoalls in which blocks are passed on from neighbour to neighbour. Pure.

namespace {

/// Block-links per rank in a dimension, of as many blocks as it has coordinates: each block counts at every link that it takes.
constexpr std::int64_t links_taken(std::int64_t size, bool wraps) {
  return wraps ? size * size / 4 : size - 1 + 2 * ((size - 1) * (size - 1) / 4);
}

Rounds relay_rounds() {
  return {"Σ⌊dᵢ/2⌋; on a mesh Σ(dᵢ-1)", [](const Shape& shape) {
            return sum_over_dimensions(shape, [&](int size) { return plans::Ways{size, shape.wraps}.longest(); });
          }};
}

BytesSent relay_bytes() {
  return {"Σ⌊dᵢ²/4⌋/dᵢ · M; on a mesh Σ((dᵢ-1) + 2⌊(dᵢ-1)²/4⌋)/dᵢ · M", [](const Shape& shape) {
            std::int64_t bytes = 0;
            for (const int size : long_dimensions(shape)) bytes += times(shape.bytes, links_taken(size, shape.wraps), size);
            return bytes;
          }};
}

/// Every part of a block has an element.
template <plans::Turns turns>
std::int64_t block_per_part(const Shape& shape) {
  return std::int64_t{plans::relay_parts(long_dimensions(shape), shape.wraps, turns)} * shape.ranks;
}

}  // namespace

}  // namespace heddle::formulas

namespace heddle::alltoall {

// ring_relay: each block goes the shorter way round the ring of ranks, from neighbour to neighbour.
//
// In the first round a rank gives its upper neighbour the blocks for the ⌊p/2⌋ ranks above, as one message, and its lower
// neighbour those for the others. In each further round it passes on what came, but for the block that was for itself: the
// messages shrink by one block per round, and after the last nothing is left to pass on (families/relays.hpp).
//
// Picture, p = 5: blocks passed upwards; 0-2 is that from rank 0 to rank 2. Downwards is the mirror image.
//
//             0             1             2             3             4
//   round 0   0-1 0-2 ->    1-2 1-3 ->    2-3 2-4 ->    3-4 3-0 ->    4-0 4-1 ->
//   round 1   4-1 ->        0-2 ->        1-3 ->        2-4 ->        3-0 ->
//
// With even p the opposite rank is as far either way, and half of its block goes either way: two relays at once, each on half
// of every block. The explainer sends the opposite block to the right, and one block per step: 3 steps at p = 4. So a link has
// p²/8 + p/4 blocks to carry, which at p = 8 are 10 and not the p-1 = 7 that the explainer counts; with halves p²/8, here 8.
//
// Blocks that pass through lie in scratch: fewer than p of them, and that twice, what a round sends and what it receives.
//
// Rounds:  ⌊p/2⌋.
// Bytes:   ⌊p²/4⌋/p · M sent by each rank, half of it each way.
// Time:    ⌊p/2⌋·α + ⌊p²/4⌋/2p · M·β on a ring, p/8 · M·β at even p: the least that its links can do.
// Limits:  blocks of equal size. The bytes grow with p: only where neighbours in rank order share no links, and not on a fabric
//          that has more of them. On a line the way round is as long as the line: torus_relay knows of ends.
// Source:  explainer 01 (Lu) §7.1; the load of a link: 02 §3.6.

namespace {

void ring_relay(Communicator& comm, ConstVectorView outgoing, const BlockPartition&, VectorView incoming,
                const BlockPartition&) {
  const plans::Lattice ring(nullptr, comm.size());
  plans::relay_alltoall(comm, ring, true, plans::Turns::at_once, outgoing, incoming);
}

int ring_relay_rounds(const Shape& shape) { return shape.ranks / 2; }

std::int64_t ring_relay_bytes(const Shape& shape) {
  return formulas::times(shape.bytes, formulas::links_taken(shape.ranks, true), shape.ranks);
}

std::int64_t ring_block_per_part(const Shape& shape) {
  return std::int64_t{plans::relay_parts({shape.ranks}, true, plans::Turns::at_once)} * shape.ranks;
}

}  // namespace

std::vector<Algorithm> ring_relay_entries() {
  return {entry({.name = "ring_relay",
                 .summary = "Blocks go the shorter way round the ring of ranks, passed on from neighbour to neighbour.",
                 .source = "[explainer-01] §7.1",
                 .needs = {.equal_blocks = true},
                 .rounds = {"⌊p/2⌋", ring_relay_rounds},
                 .bytes = {"⌊p²/4⌋/p · M", ring_relay_bytes},
                 .messages_a_round = formulas::message_per_port,
                 .block_count = ring_block_per_part,
                 .tasks_share_credits = true},
                ring_relay)};
}

// torus_relay: each block goes the shortest way over the grid, from neighbour to neighbour, dimension by dimension.
//
// In a dimension blocks travel as in `ring_relay`, the shorter way (on a mesh the only one). Those that get to the coordinate
// of their destination change to the next dimension at once, and travel on in the very next round: a block for a rank n links
// away is there after n rounds (families/relays.hpp).
//
// In one order of the dimensions, the first would be busy early and the last late. So each block is cut into D parts, and part
// j travels in dimension j first, then in j+1, and round. With even sizes there are two such cuts, one for each way to opposite
// coordinates. On a square torus all links then carry the same in every round.
//
// Picture: a 4x4 torus, part 0 of the blocks of rank 0 = (0,0): what it sends in round 0, and afterwards.
//
//   to 4, for rows 1 and 2    4 5 6 7, 8 9 10 11      4 stays there, 5 6 7 change to its row, 8 … 11 travel on
//   to 12, for row 3          12 13 14 15             12 stays, 13 14 15 change
//   to 1, in its own row      1 2                     1 stays, 2 travels on
//   to 3                      3                       stays
//
// Blocks that pass through lie in scratch: those that wait a round for the next dimension in a vector per turn, D-1 of them;
// those on the way in less than one vector, on a mesh D, and that twice, what a round sends and what it receives.
//
// Rounds:  Σ⌊dᵢ/2⌋; on a mesh Σ(dᵢ-1).
// Bytes:   Σ⌊dᵢ²/4⌋/dᵢ · M sent by each rank; on a mesh Σ((dᵢ-1) + 2⌊(dᵢ-1)²/4⌋)/dᵢ · M by those in the middle.
// Time:    Σ⌊dᵢ/2⌋·α + d/8 · M·β on a square torus of even dᵢ = d, the least that its links can do. In general a link of
//          dimension i carries ⌊dᵢ²/4⌋/2dᵢ · M, on a mesh at most dᵢ/4 · M, and each round lasts as long as its fullest link.
// Limits:  blocks of equal size. On a mesh the rounds wait for the long batches from its ends, while links in the middle have
//          the most to carry in all. Without a grid there is one dimension of p, and this is `ring_relay`.
// Source:  explainer 02 (Lu) §3.6 and App. C (the load of a link); mesh: §4.2.

namespace {

template <plans::Turns turns>
void over_grid(Communicator& comm, ConstVectorView outgoing, const BlockPartition&, VectorView incoming,
               const BlockPartition&) {
  const bool wraps = !comm.grid() || comm.grid()->wraps();
  plans::relay_alltoall(comm, plans::Lattice(comm.grid(), comm.size()), wraps, turns, outgoing, incoming);
}

}  // namespace

std::vector<Algorithm> torus_relay_entries() {
  return {entry(
      {.name = "torus_relay",
       .summary = "Blocks go the shortest way over the grid, passed on from neighbour to neighbour, in all dimensions at once.",
       .source = "[explainer-02] §3.6, §4.2",
       .needs = {.equal_blocks = true},
       .rounds = formulas::relay_rounds(),
       .bytes = formulas::relay_bytes(),
       .messages_a_round = formulas::message_per_port,
       .block_count = formulas::block_per_part<plans::Turns::at_once>,
       .tasks_share_credits = true},
      over_grid<plans::Turns::at_once>)};
}

// torus_decomposed: an alltoall within every line of the first dimension, then within every line of the second, and so on.
//
// In dimension i a rank gives each rank of its line all blocks that it has for destinations with that one's coordinate, and
// gets those for its own: after dimension i every block is at its destination's coordinates 0 … i. Within a line blocks travel
// the shorter way from neighbour to neighbour, as in `ring_relay`; all start together when the dimension's turn has come
// (families/relays.hpp). With even sizes half of each block takes either way to opposite coordinates.
//
// Picture: a 3x3 torus; the blocks that rank 4 = (1,1) has, s-t from s to t.
//
//   start     4-0 4-1 4-2  4-3 4-4 4-5  4-6 4-7 4-8
//   rows      1-3 1-4 1-5  4-3 4-4 4-5  7-3 7-4 7-5      with ranks 1 and 7: three blocks each way
//   columns   0-4 1-4 2-4  3-4 4-4 5-4  6-4 7-4 8-4      with ranks 3 and 5: three blocks each way
//
// Blocks that pass through lie in scratch: those that wait for their next dimension in a vector per turn, D-1 of them; those on
// the way in less than one vector, and that twice, what a round sends and what it receives.
//
// Rounds:  Σ⌊dᵢ/2⌋; on a mesh Σ(dᵢ-1).
// Bytes:   Σ⌊dᵢ²/4⌋/dᵢ · M sent by each rank; on a mesh Σ((dᵢ-1) + 2⌊(dᵢ-1)²/4⌋)/dᵢ · M by those in the middle.
// Time:    Σ⌊dᵢ/2⌋·α + Σdᵢ/8 · M·β on a torus of even dᵢ: D times that of torus_relay on a square one, as one dimension is
//          busy at a time. On a mesh Σ(dᵢ-1)·α + Σ(dᵢ-1)/2 · M·β: rounds wait for the long batches from the ends.
// Limits:  blocks of equal size. Without a grid there is one dimension of p, and this is `ring_relay`.
// Source:  explainer 02 (Lu) §3.6 (dimension-decomposed); mesh: §4.2.

std::vector<Algorithm> torus_decomposed_entries() {
  return {entry(
      {.name = "torus_decomposed",
       .summary = "An alltoall within the lines of one dimension of the grid after the other, from neighbour to neighbour.",
       .source = "[explainer-02] §3.6, §4.2",
       .needs = {.equal_blocks = true},
       .rounds = formulas::relay_rounds(),
       .bytes = formulas::relay_bytes(),
       .messages_a_round = formulas::message_per_port,
       .block_count = formulas::block_per_part<plans::Turns::together>,
       .tasks_share_credits = true},
      over_grid<plans::Turns::together>)};
}

}  // namespace heddle::alltoall
