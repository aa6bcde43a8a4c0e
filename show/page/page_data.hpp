// SPDX-License-Identifier: Apache-2.0
// What a page shows of a run, as data.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "emu/record/report.hpp"
#include "emu/record/run_sample.hpp"
#include "emu/settings/faults.hpp"
#include "lab/studies/block_steps.hpp"
#include "show/drawing/drawing.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::pages {

/// Where everything of a fabric stands, and of each link that is drawn its name and bandwidth.
nlohmann::ordered_json json_of_drawing(const pictures::Drawing& drawing, const Fabric& fabric);

/// The links of the drawing, ascending, each once.
std::vector<LinkId> links_of(const pictures::Drawing& drawing);

// What a run's sample (emu/record/run_sample.hpp) holds, as a page's data. Times are whole picoseconds.

/// {seen, drawn: [[source, dest, round, bytes, posted, started, entered, drained, arrived, full rate], …]}, at most `most`; a time
/// from the second on is what has passed since the one before. In place of ranks -1: the switches.
nlohmann::ordered_json json_of_messages(const RunSample& sample, std::size_t most);
/// {seen, every, drawn: [[rank, kind, begin, length], …]}, of the ranks' own tasks.
nlohmann::ordered_json json_of_waits(const RunSample& sample, std::size_t most);
/// {names, drawn: [[rank, name's index, begin, length], …]}: when any task of a rank was in a phase; one within another counts as that.
nlohmann::ordered_json json_of_phases(const RunSample& sample, std::size_t most);
/// [[source, dest, round, started, entered, arrived, contention], …], from the first message to the last; null: not kept.
nlohmann::ordered_json json_of_chain(const RunSample& sample, const CriticalPath& path);
/// The load of these links in equal spans of time, at most `most_cells` numbers: {span_ps, spans, bytes, lost_ps, most_bytes,
/// most_lost_ps, total_bytes, faults: [[place of the link, text, [[from, part of its bandwidth], …]], …]}. bytes and lost_ps are 16-bit parts of the most, little-endian, in base 64: link by link.
nlohmann::ordered_json json_of_loads(const RunSample& sample, const Report& report, const Topology& topology,
                                     std::span<const LinkId> links, const std::vector<LinkFault>& faults,
                                     std::size_t most_cells);

/// A timeline of these messages alone; with the phases if the sample has all of them.
Timeline timeline_of(const RunSample& sample, const std::vector<RunSample::ChainLink>& chain);

/// Of 64 ranks at most all; of more, one of each class of ranks that send and receive as much in each step. {ranks, rows, classes,
/// blocks, whole, by_source, needed: [first, count, …], before: [row, block, terms, …], steps: [{moves: [[source, dest, [first, last,
/// …]], …], gains: [row, block, terms, …]}]}: rows are places in `rows`, which holds ranks; classes: how many ranks each stands for,
/// null where each is one.
nlohmann::ordered_json json_of_steps(const BlockSteps& steps);

// What a page is made of besides its data: files of show/page/web and d3, which the build puts into the program.

/// With the places that page.cpp fills.
std::string_view skeleton();
std::string_view style();
/// In the order in which they build on each other; the first is d3.
std::span<const std::string_view> scripts();

}  // namespace heddle::pages
