// SPDX-License-Identifier: Apache-2.0
#include "emu/run/emulate.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <functional>
#include <vector>

#include "emu/engine/make_engine.hpp"
#include "emu/engine/stack_pool.hpp"
#include "emu/engine/task_identity.hpp"
#include "emu/network/make_network.hpp"
#include "emu/record/memory_estimate.hpp"
#include "emu/run/emulation.hpp"
#include "emu/run/measured_run.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

constexpr std::size_t kLargestStack = std::size_t{1} << 30;

void require_served(Model model, ModelNeed need) {
  if (const std::string_view lack = why_not(model, need); !lack.empty())
    throw InputError(fmt::format("the {} model {}; try fluid", to_string(model), lack));
}

void check(const Fabric& fabric, const Placement& placement, const EmulationSettings& settings) {
  if (placement.empty()) throw InputError("a run needs at least one rank");
  std::vector<bool> used(static_cast<std::size_t>(fabric.topology().endpoints()));
  for (const VertexId endpoint : placement) {
    if (endpoint < 0 || endpoint >= fabric.topology().endpoints())
      throw InputError(fmt::format("a rank is placed on endpoint {}, and {} has endpoints 0 to {}", endpoint,
                                   fabric.topology().spec(), fabric.topology().endpoints() - 1));
    if (used[static_cast<std::size_t>(endpoint)]) throw InputError("two ranks are placed on one endpoint");
    used[static_cast<std::size_t>(endpoint)] = true;
  }
  if (!(settings.byte_scale >= 1 && std::isfinite(settings.byte_scale)))
    throw InputError(fmt::format("payload_scale {}: it must be at least 1, and finite", settings.byte_scale));
  if (settings.stack_bytes > kLargestStack) {
    throw InputError(fmt::format("stack_bytes {}: at most {} for each task", settings.stack_bytes,
                                 to_string(Bytes(static_cast<std::int64_t>(kLargestStack)))));
  }
  if (settings.buffering.credits && *settings.buffering.credits < 0)
    throw InputError("buffering: the number of credits must not be negative");
  for (const BackgroundFlow& flow : settings.background) require_possible(fabric, flow);
  if (settings.faults.worst)
    throw InputError("a run has no fault of the worst link: find_worst_link (emu/studies/worst_link.hpp) says which it is");
  require_possible(settings.faults, fabric.topology(), static_cast<int>(placement.size()));
  if (!settings.faults.links.empty()) require_served(settings.model, ModelNeed::link_faults);
  if (!settings.background.empty() && !settings.faults.links.empty())
    throw InputError("faults of links and flows in the background: one of both");
  if (!settings.background.empty()) require_served(settings.model, ModelNeed::background);
  emu::check_engine(settings);
}

std::int64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

}  // namespace

Report emu::emulate_measured(const Fabric& fabric, const Placement& placement, const MeasuredFunction& function,
                             const EmulationSettings& settings) {
  require_memory(estimate_memory(static_cast<std::int64_t>(placement.size()), fabric.topology().links(), Bytes(0)),
                 fabric.topology().spec());
  check(fabric, placement, settings);
  Report report = Emulation(fabric, placement, function, settings).run();
  report.host.peak_rss_bytes = peak_rss_bytes();
  return report;
}

void install_process_handlers() {
  emu::watch_for_terminate();
  emu::let_watch_for_overflows();
}

Report emulate(const Fabric& fabric, const Placement& placement, const RankFunction& function,
               const EmulationSettings& settings) {
  return emu::emulate_measured(fabric, placement, std::cref(function), settings);
}

}  // namespace heddle
