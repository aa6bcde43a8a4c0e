// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/butterflies/vector_schedule.hpp"

#include <algorithm>

#include "algorithms/schedule/grids/dimension_steps.hpp"

namespace heddle::schedule {

int doubling_partner(int seat, int step, int seats, bool mirrored) {
  const auto seen = [&](int place) { return mirrored ? (seats - place) % seats : place; };
  return seen(seen(seat) ^ (1 << step));
}

VectorSchedule vector_schedule(const Lattice& lattice, int first_dimension, Rank rank, const SeatPartner& partner,
                               bool (*leaves_out)(int size)) {
  VectorSchedule mine;
  std::vector<int> steps;
  for (int i = 0; i < lattice.dimensions(); ++i) {
    if (leaves_out != nullptr && leaves_out(lattice.size(i))) {
      mine.folds.emplace_back();
      steps.push_back(0);
      continue;
    }
    const Fold fold(lattice.size(i));
    FoldPart part = fold_part(fold, lattice.coordinate(rank, i));
    part.partner = lattice.neighbor(rank, i, part.partner.value());
    mine.folds.push_back(part);
    if (part.role == FoldPart::Role::guest) return mine;
    steps.push_back(fold.seat_bits());
  }
  for (const DimensionStep& at : interleaved_steps(steps, first_dimension)) {
    const Fold fold(lattice.size(at.dimension));
    const int seat = fold.seat_of(lattice.coordinate(rank, at.dimension));
    const int partner_seat = partner(seat, at.step, fold.seats());
    mine.partners.push_back(lattice.neighbor(rank, at.dimension, fold.member_at(partner_seat)));
    mine.is_upper.push_back(partner_seat < seat);
  }
  return mine;
}

void exchange_vectors(Communicator& comm, const VectorSchedule& mine, VectorView vector, const ReduceOp& op) {
  Buffer scratch(vector.type(), vector.count());
  with_folds(comm, mine.folds, vector, scratch.view(), op, [&] {
    for (const Rank partner : mine.partners) {
      comm.sendrecv(partner, vector, partner, scratch.view());
      comm.reduce_into(vector, scratch.view(), op);
    }
  });
}

int folded_dimensions(const std::vector<int>& sizes) {
  return static_cast<int>(std::count_if(sizes.begin(), sizes.end(), [](int size) { return Fold(size).guests() > 0; }));
}

}  // namespace heddle::schedule
