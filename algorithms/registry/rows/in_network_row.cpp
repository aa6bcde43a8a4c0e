// SPDX-License-Identifier: Apache-2.0
#include "algorithms/registry/rows/in_network_row.hpp"

#include <fmt/format.h>

#include <utility>

#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "core/errors.hpp"
#include "core/in_network.hpp"

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

}  // namespace

Algorithm in_network_row(Collective collective, std::string_view summary, Formula<std::int64_t> bytes) {
  return {.collective = collective,
          .name = "in_network",
          .summary = summary,
          .source = "[explainer-04] §1, §2",
          .needs = {.in_network = true},
          .rounds = formulas::one_round(),
          .bytes = std::move(bytes),
          .granule = has_blocks(collective) ? formulas::block_per_rank : formulas::one_element,
          .run = by_switches(collective)};
}

}  // namespace heddle
