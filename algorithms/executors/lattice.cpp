// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/lattice.hpp"

#include <algorithm>

#include "algorithms/registry/formulas.hpp"
#include "heddle/collective.hpp"

namespace heddle::plans {

Lattice::Lattice(const Grid* grid, int ranks)
    : grid_(grid), ranks_(ranks), sizes_(long_dimensions(grid ? grid->dims() : std::vector<int>{}, ranks)) {
  if (!grid_) return;
  for (int i = 0; i < grid_->dimensions(); ++i) {
    if (grid_->dims()[static_cast<std::size_t>(i)] > 1) grid_dimension_.push_back(i);
  }
}

int Lattice::coordinate(Rank rank, int dimension) const {
  return grid_ ? grid_->coordinate(rank, grid_dimension_[static_cast<std::size_t>(dimension)]) : rank.value();
}

std::vector<int> Lattice::ranks_in_order(int first_dimension) const {
  std::vector<int> ranks(static_cast<std::size_t>(ranks_));
  bool is_identity = true;
  for (int rank = 0; rank < ranks_; ++rank) {
    int position = 0;
    for (int i = 0; i < dimensions(); ++i) {
      const int dimension = (first_dimension + i) % dimensions();
      position = position * size(dimension) + coordinate(Rank(rank), dimension);
    }
    ranks[static_cast<std::size_t>(position)] = rank;
    is_identity = is_identity && position == rank;
  }
  if (is_identity) ranks.clear();
  return ranks;
}

Rank Lattice::neighbor(Rank rank, int dimension, int coordinate) const {
  return grid_ ? grid_->neighbor(rank, grid_dimension_[static_cast<std::size_t>(dimension)], coordinate) : Rank(coordinate);
}

std::vector<DimensionStep> interleaved_steps(std::span<const int> steps, int first_dimension) {
  const int dimensions = static_cast<int>(steps.size());
  const int most = steps.empty() ? 0 : *std::max_element(steps.begin(), steps.end());
  std::vector<DimensionStep> order;
  for (int step = 0; step < most; ++step) {
    for (int i = 0; i < dimensions; ++i) {
      const int dimension = (first_dimension + i) % dimensions;
      if (step < steps[static_cast<std::size_t>(dimension)]) order.push_back({dimension, step});
    }
  }
  return order;
}

void on_ports(Communicator& comm, int ports, VectorView inout,
              const std::function<void(int port, Communicator&, VectorView slice)>& collective) {
  const BlockPartition slices(inout.count(), ports);
  comm.concurrently(ports, [&](int port, Communicator& task) {
    const VectorView slice = slices.block(inout, port);
    if (!slice.empty()) collective(port, task, slice);
  });
}

void exchange_on_ports(Communicator& comm, int ports, VectorView inout,
                       const std::function<ExchangePlans(int port, Communicator&, VectorView slice)>& plans_of) {
  const BlockPartition slices(inout.count(), ports);
  comm.exchange_concurrently(ports, [&](int port, Communicator& task) {
    const VectorView slice = slices.block(inout, port);
    return slice.empty() ? ExchangePlans() : plans_of(port, task, slice);
  });
}

FoldPart fold_part(const Fold& fold, int rank) {
  if (fold.is_extra(rank)) return {FoldPart::Role::extra, Rank(fold.other(rank))};
  if (fold.is_partner(rank)) return {FoldPart::Role::partner, Rank(fold.other(rank))};
  return {};
}

namespace {

void add_received(Communicator& comm, Rank source, VectorView inout, const ReduceOp& op) {
  Buffer received(inout.type(), inout.count());
  comm.recv(source, received.view());
  comm.reduce_into(inout, received.view(), op, Side::right);
}

}  // namespace

void with_folds(Communicator& comm, std::span<const FoldPart> parts, VectorView inout, const ReduceOp& op,
                const std::function<void()>& in_position) {
  if (parts.empty()) return in_position();
  const FoldPart& part = parts.front();
  const auto the_rest = [&] { with_folds(comm, parts.subspan(1), inout, op, in_position); };
  switch (part.role) {
    case FoldPart::Role::bystander:
      the_rest();
      break;
    case FoldPart::Role::partner:
      comm.phase("fold");
      add_received(comm, part.other, inout, op);
      comm.phase("");
      the_rest();
      comm.phase("unfold");
      comm.send(part.other, inout);
      break;
    case FoldPart::Role::extra:
      comm.phase("fold");
      comm.send(part.other, inout);
      comm.phase("unfold");
      comm.recv(part.other, inout);
      break;
  }
}

}  // namespace heddle::plans
