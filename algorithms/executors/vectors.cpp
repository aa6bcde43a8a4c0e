// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/vectors.hpp"

#include <cstddef>
#include <span>

namespace heddle::plans {

int doubling_partner(int position, int step, int positions, bool mirrored) {
  const auto seen = [&](int place) { return mirrored ? (positions - place) % positions : place; };
  return seen(seen(position) ^ (1 << step));
}

VectorPlan vector_plan(const Lattice& lattice, int first_dimension, Rank rank, const PositionPartner& partner,
                       bool (*leaves_out)(int size)) {
  VectorPlan mine;
  std::vector<int> steps;
  for (int i = 0; i < lattice.dimensions(); ++i) {
    if (leaves_out != nullptr && leaves_out(lattice.size(i))) {
      mine.folds.emplace_back();
      steps.push_back(0);
      continue;
    }
    const Fold fold(lattice.size(i));
    FoldPart part = fold_part(fold, lattice.coordinate(rank, i));
    part.other = lattice.neighbor(rank, i, part.other.value());
    mine.folds.push_back(part);
    if (part.role == FoldPart::Role::extra) return mine;
    steps.push_back(fold.position_bits());
  }
  for (const DimensionStep& at : interleaved_steps(steps, first_dimension)) {
    const Fold fold(lattice.size(at.dimension));
    const int position = fold.position_of(lattice.coordinate(rank, at.dimension));
    const int partner_position = partner(position, at.step, fold.positions());
    mine.partners.push_back(lattice.neighbor(rank, at.dimension, fold.member_at(partner_position)));
    mine.is_upper.push_back(partner_position < position);
  }
  return mine;
}

void exchange_vectors(Communicator& comm, const VectorPlan& mine, VectorView vector, const ReduceOp& op) {
  with_folds(comm, mine.folds, vector, op, [&] {
    comm.exchange(static_cast<int>(mine.partners.size()), {.op = &op, .after_sending = true},
                  [vector, partner = std::span(mine.partners)](int step) {
                    const Rank with = partner[static_cast<std::size_t>(step)];
                    return Round{with, vector, with, vector};
                  });
  });
}

}  // namespace heddle::plans
