// SPDX-License-Identifier: Apache-2.0
// A preset in a JSON file (docs/fit.md): the speeds of a fabric, whatever its shape.
#pragma once

#include <string>
#include <string_view>

#include "topo/fabric/fabric.hpp"

namespace heddle {

/// What the file leaves out is as FabricSettings has it. Throws InputError "FILE:LINE: what is wrong"; "FILE: …" if it cannot be
/// read.
FabricSettings read_preset_file(const std::string& path);

/// The file's text, with its checksum. read_preset_file makes the same settings of it where these are what to_string(Time) and
/// to_string(Bandwidth) write: numbers of four digits.
std::string preset_file_text(const FabricSettings& settings, std::string_view summary);

/// γ as a preset's file has it, four digits: "123.4ps".
std::string gamma_text(double seconds_per_byte);

}  // namespace heddle
