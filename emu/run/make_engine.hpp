// SPDX-License-Identifier: Apache-2.0
// The one place that knows which engines there are.
#pragma once

#include <memory>

#include "emu/engine/engine.hpp"
#include "emu/run/emulation_settings.hpp"

namespace heddle::emu {

/// Throws InputError for settings that the engine they ask for does not serve.
void check_engine(const EmulationSettings& settings);

/// The one that the settings ask for, which outlive it. `is_directed`: it asks its client what to hold back.
std::unique_ptr<Engine> make_engine(const EmulationSettings& settings, bool is_directed);

}  // namespace heddle::emu
