// SPDX-License-Identifier: Apache-2.0
// What `heddle run --json` or `heddle sweep --json` wrote, as cells that can be held against those of another file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/units.hpp"

namespace heddle {

/// One result, and what names it.
struct ResultCell {
  /// The value of each of ResultFile::names; empty: the file says nothing of it.
  std::vector<std::string> values;
  std::optional<Time> time;  ///< no value: it failed
  std::string failure = {};  ///< the kind of check that failed: "wrong_result"
  std::size_t context = 0;   ///< its place in ResultFile::contexts
};

struct ResultFile {
  enum class Kind : std::uint8_t { run, sweep };

  std::string path;
  Kind kind = Kind::run;
  std::string version;
  bool is_complete = true;  ///< whether all that was asked for is there
  /// Each a fabric with its speeds and data: context.fabrics of a sweep, context of a run.
  std::vector<nlohmann::ordered_json> contexts;
  std::vector<ResultCell> cells;
};

/// What names a cell: collective, topology, preset, bandwidth, latency, fault, placement, ranks, groups, datatype, op, root, size, algorithm.
const std::vector<std::string>& cell_names();

/// Of a sweep the JSON or the journal, whole or a part; of runs a document or a list of them. Throws InputError that names the path for
/// what cannot be read, is neither, or is damaged.
ResultFile read_result_file(const std::string& path);

}  // namespace heddle
