// SPDX-License-Identifier: Apache-2.0
#include "tests/property/mutant_communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle::testing {

namespace {

std::int64_t count_of(std::span<const ConstVectorView> pieces) {
  std::int64_t count = 0;
  for (const ConstVectorView& piece : pieces) count += piece.count();
  return count;
}

Buffer gathered(std::span<const ConstVectorView> pieces) {
  Buffer all(pieces.front().type(), count_of(pieces));
  std::int64_t used = 0;
  for (const ConstVectorView& piece : pieces) {
    if (!piece.empty()) std::memcpy(all.view().slice(used, piece.count()).data(), piece.data(), piece.size_bytes());
    used += piece.count();
  }
  return all;
}

/// Whether every rank makes the mistake, or the mutation's alone.
bool is_everyones(Fault fault) { return fault == Fault::missing_round; }

}  // namespace

std::string to_string(Fault fault) {
  switch (fault) {
    case Fault::off_by_one_destination:
      return "off-by-one destination";
    case Fault::off_by_one_source:
      return "off-by-one source";
    case Fault::wrong_direction:
      return "wrong direction";
    case Fault::missing_round:
      return "missing round";
    case Fault::missing_message:
      return "missing message";
    case Fault::swapped_blocks:
      return "swapped blocks";
    case Fault::dropped_segment:
      return "dropped segment";
    case Fault::stale_buffer:
      return "stale buffer";
    case Fault::missing_reduction:
      return "missing reduction";
    case Fault::doubled_reduction:
      return "doubled reduction";
  }
  return "";
}

std::string Mutation::name() const {
  if (is_everyones(fault)) return fmt::format("{}, operation {} of every rank", to_string(fault), operation);
  return fmt::format("{}, operation {} of rank {}", to_string(fault), operation, rank);
}

Occasion::Occasion(const Mutation& mutation, int rank) : mutation_(mutation), rank_(rank) {}

bool Occasion::concerns() const { return is_everyones(mutation_.fault) || mutation_.rank == rank_; }

Rank MutantCommunicator::next(Rank peer) const {
  const int p = size();
  const int next = (peer.value() + 1) % p;
  return Rank(next == rank().value() ? (next + 1) % p : next);
}

Rank MutantCommunicator::mirrored(Rank peer) const {
  const int p = size();
  return Rank((2 * rank().value() - peer.value() + 2 * p) % p);
}

Request MutantCommunicator::note(Operation operation) {
  operations_.push_back(std::move(operation));
  return Request(operations_.size() - 1);
}

void MutantCommunicator::deliver(const Withheld& withheld) {
  std::int64_t used = 0;
  bool loses_something = false;
  const std::int64_t end = withheld.message.view().count() - withheld.lost;
  for (const VectorView& piece : withheld.into) {
    const ConstVectorView came = withheld.message.view().slice(used, piece.count());
    const std::int64_t through = std::clamp<std::int64_t>(end - used, 0, piece.count());
    if (through > 0) std::memcpy(piece.data(), came.data(), came.slice(0, through).size_bytes());
    const ConstVectorView lost = came.slice(through, piece.count() - through);
    if (!lost.empty() && std::memcmp(piece.slice(through, lost.count()).data(), lost.data(), lost.size_bytes()) != 0)
      loses_something = true;
    used += piece.count();
  }
  if (!loses_something) occasion_->was_harmless();
}

ConstVectorView MutantCommunicator::keep(Buffer buffer) {
  kept_.push_back(std::move(buffer));
  return kept_.back().view();
}

Request MutantCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  const std::int64_t count = count_of(pieces);
  if (makes(Fault::off_by_one_destination) && next(dest) != dest && occasion_->comes()) dest = next(dest);
  if (makes(Fault::wrong_direction) && mirrored(dest) != dest && occasion_->comes()) dest = mirrored(dest);
  if (makes(Fault::missing_round) && occasion_->comes()) return note({});
  if (makes(Fault::missing_message) && occasion_->comes()) return note({});
  if (makes(Fault::swapped_blocks) && count > 1 && occasion_->comes()) {
    Buffer all = gathered(pieces);
    std::byte* data = all.view().data();
    std::rotate(data, data + static_cast<std::size_t>(count / 2) * all.view().type().size(), data + all.view().size_bytes());
    return note({.inner = inner().isend(dest, keep(std::move(all)), tag)});
  }
  return note({.inner = inner().isend(dest, pieces, tag)});
}

