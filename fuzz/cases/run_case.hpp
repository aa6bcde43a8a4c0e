// SPDX-License-Identifier: Apache-2.0
// Runs a case with all of heddle's checks. A case is an experiment; rows that the registry has not are its own
// (Experiment::own).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emu/record/report.hpp"
#include "emu/settings/faults.hpp"
#include "emu/studies/explore.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

// Which rows were run on which kinds of numbers of ranks.

/// What schedules treat apart: one rank; 2, 4, 8, …; odd primes; 9, 15, 21, …; 6, 10, 12, ….
enum class RankKind : std::uint8_t { one, power_of_two, prime, odd, even };
inline constexpr std::size_t kRankKinds = 5;
RankKind kind_of_ranks(int ranks);
/// "1", "2^k", "prime", "odd", "even".
std::string_view to_string(RankKind kind);

/// Counts cases by row (its options aside) and by the number of ranks. A value; not for several threads at once.
class FuzzCoverage {
 public:
  FuzzCoverage() = default;
  /// Rows without a case are rows as well.
  explicit FuzzCoverage(std::span<const Algorithm> rows);

  using Row = std::pair<Collective, std::string>;
  using CountByKind = std::array<std::int64_t, kRankKinds>;

  void add(const Row& row, int ranks);

  const std::map<Row, CountByKind>& rows() const { return rows_; }
  /// Different numbers of ranks that there was a case of.
  const std::set<int>& ranks() const { return ranks_; }
  std::int64_t cases() const { return cases_; }
  std::size_t rows_covered() const;

 private:
  std::map<Row, CountByKind> rows_;
  std::set<int> ranks_;
  std::int64_t cases_ = 0;
};

/// The row that a case is one of.
FuzzCoverage::Row row_of(const Experiment& what);

// How long a case may go on before it is taken for one that never ends: what smaller ones of its row took says it.

/// What a case was, as far as its length depends on it, and how long it was.
struct RunLength {
  int ranks = 0;
  std::int64_t count = 0;                    ///< elements of the whole vector
  std::uint64_t slices = 0;                  ///< that its ranks had between calls that could end one
  std::chrono::duration<double> seconds{0};  ///< the host's
};

/// Beyond which a case is endless, and up to which it is only slow.
struct RunBound {
  std::uint64_t slices = 0;
  std::chrono::duration<double> slice{0};  ///< one time slice of a rank, in which it makes no call
  /// So long a rank may take to go over the whole vector once, in slow memory: a slice that is no longer is slow, not endless.
  std::chrono::duration<double> pass{0};
};

/// Learns from cases that have ended. Safe from any thread.
class RunBounds {
 public:
  void learn(const FuzzCoverage::Row& row, const RunLength& length);
  /// Of a row that nothing is known of, as far as any collective may go.
  RunBound bound(const FuzzCoverage::Row& row, int ranks, std::int64_t count) const;
  RunBound bound(const Experiment& what) const;

 private:
  struct Learnt {
    std::int64_t cases = 0;
    double slices_per_step = 0;  ///< the most
    std::chrono::duration<double> longest{0};
  };

  mutable std::mutex mutex_;
  std::map<FuzzCoverage::Row, Learnt> learnt_;
};

// How cases with faults end: right, or with an error that names the fault.

enum class FaultEnd : std::uint8_t {
  right,         ///< with the fault, or some of the faults, in it
  never_struck,  ///< right: the run was over before
  named,         ///< an error that names it
  refused,       ///< not begun, with the fault as the reason
};
inline constexpr std::size_t kFaultEnds = 4;

/// "right", "never struck", "named", "refused".
std::string_view to_string(FaultEnd end);

/// Whether an error says what was done to the run: one of the faults, as it is written, and its rank, message or link. What
/// goes wrong besides has no fault for a cause.
bool names_cause(const CheckError& error, const Faults& faults, const Topology& topology);

/// Whether a refusal names a fault.
bool names_cause(const InputError& refusal, const Faults& faults, const Topology& topology);

/// "link down", "rank late", "message lost", "unreliable", "switch", each fault once; "several" where there are different ones.
std::string kind_of_faults(const Faults& faults);

/// How many cases ended how, by kind of fault. A value.
class FaultCounts {
 public:
  void add(const std::string& kind, FaultEnd end) { ++by_kind_[kind][static_cast<std::size_t>(end)]; }
  bool empty() const { return by_kind_.empty(); }
  std::int64_t cases() const;

  using ByEnd = std::array<std::int64_t, kFaultEnds>;  ///< how many, by FaultEnd
  const std::map<std::string, ByEnd>& by_kind() const { return by_kind_; }

 private:
  std::map<std::string, ByEnd> by_kind_;
};

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
  std::string note = {};  ///< of a case that is right: what its function leaves in each call
};

/// Runs it, `twice` if asked: the same call once more, with its memory elsewhere, must go the same way (messages, bytes, rounds,
/// times), or it is not repeatable. A case with an order of its own whose result rounds is `compared` with the usual order
/// (emu/studies/further_runs.hpp), unless told otherwise. A case with faults is as it should be if it is right, or ends with an error, or is refused, with a fault for the
/// reason (names_cause). Throws InputError as run_case does, for other reasons.
CaseEnd end_of(const Experiment& what, bool twice = false, bool compared = true);

/// Runs it; no value: all is as it should be. Throws InputError as end_of does.
std::optional<Failure> failure_of(const Experiment& what);

/// The same under one order after the other (emu/studies/explore.hpp), whatever order the case names itself, until one fails.
/// Of a failure, `what` becomes the case with its order. Throws InputError as run_case does.
CaseEnd explore_case(Experiment& what, const ExploreBound& bound);

// What a row promises of its runs.

/// Throws CheckError if the run counted other rounds or bytes than the row's formulas say, where these are promised exactly: for
/// ranks in the fabric's order that call together, and blocks of which each has an element.
void check_promises(const Setup& setup, const Algorithm& row, const Report& report);

/// Throws CheckError if a row of one's own says that it is independent of size, and 16 times the elements of this call are sent by
/// other messages when all of them are held than when a part of them is. Makes two runs.
void check_independence_of_size(const Setup& setup, const Algorithm& row);

}  // namespace heddle
