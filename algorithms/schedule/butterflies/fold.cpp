// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/butterflies/fold.hpp"

namespace heddle::schedule {

FoldPart fold_part(const Fold& fold, int rank) {
  if (fold.is_guest(rank)) return {FoldPart::Role::guest, Rank(fold.partner(rank))};
  if (fold.is_host(rank)) return {FoldPart::Role::host, Rank(fold.partner(rank))};
  return {};
}

void with_folds(Communicator& comm, std::span<const FoldPart> parts, VectorView inout, VectorView scratch, const ReduceOp& op,
                const std::function<void()>& seated) {
  if (parts.empty()) return seated();
  const FoldPart& part = parts.front();
  const auto the_rest = [&] { with_folds(comm, parts.subspan(1), inout, scratch, op, seated); };
  switch (part.role) {
    case FoldPart::Role::bystander:
      the_rest();
      break;
    case FoldPart::Role::host:
      comm.recv(part.partner, scratch);
      comm.reduce_into(inout, scratch, op, Side::right);
      the_rest();
      comm.send(part.partner, inout);
      break;
    case FoldPart::Role::guest:
      comm.send(part.partner, inout);
      comm.recv(part.partner, inout);
      break;
  }
}

}  // namespace heddle::schedule
