// SPDX-License-Identifier: Apache-2.0
// A process of its own that runs cases, so that nothing that a case does can end, stop or change the process that asks: what
// ends it, or goes on for ever, is how the case ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/cases/run_case.hpp"
#include "heddle/units.hpp"
#include "lab/describe/experiment.hpp"
#include "process/child.hpp"
#include "process/message_socket.hpp"

struct pollfd;

namespace heddle {

// What passes between fuzz() and such a process.

/// Asks for a case by its number, or by its text.
struct CaseRequest {
  std::optional<std::uint64_t> index = {};
  std::string text = {};
  bool twice = false;        ///< and compares
  std::uint32_t layout = 0;  ///< not 0: with the process's memory elsewhere (shift_addresses)
  bool with_text = false;    ///< and says what it was, where it is right too
};

struct CaseReply {
  FuzzCoverage::Row row = {};
  CaseEnd end = {};
  std::string text = {};    ///< the case, with its order where orders are explored; of a failure, or as asked
  std::string error = {};   ///< not empty: it is no case (InputError), and nothing else is said
  bool is_refusal = false;  ///< the error is a ResourceError

  /// Throws the error, if there is one, with these words before it.
  void require_no_error(std::string_view before = "") const;
};

std::string pack(const CaseRequest& request);
std::string pack(const CaseReply& reply);
/// Read what pack() writes. Throw InputError for anything else.
CaseRequest unpack_request(std::string_view bytes);
CaseReply unpack_reply(std::string_view bytes);

// A case that has not ended in time: whether it never will, is only slow, or has had no chance yet.

/// What a process was at when it was asked.
struct CaseSample {
  using Clock = std::chrono::steady_clock;

  Clock::time_point at = {};
  std::chrono::duration<double> cpu{0};  ///< that the process has used
  char state = '?';                      ///< as the system has it: R runs or could, S sleeps, D waits for a device
  bool has_answered = false;             ///< the rest is known
  bool in_task = false;                  ///< a rank's code runs, not heddle's
  int rank = -1;                         ///< whose; -1: not known
  std::uint64_t slices = 0;              ///< that ranks have had in this case
  Time emulated = {};                    ///< time in the run
};

struct LateVerdict {
  enum class Kind : std::uint8_t {
    not_yet,  ///< nothing can be said: look again later
    endless,
    slow
  };
  Kind kind = Kind::not_yet;
  std::string words = {};  ///< behind "it has not ended after 60 s: "
};

/// Of two looks at a case, half its time apart, and the ranks that were seen at work last. A case is endless if a rank has one time slice for
/// longer than rows take, or all ranks have more time slices than smaller cases of the row let expect.
LateVerdict judge(const CaseSample& first, const CaseSample& last, const std::set<int>& ranks, const RunBound& bound);

/// Runs what is asked for, in the process that is forked. Its exceptions end that.
using CaseServer = std::function<CaseReply(const CaseRequest&, const std::function<void(const Experiment&)>& is_at)>;

struct SharedNote;

/// How long a case may take. After `limit` it is judged (judge()): it is endless, or given up as slow, or goes on while nothing can be
/// said.
struct CasePatience {
  using Seconds = std::chrono::duration<double>;

  template <class Rep, class Period>
  CasePatience(std::chrono::duration<Rep, Period> time) : limit(time) {}  // NOLINT: a time is a patience
  CasePatience(Seconds time, bool is_flag, std::function<RunBound(const std::string& text)> of)
      : limit(time), is_given(is_flag), bound(std::move(of)) {}

  Seconds limit;
  bool is_given = true;                                              ///< by the user (--case-seconds)
  std::function<RunBound(const std::string& text)> bound = nullptr;  ///< of a case; not set: of any collective
};

/// One child, forked when it is made and ended with it. Cases are run in the order in which they were asked for. For one thread.
/// Forks: where the calling process has other threads, they hold nothing then that `server` needs.
class CaseProcess {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = Child::Seconds;

  /// A case that takes longer than its patience ends the process. `server` outlives it. `core`: the only one that the process and its
  /// threads run on, as usable_cores() has it. Throws InputError if the system has no more processes.
  CaseProcess(const CaseServer& server, CasePatience patience, std::optional<int> core = {});
  CaseProcess(const CaseProcess&) = delete;
  CaseProcess& operator=(const CaseProcess&) = delete;

  /// Sent when somebody waits for the answer: with take(), wait() or add_to().
  void ask(CaseRequest request);
  /// Asked for, and not taken. It answers several at once where it has been asked for several.
  const std::deque<CaseRequest>& waiting() const { return waiting_; }
  /// All that it was asked for before, and has done.
  const std::vector<CaseRequest>& answered() const { return answered_; }
  /// After it has ended: none is answered any more.
  bool has_ended() const { return child_.has_ended(); }

  /// What to poll() for; two entries.
  void add_to(std::vector<pollfd>& files);
  /// Until take() may have something to do, and so long at most.
  void wait(std::chrono::milliseconds longest);
  /// From now on.
  void set_limit(Seconds limit);
  /// Until the case that it is at has taken so long that take() has something to do.
  Seconds time_left();
  struct Answer {
    CaseRequest request;
    CaseReply reply;
    /// It took too long before that, and the reply says so: the process, or the machine, was busy otherwise.
    bool never_began = false;
  };
  /// Without waiting: the next answer. Of a case that ended the process, or took too long, how; then has_ended(), and what it has done
  /// before but not said is among waiting() again. Of a case that never began: an error; but where others in the process had been done
  /// before, the process's end is a failure, with no text.
  std::optional<Answer> take();
  /// The text of the case that it is at; empty: none, or it is being drawn.
  std::string at() const;
  /// What was written to standard output and standard error, of the case that it is at or ended in.
  std::string output() const;

 private:
  CaseReply end_of_process();
  CaseReply end_stopped();
  std::optional<CaseReply> end_late();
  CaseSample sample();
  std::set<int> ranks_at_work();
  void begin_case(Clock::time_point now);
  Answer answer(CaseReply reply);
  Answer last_answer(CaseReply reply);

  struct UnmapNote {
    void operator()(SharedNote* note) const;
  };
  static SharedNote* map_note();

  CasePatience patience_;
  Seconds limit_;
  std::unique_ptr<SharedNote, UnmapNote> note_{map_note()};
  OpenFile file_;  ///< of the socket
  MessageSocket socket_{-1};
  OpenFile output_;
  OpenFile process_;  ///< readable once the process has ended
  Child child_;
  std::deque<CaseRequest> waiting_;
  std::vector<CaseRequest> answered_;
  std::uint64_t seen_done_ = 0;                ///< cases that it had done when somebody last looked
  Clock::time_point began_ = Clock::now();     ///< the case that it is at, at the earliest
  std::optional<CaseSample> first_look_ = {};  ///< at that case, after half its time
  Seconds last_look_{0};                       ///< so long after it began
};

/// One case in a process made for it, which ends then. Waits until it is done, too long (which is how it ends), or `is_stopped`:
/// then there is no value. `output`, if given, gets what the case wrote.
std::optional<CaseReply> run_alone(const CaseServer& server, const CaseRequest& request, CasePatience patience,
                                   const std::function<bool()>& is_stopped = nullptr, std::string* output = nullptr);

/// What else may end a process: no value if `action` returns, or throws.
std::optional<Failure> failure_of_process(const std::function<void()>& action, CaseProcess::Seconds limit);

/// So long at most between two questions whether to stop.
inline constexpr std::chrono::milliseconds kAskOften{100};

}  // namespace heddle
