// SPDX-License-Identifier: Apache-2.0
// What differs from run to run of a sweep, as texts: for the columns of tables, the axes of plots, and what is compared.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// One thing that runs of a sweep may differ in.
struct SweepAxis {
  /// topology, preset, bandwidth, latency, routing, fault, model, placement, ranks, size or algorithm. As columns of the CSV are called, but
  /// for the size, which is `bytes` there.
  std::string name;
  /// Each once, in the order in which they come up: "torus:8x8", "64", "1KiB", "none". Empty text: what a sweep says nothing of,
  /// as a preset where there is none.
  std::vector<std::string> values;

  bool operator==(const SweepAxis&) const = default;
};

/// The axes of a document's runs that have at least two values, by the list above. Of a sweep over topologies that differ in size, ranks are
/// among them.
std::vector<SweepAxis> varying_axes(const SweepDocument& document);

/// Those that differ between fabrics: all but the size and the algorithm.
std::vector<SweepAxis> varying_fabric_axes(const SweepDocument& document);

/// The value of a member of context.fabrics on one of its axes; empty: it has none.
std::string fabric_value(const nlohmann::ordered_json& fabric, std::string_view axis);
/// The value of a run on any axis.
std::string axis_value(const nlohmann::ordered_json& fabric, const SweepResult& run, std::string_view axis);

/// What times are held against: the runs that have this value on this axis.
struct SweepBase {
  std::string axis;
  std::string value;
};

/// "ring:64", the value of exactly one axis of the document, or "topology=ring:64". Throws InputError that shows what there is.
SweepBase find_base(const SweepDocument& document, std::string_view text);

/// The document's base (context.base); none: it was not asked for.
std::optional<SweepBase> base_of(const SweepDocument& document);

/// By run of the document: its time in proportion to that of the run that differs from it in the base's axis alone, and has
/// the base's value there. Where fabrics have other numbers of ranks, in these as well. No value: one of the two was not measured, or
/// took no time. Empty: the document has no base.
std::vector<std::optional<double>> ratios_to_base(const SweepDocument& document);

// ---- seeds of ECMP: --routing ecmp:1:32 ----

/// Whether some fabrics of the document are one under many seeds.
bool has_seeds(const SweepDocument& document);

/// The document with one fabric in place of those that differ in the seed alone, called after all of them: "torus:8x8, ecmp:1:32".
/// A result there has the median time and the rates that go with it, what else its runs have in common with the one of the middle,
/// and a spread; a failure if one of the seeds failed; neither as long as one of them is missing. Its number is that of the first.
SweepDocument over_seeds(const SweepDocument& document);

/// By run of the document: the spread over the seeds that it is one of. No value: it is of none, or not all of them are measured.
std::vector<std::optional<SeedSpread>> spreads_of(const SweepDocument& document);

}  // namespace heddle
