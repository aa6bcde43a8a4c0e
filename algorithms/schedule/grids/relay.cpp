// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/grids/relay.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "core/block_partition.hpp"

namespace heddle::schedule {

namespace {

constexpr std::array kDirections{+1, -1};

/// Appends a part of a message, joined to the last one if it lies behind it.
template <class View>
void append(std::vector<View>& parts, View part) {
  if (part.empty()) return;
  if (!parts.empty() && parts.back().data() + parts.back().size_bytes() == part.data()) {
    parts.back() = View(parts.back().data(), parts.back().count() + part.count(), part.type());
  } else {
    parts.push_back(part);
  }
}

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
          append(receives_, goes_on);
        } else {
          append(receives_, goes_on);
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
    append(receives_, incoming_.slice(rank_at(first + stays) * block_ + piece_at_, piece_));
    append_waiting(receives_, i, first + stays + 1, blocks - stays - 1);
  }

  template <class View>
  void append_waiting(std::vector<View>& parts, std::size_t i, std::int64_t first, std::int64_t blocks) {
    if (blocks > 0) append(parts, View(waiting_[i].view().slice(first * piece_, blocks * piece_)));
  }

  void post_send(std::size_t i, int direction) {
    const Dimension& dimension = relay_.dimensions_[i];
    sends_.clear();
    for_each_group(dimension, dimension.mine, direction, round_, [&](const Group& group, const Stand& at) {
      if (at.gone > 0) {
        const std::int64_t count = static_cast<std::int64_t>(group.sources.size()) * at.length * dimension.blocks_each * piece_;
        append(sends_, ConstVectorView(held_.front().view().slice(given_, count)));
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
    if (order_.empty() && piece_ == block_) return append(sends_, outgoing_.slice(first * block_, blocks * block_));
    for (std::int64_t place = first; place < first + blocks; ++place)
      append(sends_, outgoing_.slice(rank_at(place) * block_ + piece_at_, piece_));
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

}  // namespace heddle::schedule
