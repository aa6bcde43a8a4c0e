// SPDX-License-Identifier: Apache-2.0
// What the processes of a spread sweep say to each other, as texts: one JSON object each.
//
//   rank 0 to each   which sweep it is, once; then, one by one, runs; at last that there is no more
//   each to rank 0   that it has planned the same sweep, or why not; then an answer for each run
//
// Readers throw InputError for what is no such text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "lab/sweep/run/make_run.hpp"
#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// Which sweep it is.
struct SweepCall {
  std::vector<std::string> words;  ///< of the command
  std::optional<Shard> shard;      ///< whatever the words say
};

/// What a process has to say before the first run.
struct SweepOffer {
  std::string refusal;  ///< why it cannot; empty: it can
  std::string plan;     ///< plan_checksum_of its plan
  int workers = 1;      ///< how many runs at once
  Bytes memory;         ///< for all of these
};

/// How a run went.
struct SweepAnswer {
  std::size_t run = 0;                ///< PlannedRun::run
  double seconds = 0;                 ///< that it took
  std::optional<SweepResult> result;  ///< none: `stop` says why
  SweepStop stop;
};

/// The same for plans of the same runs on the same fabrics by the same version.
std::string plan_checksum_of(const SweepDocument& document);

std::string text_of(const SweepCall& call);
std::string text_of(const SweepOffer& offer);
/// Of the order to make a run.
std::string text_of_run(std::size_t run);
std::string text_of_no_more();
/// `document`: of the plan.
std::string text_of(const SweepAnswer& answer, const SweepDocument& document);

/// None: no more, before anything was said.
std::optional<SweepCall> read_call(const std::string& text);
SweepOffer read_offer(const std::string& text);
/// Which run; none: no more.
std::optional<std::size_t> read_order(const std::string& text);
SweepAnswer read_answer(const std::string& text);

}  // namespace heddle
