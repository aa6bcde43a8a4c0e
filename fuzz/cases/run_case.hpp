// SPDX-License-Identifier: Apache-2.0
// Runs a case with all of heddle's checks. A case is an experiment; rows that the registry has not are its own
// (Experiment::own).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emu/record/report.hpp"
#include "emu/studies/explore.hpp"
#include "fuzz/cases/fault_end.hpp"
#include "fuzz/cases/run_bounds.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

/// The registry's rows, to fuzz what heddle brings along. A row of one's own needs no more than collective, name and run:
/// formulas that it has are held to what runs count, what it `needs` keeps it from what it does not claim to serve.
std::vector<Algorithm> registry_copy();

/// The verified run of a case, and, where the row promises them, exactly its formulas' rounds and bytes. Throws CheckError with
/// an explanation; InputError for a case that cannot be: a topology that there is not, a row that does not serve it. Safe from
/// any thread.
Report run_case(const Experiment& what);

/// What became of a case.
struct CaseEnd {
  std::optional<Failure> failure = {};  ///< no value: as it should be
  int ranks = 0;                        ///< of each group, or of the first where they differ
  std::string fault_kind = {};          ///< of a case with faults: of which kind, and how it ended if well
  FaultEnd fault_end = FaultEnd::right;
  RunLength length = {};  ///< of all runs that it was made of
  /// Not empty: it was given up, for it had not ended in time, and nothing shows that it never would. It says how far it was.
  std::string slow = {};
};

/// Runs it, `twice` if asked: the same call once more, with its memory elsewhere, must go the same way (messages, bytes, rounds,
/// times), or it is not repeatable. A case with an order of its own whose result rounds is `compared` with the usual order
/// (emu/studies/run_to_run.hpp), unless told otherwise. A case with faults is as it should be if it is right, or ends with an error, or is refused, with a fault for the
/// reason (fuzz/cases/fault_end.hpp). Throws InputError as run_case does, for other reasons.
CaseEnd end_of(const Experiment& what, bool twice = false, bool compared = true);

/// Runs it; no value: all is as it should be. Throws InputError as end_of does.
std::optional<Failure> failure_of(const Experiment& what);

/// The same under one order after the other (emu/studies/explore.hpp), whatever order the case names itself, until one fails.
/// Of a failure, `what` becomes the case with its order. Throws InputError as run_case does.
CaseEnd explore_case(Experiment& what, const ExploreBound& bound);

}  // namespace heddle
