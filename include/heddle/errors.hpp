// SPDX-License-Identifier: Apache-2.0
// Everything that heddle throws, and a failed check as a value. The command's exit status follows the class: InputError 2, the others 1.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/units.hpp"

namespace heddle {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What was asked for cannot be: one line that says what, where and what would be right.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The system refused heddle memory, threads or processes. This blames no algorithm, and is never an outcome of a run. Elsewhere, or at
/// another time, the same may be possible.
class ResourceError : public InputError {
 public:
  using InputError::InputError;
};

/// An allocation was refused: heddle's, or one of the algorithm that ran.
class OutOfMemory : public ResourceError {
 public:
  using ResourceError::ResourceError;
};

/// What has been measured cannot be written: a full disk, a pipe that nobody reads. One line, as an InputError's.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// A rank used its communicator wrongly (a peer out of range, a message longer than its receive, …).
/// Thrown in that rank, or named as the run's first failure.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// What is known of a failed check besides its explanation. A member is empty where it is not known. Ranks are those of the run.
struct FailureFacts {
  /// What a blocked rank waits for.
  struct Blocked {
    int rank = 0;
    int task = 0;           ///< 0: the rank itself; else a branch of concurrently()
    int peer = -1;          ///< whom it waits for; -1: any source, or several
    std::string waits_for;  ///< "to receive 4 x i32 from rank 2 (tag 0)"
  };
  /// An element of a rank's input.
  struct Contribution {
    int rank = 0;
    std::int64_t element = 0;
  };

  std::optional<int> rank = {};              ///< that failed, or has the first wrong element
  std::optional<Time> time = {};             ///< emulated, at which the run ended
  std::optional<std::int64_t> element = {};  ///< of that rank's output or, in place, of its vector
  std::string got = {};                      ///< the element's value, as text
  std::string expected = {};                 ///< what it should be
  std::vector<int> missing = {};             ///< ranks whose contributions the element lacks
  std::vector<int> doubled = {};             ///< ranks whose contributions it has more than once
  std::vector<Contribution> foreign = {};    ///< what it has, and should not
  std::vector<Blocked> blocked = {};         ///< of a deadlock: by rank
  std::vector<int> cycle = {};               ///< of a deadlock: each rank waits for the next, the last for the first
  std::int64_t left = 0;                     ///< messages that nobody received, or requests for which `rank` did not wait
  std::string exception = {};                ///< what `rank` threw, as text
};

struct Failure;

/// A run that ended, but must not count: a wrong result, a deadlock, a time too short to be true, a message left over.
/// `what()` explains it over several lines; `kind()` is one stable word for scripts.
class CheckError : public Error {
 public:
  enum class Kind {
    wrong_result,
    input_changed,
    order,
    different_bits,  ///< ranks that must agree differ, each within what roundings allow
    run_to_run,      ///< another order of events gives another result, both within what roundings allow
    deadlock,
    hygiene,
    truncation,
    usage,
    rank_failed,
    too_fast,
    formula,
    damaged,
    cut,
    exception,       ///< heddle itself threw
    ended,           ///< its process ended: it left it, or a signal ended it
    stack_overflow,  ///< a rank needs a larger stack
    endless,         ///< it goes on for ever, or so it seems
    not_repeatable,  ///< the same call once more goes another way
    returned_error,  ///< a function of MPI's signature returned an error code
    refused,         ///< it did on all ranks, with one code and without a message: it does not serve the call
  };

  CheckError(Kind kind, const std::string& explanation, FailureFacts facts = {})
      : Error(explanation), kind_(kind), facts_(std::make_shared<const FailureFacts>(std::move(facts))) {}
  explicit CheckError(const Failure& failure);

  Kind kind() const { return kind_; }
  const FailureFacts& facts() const { return *facts_; }
  /// The same as a value.
  Failure failure() const;

 private:
  Kind kind_;
  std::shared_ptr<const FailureFacts> facts_;  ///< a copy of an exception must not throw
};

/// "wrong_result", "deadlock", …
std::string to_string(CheckError::Kind kind);
/// Reads it back. Throws InputError for another word.
CheckError::Kind parse_check_kind(std::string_view word);

/// A check that failed, in place of a measurement.
struct Failure {
  CheckError::Kind kind = {};
  std::string explanation = {};  ///< several lines
  FailureFacts facts = {};       ///< none of what failed in another process

  /// Facts aside, as these need not cross processes.
  bool operator==(const Failure& other) const { return kind == other.kind && explanation == other.explanation; }
};

}  // namespace heddle
