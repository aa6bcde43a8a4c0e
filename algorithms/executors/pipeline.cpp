// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/pipeline.hpp"

#include <cstdlib>
#include <utility>

#include "algorithms/executors/lattice.hpp"
#include "heddle/collective.hpp"

namespace heddle::plans {

namespace {

/// One rank's part. `op` is null if nothing goes up.
class TreePipeline {
 public:
  TreePipeline(Communicator& comm, const Tree& tree, VectorView vector, const ReduceOp* op, bool down, std::int64_t segments)
      : comm_(comm),
        tree_(tree),
        vector_(vector),
        op_(op),
        down_(down),
        segments_(vector.count(), std::min(segments, vector.count())),
        rank_(comm.rank().value()),
        up_starts_(tree.height() - tree.depth(rank_)),
        down_starts_((op ? tree.height() : 0) + tree.depth(rank_)),
        scratch_(vector.type(), op ? 2 * children() * segments_.longest() : 0) {}

  void run() {
    const std::int64_t first = std::min(op_ ? up_starts_ : down_starts_, down_ ? down_starts_ : up_starts_);
    const std::int64_t last = std::max(op_ ? up_starts_ : 0, down_ ? down_starts_ : 0) + segments_.blocks() - 1;
    for (std::int64_t tick = first - 1; tick <= last; ++tick) {
      comm_.wait_all(requests_);
      requests_.clear();
      if (op_) post_receives_from_children(tick + 1 - up_starts_);
      if (op_) send_up(tick - up_starts_);
      if (down_) send_down(tick - down_starts_);
      if (down_) post_receive_from_parent(tick + 1 - down_starts_);
    }
    comm_.wait_all(requests_);
  }

 private:
  std::int64_t children() const { return static_cast<std::int64_t>(tree_.children(rank_).size()); }
  bool exists(std::int64_t segment) const { return segment >= 0 && segment < segments_.blocks(); }
  VectorView segment(std::int64_t s) const { return segments_.block(vector_, s); }
  /// Where a child's segment comes to lie: two places, so that one comes in while the other is added.
  VectorView incoming(std::int64_t s, std::size_t child) {
    const std::int64_t place = s % 2 * children() + static_cast<std::int64_t>(child);
    return scratch_.view().slice(place * segments_.longest(), segments_.size(s));
  }

  void post_receives_from_children(std::int64_t s) {
    if (!exists(s)) return;
    const std::span<const int> below = tree_.children(rank_);
    for (std::size_t i = 0; i < below.size(); ++i) requests_.push_back(comm_.irecv(Rank(below[i]), incoming(s, i)));
  }

  void send_up(std::int64_t s) {
    if (!exists(s)) return;
    const std::span<const int> below = tree_.children(rank_);
    for (std::size_t i = below.size(); i-- > 0;)
      comm_.reduce_into(segment(s), incoming(s, i), *op_, below[i] < rank_ ? Side::left : Side::right);
    if (!tree_.is_root(rank_)) requests_.push_back(comm_.isend(Rank(tree_.parent(rank_)), segment(s)));
  }

  void send_down(std::int64_t s) {
    if (!exists(s)) return;
    for (const int child : tree_.children(rank_)) requests_.push_back(comm_.isend(Rank(child), segment(s)));
  }

  /// In an allreduce the same segment was sent up, and that was waited for, 2d - 1 ticks ago.
  void post_receive_from_parent(std::int64_t s) {
    if (exists(s) && !tree_.is_root(rank_)) requests_.push_back(comm_.irecv(Rank(tree_.parent(rank_)), segment(s)));
  }

