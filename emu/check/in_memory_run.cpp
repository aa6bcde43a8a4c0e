// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "emu/check/checked_run.hpp"
#include "emu/check/groups_run.hpp"
#include "emu/memory/in_memory_runtime.hpp"
#include "emu/switches/in_network.hpp"
#include "heddle/errors.hpp"

namespace heddle {

bool is_unlimited(const Fabric& fabric) {
  const FabricSettings& speeds = fabric.settings();
  const bool has_free_links = std::all_of(speeds.tiers.begin(), speeds.tiers.end(), [](const LinkSpeed& tier) {
    return tier.bandwidth.is_unlimited() && tier.latency == Time();
  });
  const Time others = speeds.hop + fabric.host_links() + speeds.alpha + speeds.send_overhead + speeds.recv_overhead;
  return has_free_links && others == Time() && speeds.gamma == 0 && !has_computing_switches(fabric.topology());
}

std::vector<Time> run_checked_in_memory(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                                        Buffering buffering) {
  if (call.sampled != call.count) throw InputError("a run in memory holds all elements: there is nothing to scale");
  if (buffering.credits.value_or(0) != 0)
    throw InputError("a run in memory buffers without bound or not at all: eager or sync, no number of credits");
  emu::GroupsRun run({call}, {emu::all_ranks(placement.size())}, placement);
  emu::InMemoryRuntime runtime(fabric, placement, !buffering.credits);
  runtime.run([&run](emu::MeasuredCommunicator& communicator) { run.run_rank(communicator); });
  const emu::GroupCalls& calls = *run.groups().front();
  if (const emu::WrongCalls wrong = calls.explain_failures(); !wrong.text.empty())
    throw CheckError(wrong.kind, wrong.text, wrong.facts);
  return calls.completions();
}

}  // namespace heddle
