// SPDX-License-Identifier: Apache-2.0
// Reads "superpod:pods=2,gpus=72,trays=18[,ports=144][,oversubscription=1][,layout=pod-local]" and works out how many leaves
// and spines that takes:
//
//   leaf:    ports/2 NICs down, those of whole pods; ports/2 links up        (72 NICs = 4 pods of 18 on a rail)
//            s times as many down as up where the oversubscription is s
//   leaves:  as many as the pods need                                       (32 pods: 8 a rail)
//   spines:  none for one leaf; else the fewest that have a port for every link up and divide the links of a leaf evenly
//                                                                            (8 · 72 links over 144 ports: 4 a rail, 18 cables)
#include <fmt/format.h>

#include "topo/fabric/size_limit.hpp"
#include "topo/families/clos/superpod.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kGpusOfTray = 4;  // of a GB200 NVL72

int rounded_up(std::int64_t dividend, std::int64_t divisor) { return static_cast<int>((dividend + divisor - 1) / divisor); }

PodLayout read_layout(SpecFields& fields) {
  const std::string_view layout = fields.text("layout").value_or("rails");
  if (layout == "rails") return PodLayout::rails;
  if (layout == "pod-local") return PodLayout::pod_local;
  fields.refuse(fmt::format("layout '{}' is neither rails nor pod-local", layout));
}

SuperpodSize read_size(SpecFields& fields) {
  const std::int64_t pods = fields.number("pods").value_or(1);
  const std::optional<std::int64_t> asked_gpus = fields.number("gpus");
  const std::optional<std::int64_t> asked_trays = fields.number("trays");
  const std::int64_t ports = fields.number("ports").value_or(SuperpodSize().ports);
  const std::int64_t oversubscription = fields.number("oversubscription").value_or(1);
  SuperpodSize size;
  size.layout = read_layout(fields);

  // Before anything is multiplied or narrowed.
  for (const auto& [name, value] :
       {std::pair("pods", pods), std::pair("gpus", asked_gpus.value_or(1)), std::pair("trays", asked_trays.value_or(1)),
        std::pair("ports", ports), std::pair("oversubscription", oversubscription)}) {
    if (value > kMaxEndpoints)
      fields.refuse(fmt::format("{}={} is too large, at most {} is possible", name, value, kMaxEndpoints));
  }
  const std::int64_t gpus = asked_gpus.value_or(asked_trays ? *asked_trays * kGpusOfTray : size.gpus);
  if (!asked_trays && gpus % kGpusOfTray != 0)
    fields.refuse(fmt::format("gpus={} over trays of {} is {:.3g} trays; give the number of trays", gpus, kGpusOfTray,
                              static_cast<double>(gpus) / kGpusOfTray));
  const std::int64_t trays = asked_trays.value_or(gpus / kGpusOfTray);
  if (gpus % trays != 0)
    fields.refuse(fmt::format("gpus={} over trays={} is {:.3g} per tray, not a whole number", gpus, trays,
                              static_cast<double>(gpus) / static_cast<double>(trays)));
  if (ports % (oversubscription + 1) != 0)
    fields.refuse(oversubscription == 1 ? fmt::format("ports={} cannot be half down and half up: the number is even", ports)
                                        : fmt::format("ports={} cannot be {} parts down and one up: the number divides by {}",
                                                      ports, oversubscription, oversubscription + 1));
  require_numberable(std::string(fields.whole()), static_cast<double>(pods) * static_cast<double>(gpus), 0);
  size.pods = static_cast<int>(pods);
  size.gpus = static_cast<int>(gpus);
  size.trays = static_cast<int>(trays);
  size.ports = static_cast<int>(ports);
  size.oversubscription = static_cast<int>(oversubscription);
  return size;
}

/// The fewest spines for `leaves` leaves.
int spines_for(int leaves, const SuperpodSize& size, SpecFields& fields) {
  if (leaves == 1) return 0;
  const int uplinks = size.ports_up();
  const int ports = size.ports;
  if (leaves > ports) fields.refuse(fmt::format("{} leaves are more than a spine of ports={} can join", leaves, ports));
  int spines = rounded_up(std::int64_t{leaves} * uplinks, ports);
  while (uplinks % spines != 0) ++spines;
  return spines;
}

/// The network of one rail, in the pod-local layout the one of all NICs.
FoldedClosSize rail_of(const SuperpodSize& size, int rails, SpecFields& fields) {
  const int nics_of_pod = size.gpus / rails;
  const int down_ports = size.ports_down();
  if (nics_of_pod > down_ports)
    fields.refuse(
        fmt::format("{} NICs of a pod do not fit a leaf with ports={}, {} of them down", nics_of_pod, size.ports, down_ports));
  const int pods_of_leaf = size.layout == PodLayout::pod_local ? 1 : down_ports / nics_of_pod;
  FoldedClosSize rail;
  rail.hosts = size.pods * nics_of_pod;
  rail.hosts_per_leaf = pods_of_leaf * nics_of_pod;
  rail.leaves = rounded_up(size.pods, pods_of_leaf);
  rail.spines = spines_for(rail.leaves, size, fields);
  if (rail.spines > 0) rail.cables = size.ports_up() / rail.spines;
  return rail;
}

}  // namespace

namespace {

std::unique_ptr<Topology> build_superpod(SpecFields& fields) {
  const SuperpodSize size = read_size(fields);
  const int rails = size.layout == PodLayout::pod_local ? 1 : size.gpus / size.trays;
  const FoldedClosSize rail = rail_of(size, rails, fields);
  const double gpus = static_cast<double>(size.pods) * size.gpus;
  require_numberable(
      std::string(fields.whole()), gpus,
      2 * gpus + rails * FoldedClos::numbers_needed(rail.hosts, rail.leaves, static_cast<double>(rail.spines) * rail.cables,
                                                    rail.spines, 0, rail.pods));
  return std::make_unique<Superpod>(size, rails, rail);
}

}  // namespace

std::vector<FamilyRow> superpod_spec_families() {
  return {
      {{"superpod", "superpod:pods=2,gpus=72,trays=18", "pods of GPUs on NVLink, joined by a leaf-spine network for each rail"},
       build_superpod}};
}

}  // namespace heddle
