// SPDX-License-Identifier: Apache-2.0
// A preset in a JSON file (docs/fit.md): the speeds of a fabric, whatever its shape.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topo/fabric/fabric.hpp"

namespace heddle {

/// Where speeds come from that were fitted to measured runs (heddle fit), in words.
struct FitRecord {
  std::string topology;  ///< on which they were fitted: "star:4"
  std::string runs;      ///< "9 of 21 runs of recursive_doubling, ring over TCP"
  std::string
      predicted;  ///< how far off the other runs' emulated times are: "2.4 % in the median, 4.3 % at worst"; empty: unknown

  bool operator==(const FitRecord&) const = default;
};

/// What the file leaves out is as FabricSettings has it. Throws InputError "FILE:LINE: what is wrong"; "FILE: …" if it cannot be
/// read.
FabricSettings read_preset_file(const std::string& path);

/// What the file says of the fit that its speeds come from; no value: nothing, or it has no checksum and may have been changed
/// since. Throws InputError as read_preset_file does.
std::optional<FitRecord> read_fit_record(const std::string& path);

/// The file's text, with its checksum. read_preset_file makes the same settings of it where these are what to_string(Time) and
/// to_string(Bandwidth) write: numbers of four digits.
std::string preset_file_text(const FabricSettings& settings, std::string_view summary,
                             const std::optional<FitRecord>& fitted = {});

/// γ as a preset's file has it, four digits: "123.4ps".
std::string gamma_text(double seconds_per_byte);

}  // namespace heddle