Request MutantCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  std::int64_t count = 0;
  for (const VectorView& piece : pieces) count += piece.count();
  if (makes(Fault::off_by_one_source) && next(source) != source && occasion_->comes()) source = next(source);
  if (makes(Fault::wrong_direction) && mirrored(source) != source && occasion_->comes_to_receive()) source = mirrored(source);
  if (makes(Fault::missing_round) && occasion_->comes_to_receive()) return note({});
  if ((makes(Fault::stale_buffer) || makes(Fault::dropped_segment)) && count > 0 && occasion_->comes()) {
    Withheld withheld{.message = Buffer(pieces.front().type(), count),
                      .into = {pieces.begin(), pieces.end()},
                      .lost = makes(Fault::stale_buffer) ? count : 1};
    const Request request = inner().irecv(source, withheld.message.view(), tag);
    return note({.inner = request, .withheld = std::move(withheld)});
  }
  return note({.inner = inner().irecv(source, pieces, tag)});
}

void MutantCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  std::vector<Request> made;
  std::vector<std::size_t> place;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (const std::optional<Request> request = operations_.at(requests[i].id()).inner) {
      made.push_back(*request);
      place.push_back(i);
    }
  }
  std::vector<Status> found(made.size());
  inner().wait_all(made, found);
  for (std::size_t i = 0; i < made.size() && !statuses.empty(); ++i) statuses[place[i]] = found[i];
  for (const Request request : requests) {
    if (const auto& withheld = operations_[request.id()].withheld) deliver(*withheld);
  }
}

void MutantCommunicator::concurrently(int n, const std::function<void(int, Communicator&)>& body) {
  inner().concurrently(n, [&](int i, Communicator& task) {
    MutantCommunicator mutant(task, i == 0 ? occasion_ : nullptr);
    body(i, mutant);
  });
}

void MutantCommunicator::concurrently_shared(int n, const std::function<void(int, Communicator&)>& body) {
  inner().concurrently_shared(n, [&](int i, Communicator& task) {
    MutantCommunicator mutant(task, i == 0 ? occasion_ : nullptr);
    body(i, mutant);
  });
}

void MutantCommunicator::reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) {
  const bool counts = !into.empty();
  if (makes(Fault::missing_reduction) && counts && occasion_->comes()) return;
  inner().reduce_into(into, from, op, side);
  if (makes(Fault::doubled_reduction) && counts && occasion_->comes()) inner().reduce_into(into, from, op, side);
}

void MutantCommunicator::Switches::perform(Collective collective, const CollectiveArguments& arguments) {
  const Rank rank = mutant_.rank();
  const bool gets_nothing = collective == Collective::reduce && arguments.root != rank;
  VectorView got = gets_nothing ? VectorView() : arguments.output;
  if (collective == Collective::reduce_scatter && arguments.in_place()) got = arguments.blocks.block(got, rank.value());
  Buffer before(got.type(), got.count());
  if (!got.empty()) std::memcpy(before.view().data(), got.data(), got.size_bytes());
  mutant_.inner().in_network()->perform(collective, arguments);
  const auto comes = [&](Fault fault, bool possible) { return mutant_.makes(fault) && possible && mutant_.occasion_->comes(); };
  Buffer right(got.type(), got.count());
  if (!got.empty()) std::memcpy(right.view().data(), got.data(), got.size_bytes());
  const std::size_t element = got.type().size();
  bool made = true;
  if (comes(Fault::stale_buffer, !got.empty()))
    std::memcpy(got.data(), before.view().data(), got.size_bytes());
  else if (comes(Fault::dropped_segment, !got.empty()))
    std::memcpy(got.data() + got.size_bytes() - element, before.view().data() + got.size_bytes() - element, element);
  else if (comes(Fault::swapped_blocks, got.count() > 1))
    std::rotate(got.data(), got.data() + static_cast<std::size_t>(got.count() / 2) * element, got.data() + got.size_bytes());
  else if (comes(Fault::doubled_reduction, !got.empty() && reduces(collective)))
    mutant_.inner().reduce_into(got, std::as_const(right).view(), *arguments.op, Side::right);
  else
    made = false;
  if (made && std::memcmp(got.data(), right.view().data(), got.size_bytes()) == 0) mutant_.occasion_->was_harmless();
}

}  // namespace heddle::testing
