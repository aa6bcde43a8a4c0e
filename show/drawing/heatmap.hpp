// SPDX-License-Identifier: Apache-2.0
// Loads of links as pictures.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emu/record/report.hpp"
#include "emu/record/timeline.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/units.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "show/document/reporter.hpp"
#include "show/drawing/drawing.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::pictures {

// How much of something each link had, as pictures show it.

/// What a heat map shows of a link, one way (docs/model.md, "What is counted").
enum class HeatmapOf : std::uint8_t {
  bytes,        ///< that it carried
  utilisation,  ///< those over what it could carry in a time: 0 … 1
  contention,   ///< seconds that messages lost because they shared it
  // Of runs in packets (docs/packets.md).
  queue,    ///< packets that waited for it, on average over the run's time
  stalled,  ///< the part of the run's time that it stood still as there was no room at its far end: 0 … 1
};
inline bool is_of_packets(HeatmapOf of) { return of == HeatmapOf::queue || of == HeatmapOf::stalled; }

/// By its name. Throws InputError.
HeatmapOf parse_heatmap_of(std::string_view text);

/// What it is called.
struct HeatmapWords {
  std::string_view name;
  std::string_view legend;   ///< "Bytes over a link, one way"
  std::string_view of_most;  ///< "8 links … the most."
  std::string_view digit;    ///< behind "at most d/9 of 57KiB"
};
const HeatmapWords& words_of(HeatmapOf of);

class LinkLoads {
 public:
  /// A load for each link of the report. The scale ends at the largest.
  LinkLoads(HeatmapOf of, std::vector<double> loads, const Report& report);
  /// Bytes.
  explicit LinkLoads(const Report& report);

  HeatmapOf of() const { return of_; }
  double load(LinkId link) const { return loads_[static_cast<std::size_t>(link)]; }
  std::int64_t bytes(LinkId link) const { return bytes_[static_cast<std::size_t>(link)]; }
  /// The most of these links.
  double most_of(const std::vector<LinkId>& links) const;
  double most() const { return most_; }
  double total() const { return total_; }
  int links() const { return static_cast<int>(loads_.size()); }
  std::ptrdiff_t links_with(double load) const { return std::ranges::count(loads_, load); }
  /// Links with a load.
  int loaded() const { return loaded_; }
  /// Over those; 0 if there are none.
  double mean() const { return loaded_ > 0 ? total_ / loaded_ : 0; }

  /// The links with a load, most first; where that is equal, most bytes first, then by number. At most `count`.
  std::vector<LinkId> busiest(std::size_t count) const;

  /// Where the scale of colours, widths and digits ends; at least most(), more where pictures share a scale.
  double scale() const { return scale_; }
  /// The same loads on a scale up to `end`, or to most() if that is more.
  LinkLoads on_scale(double end) const;
  /// Each load, and the scale, times `factor`: another time for a utilisation.
  LinkLoads times(double factor) const;

  /// Faults that links had, which pictures mark.
  void mark(std::vector<LinkFault> faults) { faults_ = std::move(faults); }
  const std::vector<LinkFault>& faults() const { return faults_; }
  /// "slow=4"; of several "slow=4 down,at=10us"; empty: the link has none.
  std::string fault_text(LinkId link) const;
  /// Whether it is down at the end.
  bool is_down(LinkId link) const;

  /// 0 for no load, else 1 … steps: in which part of (0, scale()] it is.
  int step(double load, int steps) const;
  /// A sentence where no link has a load.
  std::string_view why_none() const;
  /// With its unit: "1.5MiB", "38.4%", "12.5us".
  std::string text(double load) const;

 private:
  HeatmapOf of_;
  std::vector<double> loads_;
  std::vector<std::int64_t> bytes_;
  double most_ = 0;
  double total_ = 0;
  int loaded_ = 0;
  double scale_ = 0;
  std::vector<LinkFault> faults_ = {};
};

