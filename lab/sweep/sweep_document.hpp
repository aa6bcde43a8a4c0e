// SPDX-License-Identifier: Apache-2.0
// A sweep's results with all that is needed to read, continue and merge them; and its JSON, an interface that scripts rely on:
//
//   context   version, parameters (each flag that has a say, as written), fabrics (each with its ranks, placement, speeds and
//             data in full), rounded_up (sizes that were less than an element, bytes_asked, and what was run, bytes) if there are some, tuning (lab/documents/context.hpp) if options are tuned, base (axis and value) if times are held
//             against some. Nothing of the host
//   planned   how many runs the whole sweep has
//   shard     "2/4", or null for the whole
//   complete  whether all runs of the shard are here
//   left_out  algorithms that do not fit, why, and on which fabrics
//   check     the checksum (below) of the members above
//   crossings where the best changes (Crossing): fabric, from, to, and the sizes below, above and at in bytes; at is
//             null where nobody knows it. Made of the runs, and so not read back
//   runs      one object per run, by number, each with a checksum and with its value on each axis: algorithm, topology, ranks, placement, bytes, and
//             routing, and preset, bandwidth, latency and fault if the sweep says anything of them (a model is its fabric's); packets
//             (lab/documents/packets_brief.hpp) under that model; time_to_base (lab/sweep/sweep_axes.hpp);
//             scale_assumed and bytes_run of a time that was measured on a part of the vector, of an algorithm that does not say that it is
//             independent of size;
//             over_seeds, quartiles over all seeds of ECMP (lab/sweep/sweep_axes.hpp). One that sends the same messages in the same time as one before it at
//             its point names that (same_messages_as); messages_digest is what was compared; remark as in a run's document
//
// Numbers carry their unit in their name. null is a rate that has no number. The same sweep is the same bytes on every machine,
// interrupted or not.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emu/record/critical_path.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "lab/describe/equal_runs.hpp"
#include "lab/documents/packets_brief.hpp"

namespace heddle {

/// Of a run of which every check passed.
struct SweepMeasurement {
  Time time;                    ///< completion of the last rank
  std::optional<double> algbw;  ///< bytes per second, as Rates says; no value where no time passed, and for a barrier
  std::optional<double> busbw;
  int rounds = 0;
  std::int64_t messages = 0;
  std::optional<std::uint64_t> messages_digest;  ///< as a report has it; no value: not known
  Bytes sent_max;                                ///< by the rank that sent most
  int peak_flows = 0;                            ///< the most messages in one link at once
  /// Where `time` went, and what it would be without contention (emu/record/report.hpp). All 0: not known.
  PathParts path;
  Time contention_free;
  double byte_scale = 1;
  bool scale_assumed =
      false;  ///< `time` is of a part of the vector, by an algorithm that does not say that it is independent of size
  std::optional<std::string> switch_precision;  ///< "f16": what the switches took f32 as
  // How far sums of floats are off, if it was asked for (SumErrors).
  std::optional<double> error_ulp_mean = {};
  std::optional<double> error_ulp_worst = {};
  std::optional<PacketsBrief> packets = {};  ///< under the packet model
  // Of runs with faults, as a report has them.
  std::vector<std::string> idle_faults = {};
  std::vector<std::string> idle_reasons = {};
  std::vector<std::string> faults_gone_round = {};
  std::optional<std::string> worst_link = {};  ///< the fault that link:worst came to: "link:0->1,slow=4"

  bool operator==(const SweepMeasurement&) const = default;
};

/// Times of runs that differ in the seed of ECMP alone; quartiles between two of them are interpolated.
struct SeedSpread {
  int seeds = 0;
  Time least;
  Time first_quartile;
  Time median;
  Time third_quartile;
  Time most;

  bool operator==(const SeedSpread&) const = default;
};

/// Its times, as JSON and CSV name them, and as tables do.
struct SpreadPart {
  const char* key;
  const char* title;
  Time SeedSpread::*time;
};
std::span<const SpreadPart> spread_parts();

/// One algorithm at one point of a sweep: one fabric (with its speeds, ranks and placement) and one size.
struct SweepResult {
  int run = 0;  ///< its number in the whole sweep, from 1: by fabric, then by size, then by algorithm
  /// The fabric as legends and captions show it, with whatever differs within the sweep: "torus:8x8", or
  /// "ring:64, 13 ranks, 400Gbps". One text for each.
  std::string fabric;
  std::string topology;  ///< "torus:8x8"
  int ranks = 0;
  std::string placement;                     ///< "random:7"
  std::string algorithm;                     ///< "chain:segments=8"
  std::int64_t bytes = 0;                    ///< of the whole vector, rounded down to whole elements; 0 for a barrier
  std::int64_t count = 0;                    ///< elements
  std::optional<SweepMeasurement> measured;  ///< no value: `failure` says why
  std::optional<Failure> failure;
  std::string remark = {};                ///< what else is to be said of the call (Algorithm::remark); empty: nothing
  std::optional<SeedSpread> spread = {};  ///< of a result over many seeds (lab/sweep/sweep_axes.hpp): `measured` is the median

