// SPDX-License-Identifier: Apache-2.0
// What `heddle mpirun --report` says of a program's run.
#pragma once

#include <iosfwd>

#include "lab/run/run_algorithm.hpp"
#include "show/document/document.hpp"
#include "show/document/reporter.hpp"

namespace heddle {

/// A row for each function on each communicator, without anything of the run.
Document calls_document(const ProgramOutcome& program);

/// Lines that begin with #: time, messages, calls by communicator and function, what passed, what else is to be said; and where the
/// time went, if the setup explains. Nothing of a run that failed. `out` outlives this.
class ProgramReporter final : public Reporter {
 public:
  explicit ProgramReporter(std::ostream& out) : out_(out) {}

  void add(const Outcome& outcome) override;

 private:
  std::ostream& out_;
};

}  // namespace heddle
