// SPDX-License-Identifier: Apache-2.0
#include "emu/emulate.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <set>

#include "core/errors.hpp"
#include "core/read_number.hpp"
#include "core/sanitizers.hpp"
#include "emu/emulation.hpp"
#include "emu/memory_estimate.hpp"

namespace heddle {

namespace {

constexpr std::size_t kLargestStack = std::size_t{1} << 30;

void check(const Fabric& fabric, const Placement& placement, const EmulationSettings& settings) {
  if (placement.empty()) throw InputError("a run needs at least one rank");
  const std::set<VertexId> used(placement.begin(), placement.end());
  if (used.size() != placement.size()) throw InputError("two ranks are placed on one endpoint");
  if (*used.begin() < 0 || *used.rbegin() >= fabric.topology().endpoints()) {
    throw InputError(fmt::format("a rank is placed on endpoint {}, and {} has endpoints 0 to {}",
                                 *used.begin() < 0 ? *used.begin() : *used.rbegin(), fabric.topology().spec(),
                                 fabric.topology().endpoints() - 1));
  }
  if (!(settings.payload_scale >= 1 && std::isfinite(settings.payload_scale)))
    throw InputError(fmt::format("payload_scale {}: it must be at least 1, and finite", settings.payload_scale));
  if (settings.stack_bytes > kLargestStack) {
    throw InputError(fmt::format("stack_bytes {}: at most {} for each strand", settings.stack_bytes,
                                 to_string(Bytes(static_cast<std::int64_t>(kLargestStack)))));
  }
  if (settings.buffering.credits && *settings.buffering.credits < 0)
    throw InputError("buffering: the number of credits must not be negative");
  for (const BackgroundFlow& flow : settings.background) require_possible(fabric, flow);
  require_possible(settings.faults, fabric.topology(), static_cast<int>(placement.size()));
  if (settings.model != Model::fluid && !settings.faults.links.empty())
    throw InputError("the alpha-beta model knows no faults of links; try fluid");
  if (!settings.background.empty() && !settings.faults.links.empty())
    throw InputError("faults of links and flows in the background: one of both");
  if (settings.wall && !settings.faults.empty()) throw InputError("the wall clock serves no faults: they need the virtual one");
  if (settings.wall && !(settings.wall->dilation > 0 && std::isfinite(settings.wall->dilation)))
    throw InputError(fmt::format("dilation {}: it must be more than 0, and finite", settings.wall->dilation));
  if (settings.wall && !settings.schedule.is_usual())
    throw InputError("a schedule of one's own needs the virtual clock: under the wall clock the machine orders what happens");
  if (settings.wall && settings.wall->deadline_seconds && !(*settings.wall->deadline_seconds > 0))
    throw InputError(fmt::format("a deadline of {} s: it must be more than 0", *settings.wall->deadline_seconds));
}

std::int64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

}  // namespace

Threads default_threads() {
#if HEDDLE_THREAD_SANITIZER
  return Threads::kernel;
#else
  return Threads::user;
#endif
}

Buffering parse_buffering(std::string_view text) {
  if (text == "eager") return Buffering::eager();
  if (text == "sync") return Buffering::synchronous();
  const auto credits = read_number<int>(text);
  if (credits && *credits >= 0) return Buffering::limited(*credits);
  throw InputError(
      fmt::format("'{}' is no buffering; try eager, sync, or a number of credits per sender and receiver such as 2", text));
}

std::string to_string(Buffering buffering) {
  if (!buffering.credits) return "eager";
  return *buffering.credits == 0 ? "sync" : std::to_string(*buffering.credits);
}

Model parse_model(std::string_view text) {
  if (text == "fluid") return Model::fluid;
  if (text == "alpha-beta") return Model::alpha_beta;
  throw InputError(fmt::format("'{}' is no model; fluid or alpha-beta", text));
}

std::string to_string(Model model) { return model == Model::fluid ? "fluid" : "alpha-beta"; }

Report emulate(const Fabric& fabric, const Placement& placement, const RankFunction& function,
               const EmulationSettings& settings) {
  require_memory(estimate_memory(static_cast<std::int64_t>(placement.size()), fabric.topology().links(), Bytes(0)),
                 fabric.topology().spec());
  check(fabric, placement, settings);
  Report report = emu::Emulation(fabric, placement, function, settings).run();
  report.host.peak_rss_bytes = peak_rss_bytes();
  return report;
}

Report emulate(std::string_view topology, const RankFunction& function, const EmulationSettings& settings) {
  const Fabric fabric(parse_topology(topology), FabricSettings{});
  return emulate(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), function, settings);
}

}  // namespace heddle
