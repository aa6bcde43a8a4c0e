// SPDX-License-Identifier: Apache-2.0
// Which links gave the messages of a run their rates: under max-min fairness those of a message's links that are full, and in
// which nothing is faster.
#pragma once

#include <cstdint>
#include <vector>

#include "emu/record/timeline.hpp"
#include "lab/experiment/setup.hpp"
#include "lab/links/link_speeds.hpp"

namespace heddle {

/// A link, or trunk, held a message up while a rate of it lasted. What several held up at once each has its part of.
struct LinkHold {
  std::uint32_t message;  ///< index into Timeline::messages
  LinkId link;
  double seconds;  ///< that the message drained at this rate, by the part of its bytes that went this way
  double
      lost;  ///< of these, for want of what it would have had alone; a little always, so that what a message lost is never nowhere
  bool is_slowed;  ///< a fault slowed the link
};

/// In the order of the timeline's rates, which is of a run of this setup. A load in the background counts as filling its links.
std::vector<LinkHold> find_link_holds(const Timeline& timeline, const Setup& plan);

}  // namespace heddle
