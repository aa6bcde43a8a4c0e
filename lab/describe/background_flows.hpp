// SPDX-License-Identifier: Apache-2.0
// --background: what else is on the fabric while a collective runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emu/settings/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

/// A flow and how it is called in reports.
struct NamedBackgroundFlow {
  std::string name;
  BackgroundFlow flow;
};

/// Flows with commas between them:
///
///   0->5             between two endpoints over the fabric's way between them; takes all that max-min fairness gives it
///   0->5@100Gbps     at most this rate
///   0->5@50%         at most half of what a message alone on that way gets
///   leaf0->spine1    over one link, as `heddle topo --links` and reports name it; where cables lie side by side, over each,
///                    and a rate is divided among them
///
/// Endpoints have their number or their name: "(0,1)". Throws InputError.
std::vector<NamedBackgroundFlow> parse_background(std::string_view text, const Fabric& fabric);

}  // namespace heddle
