// SPDX-License-Identifier: Apache-2.0
// A run's timeline in the Trace Event Format of Chrome's tracing (docs/pictures.md says what is where), which Perfetto opens.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "emu/record/timeline.hpp"
#include "emu/settings/faults.hpp"
#include "show/document/output_file.hpp"
#include "show/document/reporter.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::pictures {

/// Writes one event after the other, a line each; no document is made in memory. The same bytes for the same input. `about`
/// goes into otherData; `faults` are of links. A stream that fails is left failed.
void write_trace(const Timeline& timeline, const Topology& topology, const Placement& placement,
                 const nlohmann::ordered_json& about, std::ostream& out, const std::vector<LinkFault>& faults = {});

/// Of a run that is right and kept its timeline.
void write_trace(const Outcome& outcome, std::ostream& out);

/// "wait", "concurrently", "split", "in_network" or "work": a trace's category, and what a page calls it.
const char* kind_text(SpanRecord::Kind kind);

// `heddle run --trace`: what happened, for Perfetto, of each algorithm whose result is right.

/// Files: `path` itself for one algorithm, else path_of_one for each. The setup keeps timelines.
class TraceReporter final : public Reporter {
 public:
  /// Throws InputError: a file that cannot be written.
  TraceReporter(const Setup& setup, const std::string& path);

  void add(const Outcome& outcome) override;

 private:
  std::vector<OutputFile> files_;  ///< by algorithm
  std::size_t next_ = 0;
};

}  // namespace heddle::pictures
