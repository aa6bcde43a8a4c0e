// SPDX-License-Identifier: Apache-2.0
#include "lab/documents/part_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "heddle/units.hpp"

namespace heddle {

std::int64_t bytes_run(std::int64_t bytes, double payload_scale) {
  return std::llround(static_cast<double>(bytes) / payload_scale);
}

std::string marked_name(std::string_view algorithm) { return fmt::format("~{}", algorithm); }

std::string part_text(std::int64_t bytes, double payload_scale) {
  return fmt::format("{} of {}", to_string(Bytes(bytes_run(bytes, payload_scale))), to_string(Bytes(bytes)));
}

std::string part_run_note(std::string_view algorithm, const std::vector<std::string>& parts) {
  return fmt::format(
      "{} ran a part of its vector, {}, for the whole: its entry does not say that it is independent of size; if it cuts or "
      "chooses by size, the whole takes another time (--payload full)",
      marked_name(algorithm), fmt::join(parts, ", "));
}

}  // namespace heddle
