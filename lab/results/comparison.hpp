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

#include "heddle/units.hpp"

namespace heddle {

struct SweepDocument;

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
/// The same of its text, for who looks at that first (read_named_file in core/read_file.hpp): a pipe is read once.
ResultFile read_results(const std::string& path, const std::string& text);

/// The same of a sweep that is in memory; `path` names it in complaints.
ResultFile results_of(const SweepDocument& document, std::string path);

// Two files of results held against each other, cell by cell.

/// What became of a cell.
enum class CellChange : std::uint8_t {
  wrong,    ///< it fails now, whatever it did before
  slower,   ///< by more than the tolerance
  missing,  ///< the new file has no such cell
  added,    ///< the old one has none
  right,    ///< it failed before, and does not any more
  faster,   ///< by more than the tolerance
};
/// "slower"; of an added cell "new", of one that is right "right now".
std::string to_string(CellChange change);

struct CellDifference {
  CellChange change = CellChange::wrong;
  std::vector<std::string> values;  ///< of the cell, by cell_names()
  std::optional<Time> before;       ///< no value: it was not measured
  std::optional<Time> now;
  std::string failure = {};  ///< that it has now; of a cell that is missing or right now, that it had

  /// How much longer it takes: 0.02 for 2 %. No value: one of the two was not measured, or took no time.
  std::optional<double> slowdown() const;
};

/// A member of both contexts that is not the same: {"version", "0.1.0", "0.2.0"}.
struct ContextDifference {
  std::string name;
  std::string before;
  std::string now;
};

struct Comparison {
  std::vector<CellDifference>
      differences;                         ///< wrong ones first, as CellChange has them; within them in the order of the files,
                                           ///< but the slowest of the slower ones first
  std::vector<ContextDifference> context;  ///< what is not the same of the files, or of the fabrics of cells that are matched
  int matched = 0;                         ///< cells that both files have
  int unchanged = 0;                       ///< of these, within the tolerance
  /// By cell_names(): whether several values of it occur.
  std::vector<bool> varies;

  /// Whether something is slower, or fails.
  bool is_worse() const;
};

/// Cells are matched by their names. Where one name has a single value in each file and they are not the same (another topology,
/// preset, datatype, …), that is a difference of context, and cells are matched by the others; collective, size and algorithm always count.
/// `tolerance`: 0.01 lets a cell take 1 % longer. Throws InputError if no cell is matched.
Comparison compare(const ResultFile& before, const ResultFile& now, double tolerance);

/// "1%" or "0.01". Throws InputError for what is none, or less than 0.
double parse_tolerance(std::string_view text);

}  // namespace heddle
