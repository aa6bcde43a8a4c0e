// SPDX-License-Identifier: Apache-2.0
#include "emu/engine/make_engine.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "emu/engine/tasks.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

void check_engine(const EmulationSettings& settings) {
  if (!settings.wall) return;
  const WallClockSettings& wall = *settings.wall;
  if (!settings.faults.empty()) throw InputError("the wall clock serves no faults: they need the virtual one");
  if (!(wall.dilation > 0 && std::isfinite(wall.dilation)))
    throw InputError(fmt::format("dilation {}: it must be more than 0, and finite", wall.dilation));
  if (!settings.order.is_usual())
    throw InputError("an order of one's own needs the virtual clock: under the wall clock the machine orders what happens");
  if (wall.deadline_seconds && !(*wall.deadline_seconds > 0))
    throw InputError(fmt::format("a deadline of {} s: it must be more than 0", *wall.deadline_seconds));
}

std::unique_ptr<Engine> make_engine(const EmulationSettings& settings, bool is_directed) {
  if (settings.wall) return make_wall_clock(*settings.wall, settings.interrupted);
  auto tasks = settings.threads == Threads::user ? make_user_tasks(settings.stack_bytes)
                                                 : make_kernel_tasks(!settings.one_at_a_time, settings.stack_bytes);
  return make_virtual_clock(std::move(tasks), settings.order_seed, is_directed, settings.most_slices_at_once,
                            settings.interrupted);
}

}  // namespace heddle::emu
