// SPDX-License-Identifier: Apache-2.0
#include "algorithms/in_network.hpp"

#include <fmt/format.h>

#include <string_view>

#include "algorithms/formulas.hpp"
#include "algorithms/in_network_row.hpp"
#include "algorithms/requirements.hpp"
#include "core/errors.hpp"
#include "core/in_network.hpp"

namespace heddle {

namespace {

struct Text {
  std::string_view summary;
  std::string_view bytes;
};

Text text_of(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
      return {"The switches send copies of what the root gives them once.", "M"};
    case Collective::reduce:
      return {"The switches add up what the ranks give them and pass the sum to the root.", "M"};
    case Collective::allreduce:
      return {"The switches add up what the ranks give them and send copies of the sum back.", "M"};
    case Collective::reduce_scatter:
      return {"The switches add up what the ranks give them and pass each its block of the sum.", "M"};
    case Collective::allgather:
      return {"The switches send copies of each rank's block to all others.", "M/p"};
    default:
      return {"The switches take what each rank gives them once apart by destination.", "(p-1)/p · M"};
  }
}

std::int64_t bytes_up(Collective collective, const Shape& shape) {
  if (shape.ranks == 1) return 0;
  if (collective == Collective::allgather) return shape.bytes / shape.ranks;
  if (collective == Collective::alltoall) return formulas::all_but_one_block(shape.bytes, shape.ranks);
  return shape.bytes;
}

/// Of the only rank.
void copy_alone(Communicator& comm, const CollectiveArguments& call) {
  if (!call.input.empty() && call.input.data() != call.output.data()) comm.copy(call.output, call.input);
}

}  // namespace

CollectiveFunction in_network(Collective collective) {
  return [collective](Communicator& comm, const CollectiveArguments& call) {
    if (comm.size() == 1) return copy_alone(comm, call);
    InNetwork* switches = comm.in_network();
    if (switches == nullptr) throw UsageError(fmt::format("in_network: {}", needs_in_network()));
    switches->perform(collective, call);
  };
}

Algorithm in_network_row(Collective collective) {
  const Text text = text_of(collective);
  return {.collective = collective,
          .name = "in_network",
          .summary = text.summary,
          .source = "[explainer-04] §1, §2",
          .needs = {.in_network = true},
          .rounds_formula = "1",
          .rounds = [](const Shape& shape) { return shape.ranks == 1 ? 0 : 1; },
          .bytes_formula = text.bytes,
          .bytes = [collective](const Shape& shape) { return bytes_up(collective, shape); },
          .granule = has_blocks(collective) ? formulas::block_per_rank : formulas::one_element,
          .run = in_network(collective)};
}

}  // namespace heddle
