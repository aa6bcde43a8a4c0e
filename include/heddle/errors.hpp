// SPDX-License-Identifier: Apache-2.0
// Everything that heddle throws, and a failed check as a value. The command's exit status follows the class: InputError 2, the others 1.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

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

/// The system refused heddle memory, threads or processes: nobody's fault who was run, and never an outcome. Elsewhere, or at another
/// time, the same may be possible.
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
  };

  CheckError(Kind kind, const std::string& explanation) : Error(explanation), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// "wrong_result", "deadlock", …
std::string to_string(CheckError::Kind kind);
/// Reads it back. Throws InputError for another word.
CheckError::Kind parse_check_kind(std::string_view word);

/// A check that failed, in place of a measurement.
struct Failure {
  CheckError::Kind kind = {};
  std::string explanation = {};  ///< several lines

  bool operator==(const Failure&) const = default;
};

}  // namespace heddle
