// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/butterflies/fold.hpp"

namespace heddle::schedule {

FoldPart fold_part(const Fold& fold, int rank) {
  if (fold.is_extra(rank)) return {FoldPart::Role::extra, Rank(fold.other(rank))};
  if (fold.is_partner(rank)) return {FoldPart::Role::partner, Rank(fold.other(rank))};
  return {};
}

void with_folds(Communicator& comm, std::span<const FoldPart> parts, VectorView inout, VectorView scratch, const ReduceOp& op,
                const std::function<void()>& in_position) {
  if (parts.empty()) return in_position();
  const FoldPart& part = parts.front();
  const auto the_rest = [&] { with_folds(comm, parts.subspan(1), inout, scratch, op, in_position); };
  switch (part.role) {
    case FoldPart::Role::bystander:
      the_rest();
      break;
    case FoldPart::Role::partner:
      comm.phase("fold");
      comm.recv(part.other, scratch);
      comm.reduce_into(inout, scratch, op, Side::right);
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

}  // namespace heddle::schedule