  bool operator==(const SweepResult&) const = default;
};

/// Where one algorithm takes over from another as the best of a fabric. It is the best from there on to the next crossing.
struct Crossing {
  std::string fabric;
  std::string from;
  std::string to;
  std::int64_t below = 0;  ///< bytes: the sizes next to each other that were measured, and between which it is
  std::int64_t above = 0;
  /// Bytes where both take as long, if times between the two sizes lie on straight lines, as an alpha-beta model has it. No
  /// value: somewhere between the two, as one of the algorithms that come into it sends other messages at one of the sizes than
  /// at the other, or was not measured at one of them.
  std::optional<double> at = {};
};

/// Whether both were measured and do the same (lab/describe/equal_runs.hpp). Both are of one point.
bool are_equivalent(const SweepResult& a, const SweepResult& b);

/// What a tuned sweep shows: of each row (bare_name) at each point the best of its variants, of several the one that was planned
/// first; where none was measured, the first. In the order of `results`, which is that of `run`.
std::vector<SweepResult> best_of_rows(const std::vector<SweepResult>& results);

/// The result that takes least time, of several the one listed first; nullptr if none was measured. `results` are one point's.
const SweepResult* best_of(const std::vector<const SweepResult*>& results);

/// The times of one algorithm at two sizes next to each other; nullptr: not measured. They are straight between these if it sends
/// as many messages in as many rounds at both: then each message grows with the size.
TimeLine time_line(const SweepMeasurement* below, const SweepMeasurement* above);

/// Of all fabrics, in the order in which they come. `results` in the order of `run`; sizes ascend. What was not measured at a size
/// is neither the best there nor beaten. Of several that are equally fast, the best stays the best.
std::vector<Crossing> crossings_of(const std::vector<SweepResult>& results);

/// "225KiB": a size that is estimated, to three digits.
std::string rough_size_text(double bytes);

struct Shard {
  int index = 1;  ///< from 1
  int of = 1;

  bool is_whole() const { return of == 1; }
  bool operator==(const Shard&) const = default;
};
/// "2/4". Throws InputError.
Shard parse_shard(std::string_view text);
std::string to_string(const Shard& shard);
void to_json(nlohmann::ordered_json& json, const Shard& shard);
void from_json(const nlohmann::ordered_json& json, Shard& shard);

struct SweepDocument {
  nlohmann::ordered_json context;
  nlohmann::ordered_json left_out;
  int planned = 0;
  Shard shard;
  /// Those of the shard, by number. One that is not done has neither measurement nor failure; a document read from a file may
  /// lack it altogether.
  std::vector<SweepResult> runs;
};

inline bool is_finished(const SweepResult& run) { return run.measured || run.failure; }
/// Algorithms that have a time of a part of the vector (SweepMeasurement::scale_assumed) called as marked_name() says, for those who
/// show results: whatever is said of such a time is said with its mark.
SweepDocument with_marked_names(SweepDocument document);
/// For each of them, what part_run_note() says, with all of its sizes.
std::vector<std::string> part_run_notes(const SweepDocument& document);

/// Whether none of the shard's runs is missing or unfinished.
bool is_complete(const SweepDocument& document);
/// How many runs a shard has.
int runs_of(const Shard& shard, int planned);

/// What SweepResult::fabric says of the context's fabrics: its object there. Throws InputError if it is none of them.
const nlohmann::ordered_json& fabric_of(const SweepDocument& document, const SweepResult& run);

/// Everything but the runs and whether they are complete, without a checksum.
nlohmann::ordered_json json_of_header(const SweepDocument& document);
/// Reads it back, without runs. Throws what nlohmann throws for what is no header.
SweepDocument header_from_json(const nlohmann::ordered_json& json);

/// What a run's JSON says of other runs, which are known once all are there.
struct RunsBeside {
  const SweepResult* equivalent = nullptr;   ///< the first run at its point that did the same; nullptr: none
  std::optional<double> ratio_to_base = {};  ///< ratios_to_base (lab/sweep/sweep_axes.hpp)
  std::optional<SeedSpread> spread = {};     ///< spreads_of (lab/sweep/sweep_axes.hpp)
};
/// With a checksum.
nlohmann::ordered_json json_of(const SweepResult& run, const nlohmann::ordered_json& fabric, const RunsBeside& beside = {});
/// Reads it back to the bit. Throws InputError if its checksum is not right, and what nlohmann throws for what is no run.
SweepResult result_from_json(const nlohmann::ordered_json& json);

/// Of the sizes whose runs are all there; none in a part of a sweep.
std::vector<Crossing> crossings_of(const SweepDocument& document);
/// As the document's JSON has them.
nlohmann::ordered_json json_of_crossings(const SweepDocument& document);

/// The members of a document before its runs, of which the document has the checksum.
nlohmann::ordered_json checked_members_of(const nlohmann::ordered_json& document);

/// The whole document; runs that are not finished are left out.
std::string json_text_of(const SweepDocument& document);

// Objects with a checksum: what a disk or a network did to a sweep's file is found when it is read. The checksum is the last member, "check":
// a checksum of the object without it, as line_of writes it; so blanks and line breaks between its parts have no say.

/// On one line. Bytes that are not UTF-8 (names come from the user) are replaced.
std::string line_of(const nlohmann::ordered_json& json);

/// With its checksum; one that it has already counts for nothing.
nlohmann::ordered_json with_checksum(nlohmann::ordered_json object);

/// Throws InputError, without the object's place, if there is no checksum or another one.
void require_checksum(const nlohmann::ordered_json& object);

}  // namespace heddle
