// SPDX-License-Identifier: Apache-2.0
// A run's JSON, an interface that scripts rely on. One object:
//
//   context   what was asked for: version, fabric, ranks, data; `tuning` (json_of_tuning) if options are tuned. Nothing of the
//             host.
//   complete  whether all algorithms that fit have been run to their end: a file is written anew after each
//   runs      one object per algorithm, in order; a failed one has `error` {kind, explanation} in place of what was measured,
//             one that was stopped under the wall clock `stopped`. One that sends the same messages in the same time as one
//             before it names that in `same_messages_as`. `remark`: what else is to be said of the call, if anything
//   left_out  algorithms that do not fit, and why
//
// Numbers carry their unit in their name (time_s, algbw_Bps). null is a rate that has no number: unlimited, or nothing took
// time. All of it is the same bytes on every machine except each run's `host`; under the wall clock (context: `clock` "wall")
// times are measured, and each run has `wall_clock`: dilation, wall and virtual time, error.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lab/describe/variants.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

nlohmann::ordered_json json_of_context(const Setup& setup);
nlohmann::ordered_json json_of_run(const Setup& setup, const Outcome& outcome);
/// Of a run under the wall clock that was stopped.
nlohmann::ordered_json json_of_stopped(const Setup& setup, const Algorithm& algorithm, const RunStopped& stopped);

/// What a run's and a sweep's documents say of tuning: `tune` ("options"), `budget`, and of all points together `points`, `rows`,
/// `combinations`, `tried`, `unfit` and `left_out`, a number for each row of which the budget left some out.
nlohmann::ordered_json json_of_tuning(const VariantCount& count, const Tuning& tuning);
/// tuning_text of what such a document says. Throws what nlohmann throws for what is none.
std::string tuning_text(const nlohmann::ordered_json& json);

// How reports mark a time that was measured on a part of the vector, of an algorithm that does not say that it is independent of
// size (Setup::assumes_scale): its name has a ~ in front, and a line says what was run.

/// Of these bytes of a whole vector, those that a run with this scale holds.
std::int64_t bytes_run(std::int64_t bytes, double byte_scale);

/// "~mine"
std::string marked_name(std::string_view algorithm);

/// "1MiB of 64MiB"
std::string part_text(std::int64_t bytes, double byte_scale);

/// "~mine ran a part of its vector, 1MiB of 64MiB, for the whole; …": one line without its end. `parts` as part_text says.
std::string part_run_note(std::string_view algorithm, const std::vector<std::string>& parts);

}  // namespace heddle
