// SPDX-License-Identifier: Apache-2.0
// Collectives that the switches compute (Collectives Explainer 04, §1): each rank hands its vector to the fabric once and gets
// its part of the result back.
//
//   rank 0 ─ push M ─┐                    ┌─ M ─ rank 0
//   rank 1 ─ push M ─┼─ switch: add up, ──┼─ M ─ rank 1        an allreduce on a star
//   rank 2 ─ push M ─┤  send copies       ├─ M ─ rank 2
//   rank 3 ─ push M ─┘                    └─ M ─ rank 3
//
// One round, whatever p. Needs switches that offer it: an ALU to reduce, multicast to spread, both for an allreduce, scatter-
// gather for an alltoall. Over k tiers of switches an allreduce, an allgather, a reduce_scatter and an alltoall take
// α + 2k·(ℓ + h) + M/B, a broadcast and a reduce one crossing less at the top.

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/collective.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"

namespace heddle {

namespace {

/// Of the only rank.
void copy_alone(Communicator& comm, const CollectiveArguments& call) {
  if (!call.input.empty() && call.input.data() != call.output.data()) comm.copy(call.output, call.input);
}

CollectiveFunction by_switches(Collective collective) {
  return [collective](Communicator& comm, const CollectiveArguments& call) {
    if (comm.size() == 1) return copy_alone(comm, call);
    InNetwork* switches = comm.in_network();
    if (switches == nullptr) throw UsageError(fmt::format("in_network: {}", needs_in_network()));
    switches->perform(collective, call);
  };
}

/// The entry `in_network` of a collective. Its function throws UsageError where the switches do not serve the call. A rank that
/// is alone needs no switch.
Algorithm in_network_entry(Collective collective, std::string_view summary, Formula<std::int64_t> bytes) {
  return {.collective = collective,
          .name = "in_network",
          .summary = summary,
          .source = "[explainer-04] §1, §2",
          .needs = {.in_network = true},
          .rounds = formulas::one_round(),
          .bytes = std::move(bytes),
          .block_count = has_blocks(collective) ? formulas::block_per_rank : formulas::one_element,
          .run = by_switches(collective)};
}

}  // namespace

}  // namespace heddle

namespace heddle::broadcast {

// in_network: the root hands its vector to the fabric once; switches with multicast send copies to all others.

std::vector<Algorithm> in_network_entries() {
  return {in_network_entry(Collective::broadcast, "The switches send copies of what the root gives them once.",
                           formulas::vector_once())};
}

}  // namespace heddle::broadcast

namespace heddle::reduce {

// in_network: each rank hands its vector to the fabric once; switches with an ALU add up what comes and pass the sum to the
// root.

std::vector<Algorithm> in_network_entries() {
  return {in_network_entry(Collective::reduce, "The switches add up what the ranks give them and pass the sum to the root.",
                           formulas::vector_once())};
}

}  // namespace heddle::reduce

namespace heddle::allreduce {

// in_network: each rank hands its vector to the fabric once; switches add up what comes and send copies of the sum back.

std::vector<Algorithm> in_network_entries() {
  return {in_network_entry(Collective::allreduce,
                           "The switches add up what the ranks give them and send copies of the sum back.",
                           formulas::vector_once())};
}

}  // namespace heddle::allreduce

namespace heddle::reduce_scatter {

// in_network: each rank hands its vector to the fabric once; switches add up what comes and pass each rank its block.

std::vector<Algorithm> in_network_entries() {
  return {in_network_entry(Collective::reduce_scatter,
                           "The switches add up what the ranks give them and pass each its block of the sum.",
                           formulas::vector_once())};
}

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// in_network: each rank hands its block to the fabric once; switches with multicast send copies to all others.

std::vector<Algorithm> in_network_entries() {
  return {in_network_entry(Collective::allgather, "The switches send copies of each rank's block to all others.",
                           {"M/p", [](const Shape& shape) { return shape.ranks == 1 ? 0 : shape.bytes / shape.ranks; }})};
}

}  // namespace heddle::allgather

namespace heddle::alltoall {

// in_network: each rank hands all its blocks to the fabric at once; switches take them apart by destination.

std::vector<Algorithm> in_network_entries() {
  return {in_network_entry(Collective::alltoall, "The switches take what each rank gives them once apart by destination.",
                           formulas::other_blocks_once())};
}

}  // namespace heddle::alltoall
