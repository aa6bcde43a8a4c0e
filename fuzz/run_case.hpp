// SPDX-License-Identifier: Apache-2.0
// Runs a case with all of heddle's checks.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "core/errors.hpp"
#include "emu/report/report.hpp"
#include "emu/studies/exploration.hpp"
#include "fuzz/fault_end.hpp"
#include "fuzz/fuzz_case.hpp"
#include "lab/experiment/algorithm_choice.hpp"

namespace heddle {

/// The registry's rows, to fuzz what heddle brings along. A row of one's own needs no more than collective, name and run:
/// formulas that it has are held to what runs count, what it `needs` keeps it from what it does not claim to serve.
std::vector<Algorithm> registry_copy();

/// The verified run of a case (run_checked), and, where the row promises them, exactly its formulas' rounds and bytes. Throws
/// CheckError with an explanation; InputError for a case that cannot be: a topology that there is not, a row that does not
/// serve it. Safe from any thread.
Report run_fuzz_case(const FuzzCase& what, std::span<const Algorithm> rows);

/// How a case failed.
struct FuzzFailure {
  std::string kind;         ///< "deadlock", as to_string(CheckError::Kind) says; "exception" where heddle itself threw
  std::string explanation;  ///< over several lines
};

/// What became of a case.
struct FuzzEnd {
  std::optional<FuzzFailure> failure = {};  ///< no value: as it should be
  std::string fault_kind = {};              ///< of a case with faults: of which kind, and how it ended if well
  FaultEnd fault_end = FaultEnd::right;
};

/// Runs it. A case with faults is as it should be if it is right, or ends with an error, or is refused, with a fault for the
/// reason (fuzz/fault_end.hpp). Throws InputError as run_fuzz_case does, for other reasons.
FuzzEnd end_of(const FuzzCase& what, std::span<const Algorithm> rows);

/// Runs it; no value: all is as it should be. Throws InputError as end_of does.
std::optional<FuzzFailure> failure_of(const FuzzCase& what, std::span<const Algorithm> rows);

/// A failure under some order.
struct ExploredFailure {
  FuzzCase what;  ///< with its order
  FuzzFailure failure;
};

/// Runs it under one order after the other (emu/studies/explore.hpp), whatever order it names itself, until one fails; no value:
/// all are right. Throws InputError as run_fuzz_case does.
std::optional<ExploredFailure> explore_case(const FuzzCase& what, std::span<const Algorithm> rows, const ExploreBound& bound);

}  // namespace heddle