  Communicator& comm_;
  const Tree& tree_;
  VectorView vector_;
  const ReduceOp* op_;
  bool down_;
  BlockPartition segments_;
  int rank_;
  std::int64_t up_starts_;    ///< the tick in which segment 0 is sent up
  std::int64_t down_starts_;  ///< the tick in which it is sent down
  Buffer scratch_;
  std::vector<Request> requests_;
};

}  // namespace

void pipelined_broadcast(Communicator& comm, const Tree& tree, VectorView vector, std::int64_t segments) {
  if (!vector.empty()) TreePipeline(comm, tree, vector, nullptr, true, segments).run();
}

void pipelined_reduce(Communicator& comm, const Tree& tree, VectorView inout, const ReduceOp& op, std::int64_t segments) {
  if (!inout.empty()) TreePipeline(comm, tree, inout, &op, false, segments).run();
}

void pipelined_allreduce(Communicator& comm, const Tree& tree, VectorView inout, const ReduceOp& op, std::int64_t segments) {
  if (!inout.empty()) TreePipeline(comm, tree, inout, &op, true, segments).run();
}

namespace {

/// Bytes that a link carries during a start-up, where nothing is known: about 1 µs at 64 GB/s.
constexpr double kUsualBytesPerLatency = 65536;
constexpr std::int64_t kMostGiven = 1 << 20;

}  // namespace

std::int64_t optimal_segments(int steps, std::int64_t bytes, const MessageCost& cost) {
  const bool known = cost.latency > 0 || cost.seconds_per_byte > 0;
  const double latency = known ? cost.latency : kUsualBytesPerLatency;
  const double transfer = static_cast<double>(bytes) * (known ? cost.seconds_per_byte : 1);
  const double work = std::max(steps - 1, 0) * transfer;
  if (work >= latency * static_cast<double>(kMostSegments) * static_cast<double>(kMostSegments))
    return work > 0 ? kMostSegments : 1;
  return std::max<std::int64_t>(1, std::llround(std::sqrt(work / latency)));
}

std::vector<std::string> segments_to_try(std::int64_t optimal, std::int64_t count) {
  constexpr std::int64_t kFactor = 8;
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 1; number <= std::min(count, kMostSegments) && number <= optimal * kFactor; number *= 2)
    if (number * kFactor >= optimal) numbers.push_back(number);
  const auto distance = [optimal](std::int64_t number) {
    return std::abs(std::log2(static_cast<double>(number) / static_cast<double>(optimal)));
  };
  std::ranges::stable_sort(numbers, {}, distance);
  std::vector<std::string> texts;
  for (const std::int64_t number : numbers) texts.push_back(std::to_string(number));
  return texts;
}

Parameter Segments::parameter(std::function<std::int64_t(const Shape&)> optimal) {
  return {.name = "segments",
          .default_value = "optimal",
          .meaning = "how many pieces follow each other: a number, or optimal: √((L-1)·M·β/α) for L steps",
          .examples = {"1", "5"},
          .candidates = [optimal = std::move(optimal)](const Shape& shape) {
            return segments_to_try(optimal(shape), shape.count);
          }};
}

Segments::Segments(const Options& options)
    : number_(options.text("segments") == "optimal" ? 0 : options.number("segments", 1, kMostGiven)) {}

int height_of(std::span<const Tree> trees) {
  int height = 0;
  for (const Tree& tree : trees) height = std::max(height, tree.height());
  return height;
}

namespace {

/// Calls run(task, tree, part, pieces) for each tree. A segment passes each of them so many times.
template <class Run>
void along_trees(Communicator& comm, std::span<const Tree> trees, VectorView vector, const Segments& segments, int passes,
                 const Run& run) {
  const auto parts = static_cast<int>(trees.size());
  const std::int64_t pieces = segments.wanted(passes * height_of(trees), vector, comm, parts);
  if (parts == 1) return run(comm, trees.front(), vector, pieces);
  on_ports(comm, parts, vector, [&](int part, Communicator& task, VectorView slice) {
    run(task, trees[static_cast<std::size_t>(part)], slice, pieces);
  });
}

}  // namespace

void pipelined_broadcast(Communicator& comm, std::span<const Tree> trees, VectorView vector, const Segments& segments) {
  along_trees(comm, trees, vector, segments, 1, [](Communicator& task, const Tree& tree, VectorView part, std::int64_t pieces) {
    pipelined_broadcast(task, tree, part, pieces);
  });
}

void pipelined_reduce(Communicator& comm, std::span<const Tree> trees, VectorView inout, const ReduceOp& op,
                      const Segments& segments) {
  along_trees(comm, trees, inout, segments, 1,
              [&op](Communicator& task, const Tree& tree, VectorView part, std::int64_t pieces) {
                pipelined_reduce(task, tree, part, op, pieces);
              });
}

void pipelined_allreduce(Communicator& comm, std::span<const Tree> trees, VectorView inout, const ReduceOp& op,
                         const Segments& segments) {
  along_trees(comm, trees, inout, segments, 2,
              [&op](Communicator& task, const Tree& tree, VectorView part, std::int64_t pieces) {
                pipelined_allreduce(task, tree, part, op, pieces);
              });
}

}  // namespace heddle::plans