// The loads of a run's links, by any of the measures that heat maps show.

/// Of a run with a report; utilisation over its own time. Contention is of runs that kept a timeline; what is of packets, of runs
/// in packets.
LinkLoads measured_loads(HeatmapOf of, const Outcome& outcome);

/// Seconds that messages lost on each link (docs/model.md, "What is counted"): what each message took longer to drain than it
/// takes alone is shared out over the links that held it up, by how long and how much. Together they are the contention of all
/// messages. The timeline is of a run of this setup.
std::vector<double> contention_of_links(const Timeline& timeline, const Setup& setup);

/// A link of a list of the most loaded.
struct BusyLink {
  std::string name;  ///< "leaf3->spine0"
  std::string load;  ///< with its unit; of bytes all digits: "57344 B"
  std::string tier;  ///< "leaf to spine"
  Bandwidth bandwidth;
};

/// "0->1: slow=4, 38.4%", of at most `count` links with faults, by number; the last says how many more there are.
std::vector<std::string> faulty_links(const LinkLoads& loads, const Topology& topology, std::size_t count);

/// In the order of LinkLoads::busiest.
std::vector<BusyLink> busiest_links(const LinkLoads& loads, const Fabric& fabric, std::size_t count);

// Loads of links in letters, for a terminal.

/// Plain ASCII of at most 128 columns, for any fabric: a digit for each link where they fit, one for several where not, then a
/// table of loads by direction and the most loaded links. Digits are ninths of the loads' scale, '.' is nothing.
std::string ascii_heatmap(const LinkLoads& loads, const Fabric& fabric, const Placement& placement);

// A fabric's drawing with the loads of a run as colours and widths, a legend and the most loaded links by name.

/// What stands above a picture.
struct PictureTitle {
  std::string headline;                 ///< "allreduce, ring, on torus:4x4: 12.3 us"
  std::vector<std::string> details;     ///< a line each
  std::vector<std::string> scale = {};  ///< what the scale is of, a line each, below the legend's title
};

/// The whole file. The same bytes for the same input.
std::string svg_heatmap(const Drawing& drawing, const LinkLoads& loads, const Fabric& fabric, const PictureTitle& title);

// `heddle run --heatmap`: a picture of the links' loads for each algorithm whose result is right, all on one scale.

/// The loads of one algorithm's links.
struct HeatmapOfRun {
  std::size_t algorithm = 0;  ///< of the setup
  Time completion;
  LinkLoads loads;
  PictureTitle title;
};

/// Makes pictures comparable: one scale for all, up to the largest load of any, and utilisations over one time, that of the
/// slowest run. Each title's `scale` says so. Loads as measured_loads makes them.
std::vector<HeatmapOfRun> on_one_scale(std::vector<HeatmapOfRun> runs);

/// Throws InputError for loads that the setup's runs do not measure.
void require_measured(const Setup& setup, HeatmapOf of);

/// Shows the runs, all on one scale, at the end.
class HeatmapReporter final : public Reporter {
 public:
  using Show = std::function<void(const Setup& setup, const HeatmapOfRun& run)>;

  HeatmapReporter(HeatmapOf of, Show show) : of_(of), show_(std::move(show)) {}

  void add(const Outcome& outcome) override;
  void end(const Setup& setup) override;

 private:
  HeatmapOf of_;
  Show show_;
  std::vector<HeatmapOfRun> runs_ = {};
  std::size_t next_ = 0;
};

/// Picture files: `path` itself for one algorithm, else path_of_one for each. Throws InputError: a fabric that has no drawing, a file that
/// cannot be written. `path` ends in .svg or .png (require_picture_file). Contention needs setups that keep timelines.
HeatmapReporter::Show heatmap_files(const Setup& setup, const std::string& path);
/// Letters. `out` outlives this.
HeatmapReporter::Show text_heatmaps(std::ostream& out);

}  // namespace heddle::pictures
