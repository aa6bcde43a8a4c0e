// SPDX-License-Identifier: Apache-2.0
// Settings of fabrics by name.
#pragma once

#include <string_view>
#include <vector>

#include "topo/fabric/fabric.hpp"

namespace heddle {

/// A source's parameters under one name.
struct FabricPreset {
  std::string_view name;
  std::string_view summary;  ///< with the source
  FabricSettings settings;
};
const std::vector<FabricPreset>& fabric_presets();
/// Throws InputError with the nearest name.
const FabricPreset& find_fabric_preset(std::string_view name);
/// Of a preset by its name, or of "file:PATH" (topo/presets/preset_file.hpp). Throws InputError.
FabricSettings preset_settings(std::string_view preset);

}  // namespace heddle
