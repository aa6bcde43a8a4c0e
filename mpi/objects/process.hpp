// SPDX-License-Identifier: Apache-2.0
// One rank of an MPI run: its program, its handles, and what happens when it calls MPI. Belongs to the rank's thread; while the rank
// runs, current() is it.
#pragma once

#include <array>
#include <csetjmp>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heddle/communicator.hpp"
#include "mpi/objects/handles.hpp"
#include "mpi/objects/objects.hpp"
#include "mpi/objects/world.hpp"

namespace heddle::mpi {

class AttachedBuffer;

/// An error of a request: what its status says all the same, and the communicator whose error handler is told.
class RequestError : public MpiError {
 public:
  RequestError(int error_class, const std::string& text, const MPI_Status& status, CommunicatorPtr on)
      : MpiError(error_class, text), status_(status), on_(std::move(on)) {}
  const MPI_Status& status() const { return status_; }
  const CommunicatorPtr& on() const { return on_; }

 private:
  MPI_Status status_;
  CommunicatorPtr on_;
};

struct UsedMemory;
struct OpenMemory;

class Process : public std::enable_shared_from_this<Process> {
 public:
  /// `communicator` is over all ranks, and outlives it. So does the world.
  Process(World& world, Communicator& communicator);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  /// The rank that calls MPI on this thread; nullptr: no rank.
  static Process* current();
  /// It is this one, though others may have run since its call began. Before a function of the program's is called.
  void become_current();

  /// Runs the program until it returns or ends itself: its exit status. Throws what its calls failed with. Nothing of the program's
  /// stack is unwound where it ends itself or a call fails, as C cannot be.
  int run(const std::function<int()>& program);
  /// Ends the program from within one of its calls.
  [[noreturn]] void exit(int status);
  /// Ends it with a failure of the run.
  [[noreturn]] void fail(std::exception_ptr failure);
  /// The same from a signal's handler, which must allocate nothing: `failure` makes it once the program has been left.
  [[noreturn]] void fail_later(std::exception_ptr (*failure)(Process&));

  /// Whether the calling process is one that the program has made by fork(): it has no ranks, and ends as any process does.
  bool is_forked() const;

  World& world() const { return world_; }
  std::shared_ptr<const void> owner_of_world = {};  ///< kept as long as this; null: the world outlives it by itself
  int rank() const { return rank_; }                ///< in MPI_COMM_WORLD
  /// As the run counts ranks, and its errors name them: another one where MPI_COMM_WORLD is not the run's.
  int run_rank() const { return run_rank_; }
  Communicator& communicator() { return communicator_; }

  // ---- state of MPI ----
  bool is_initialized = false;
  bool is_finalized = false;
  const CallSite* begun_by = nullptr;   ///< MPI_Init or its kin; null: it is not initialized
  bool has_ended = false;               ///< the program has, or has failed: its collectives that have not begun are not made
  bool runs_no_exit_functions = false;  ///< it ended by _exit
  bool has_ended_itself = false;        ///< it has called exit, or one of its kin
  bool has_sent = false;                ///< a message, or its part of a collective
  int thread_level = MPI_THREAD_SINGLE;
  InfoObject environment = {};                      ///< MPI_INFO_ENV
  int open_sessions = 0;                            ///< MPI may be called in each, whether MPI_Init has been or not
  std::shared_ptr<AttachedBuffer> attached_buffer;  ///< of MPI_Bsend; null: there was none yet

  // ---- objects. Each throws MpiError for a handle that is none ----
  const CommunicatorPtr& find(MPI_Comm handle);
  /// One that the program has for it; the world's where it has freed all.
  MPI_Comm handle_of(const CommunicatorPtr& communicator);
  const Group& find(MPI_Group handle);
  DatatypeObject& find(MPI_Datatype handle);
  const OperationObject& find(MPI_Op handle);
  InfoObject& find(MPI_Info handle);
  SessionObject& find(MPI_Session handle);
  /// `place`: in a list of requests.
  RequestObject& find(MPI_Request handle, std::optional<int> place = {});
  std::shared_ptr<const ErrorHandlerObject> find(MPI_Errhandler handle);
  /// A type that messages may have.
  TypePtr committed(MPI_Datatype handle);
  /// The operation on elements of this type. Throws MpiError where there is none.
  Reducer reducer(MPI_Op operation, MPI_Datatype type);

  MPI_Comm add(CommunicatorPtr communicator);
  MPI_Group add(Group group);
  MPI_Request add(std::unique_ptr<RequestObject> request);
  /// One of MPI's own, one that the program has, or a new one: to be freed.
  MPI_Errhandler handle_of(const std::shared_ptr<const ErrorHandlerObject>& handler);

  Handles<CommunicatorPtr, MPI_Comm, HandleKind::communicator> communicators;
  Handles<Group, MPI_Group, HandleKind::group> groups;
  Handles<DatatypeObject, MPI_Datatype, HandleKind::datatype> datatypes;
  Handles<OperationObject, MPI_Op, HandleKind::operation> operations;
  Handles<RequestObject, MPI_Request, HandleKind::request> requests;
  Handles<MessageObject, MPI_Message, HandleKind::message> messages;
  Handles<InfoObject, MPI_Info, HandleKind::info> infos;
  Handles<ErrorHandlerHandle, MPI_Errhandler, HandleKind::error_handler> error_handlers;
  Handles<SessionObject, MPI_Session, HandleKind::session> sessions;

  /// Where its receives that it waits for later put their messages, by the address; some of them may be over.
  std::unordered_map<const void*, std::weak_ptr<const Sink>> sinks;

  /// Requests that the program has given up before they had completed.
  std::vector<std::unique_ptr<RequestObject>> freed_requests;

  // ---- arguments that live on. A program may free a type or an operation while a call that was handed it is not over ----

  struct KeptArguments {
    std::map<std::uint64_t, DatatypeObject> types;  ///< by the number of the handle
    std::map<std::uint64_t, OperationObject> operations;
  };
  enum class Keep : std::uint8_t { nothing_new, what_is_found };
  /// As long as it lives, find() knows these arguments too, whatever the program has freed. Keep::what_is_found: they become what it finds.
  class ArgumentScope {
   public:
    ArgumentScope(Process& process, KeptArguments& arguments, Keep keep)
        : process_(process),
          outer_(std::exchange(process.kept_, &arguments)),
          outer_keep_(std::exchange(process.keep_, keep)) {}
    ~ArgumentScope() {
      process_.kept_ = outer_;
      process_.keep_ = outer_keep_;
    }
    ArgumentScope(const ArgumentScope&) = delete;
    ArgumentScope& operator=(const ArgumentScope&) = delete;

   private:
    Process& process_;
    KeptArguments* outer_;
    Keep outer_keep_;
  };
  // ---- memory whose ends are known ----
  struct KnownMemory {
    const std::byte* begin;
    std::int64_t size;
    std::string name;  ///< "the output of the call"
    /// Bytes within it that nothing may be written to, in their order; `text` is what lies around them.
    struct Gap {
      std::int64_t from;
      std::int64_t to;
      std::string text;
    };
    std::vector<Gap> gaps = {};
  };
  std::vector<KnownMemory> known_memory;
  /// Around the vectors of a call so many bytes are nobody's: a buffer that begins there was counted from the vector.
  static constexpr std::int64_t kGuardOfVectors = 64;
  /// The page that was found last to be memory, of what is none of these: a rank's variables lie on few.
  std::uintptr_t page_with_memory = 0;
  /// Of the program's guarded heap; null: it is not guarded.
  int (*find_block)(const void* address, heddle_heap_block* block) = nullptr;
  /// Of a buffer in memory whose ends are known: more than lies within them.
  struct Excess {
    std::int64_t within;  ///< bytes, from the buffer's first on
    std::string
        text;  ///< "the buffer of 8 bytes begins at byte 8 of the output of the call, of 12 bytes, and ends 4 bytes behind it"
  };
  /// Whether its address is in such memory.
  bool knows(const std::byte* address) const;
  /// `base`: from where on the program counts.
  std::optional<Excess> excess(const std::byte* from, std::int64_t bytes, const char* what,
                               const std::byte* base = nullptr) const;

  /// The same of the first gap that these bytes reach into.
  std::optional<Excess> gap_within(const std::byte* from, std::int64_t bytes, const char* what) const;

  /// Where the arguments of a collective note what is sent and received where it lies; null: nobody asks.
  UsedMemory* used = nullptr;
  /// Of the collectives that it has begun; some of them may be over.
  std::vector<std::weak_ptr<const OpenMemory>> open_memory;

  // ---- attributes: keys that a program has made, with functions of its own ----
  struct Key {
    MPI_Comm_copy_attr_function* copy = nullptr;       ///< that of a communicator, or
    MPI_Type_copy_attr_function* copy_type = nullptr;  ///< that of a type
    MPI_Comm_delete_attr_function* remove = nullptr;
    MPI_Type_delete_attr_function* remove_type = nullptr;
    void* extra_state = nullptr;
    bool is_of_types = false;
    bool is_free = false;  ///< freed, but kept where it is still set
  };
  std::map<int, Key> keys;
  int next_key = 1000;
  std::array<int, 3> own_attributes = {};  ///< what attributes of MPI's own point to
  int last_error_code = MPI_ERR_LASTCODE;
  std::map<int, int> error_classes;  ///< of codes that the program has made
  std::map<int, std::string> error_texts;
  /// As MPI_Comm_dup and MPI_Type_dup do it: each key's own function says what the copy has.
  void copy_attributes(MPI_Comm of, const Attributes& from, Attributes& to);
  void copy_attributes(MPI_Datatype of, const Attributes& from, Attributes& to);
  /// Calls the keys' functions, the last that was set first.
  void delete_attributes(MPI_Comm of, Attributes& attributes);
  void delete_attributes(MPI_Datatype of, Attributes& attributes);

  // ---- calls ----
  /// The call under way.
  const CallSite& site() const { return *site_; }
  /// The call under way sends or receives on this communicator, or probes it.
  void call_on(const CommunicatorObject& on);
  /// The call under way sends or receives on that communicator: throws MpiError where it must not.
  void require_communication(const CommunicatorObject& on) const;
  /// Whether an operation of the program's runs, or it has been left by a jump.
  bool is_in_operation() const;
  /// Whether it may: within an operation of the program's no call communicates. Throws MpiError.
  void require_outside_of_operation() const;
  /// It is one that all ranks of a communicator make.
  void note_collective() { site_->is_collective = true; }
  /// Whether there is one.
  bool is_in_call() const { return site_ != nullptr; }
  /// MPI has begun and not ended. Throws MpiError.
  void require_initialized() const;
  /// Makes an error of MPI's of this class.
  [[noreturn]] void refuse(int error_class, const std::string& what) const;
  /// What the program has to name: throws MpiError for a null pointer.
  void require(const void* pointer, const char* what) const;
  /// The same, of what has so many entries.
  void require_list(const void* list, std::int64_t entries, const char* what) const {
    if (entries > 0) require(list, what);
  }
  /// The same, of a place that the call reads or fills.
  template <class T>
  T& given(T* place, const char* what) const {
    require(place, what);
    return *place;
  }

  /// What is to be said of a call, once.
  void note_once(const CallSite& site, const std::string& what, World::Breach breach = World::Breach::no);

  // ---- counts, where the world asks for them ----

  /// Where the call under way is counted; null: nowhere.
  CallCount* counted_call() const { return counted_call_; }
  /// A collective that is counted there runs from here on, on this task or another one of the rank.
  void begin_counted(CallCount* call) { counted_work = call; }
  /// Called before such a collective waits for anything: the algorithm that it runs.
  void note_algorithm(const std::string& name) {
    if (counted_work != nullptr) counted_work->algorithms.insert(name);
  }

  // ---- polling ----
  // Virtual time stands still while a program asks in vain. From the second time on it sleeps: until something happens that could
  // change an answer, or for 1 ns, 2 ns, … at most about 1 ms. A program that reads the clock meanwhile may wait for a time to come:
  // it sleeps in steps of a 16th of what it has waited. So does each read of many, in place of the questions between them. One that sleeps
  // by itself between its questions polls, too.

  /// The program has asked, and got no. True: something has happened since, so that the answer may be another.
  bool asked_in_vain(Communicator& communicator, Polling polling);
  /// Between such questions, or without.
  void sleep(Time duration);
  /// The time on the clock, in seconds. Who reads it over and over makes it go on.
  double read_clock() { return read_clock_time().seconds(); }
  Time read_clock_time();

 private:
  friend class Call;

  /// The places that read the clock while the program goes round a loop.
  class ClockLoop {
   public:
    enum class Place : std::uint8_t { new_one, within, last };
    Place note(const CallSite* place);

   private:
    std::vector<const CallSite*> places_;  ///< in their order
    bool is_closed_ = false;               ///< the first of them has come again
  };

  /// Calls an operation of the program's. Throws what ends the run in it: nobody unwinds the program's part of the stack, and the rest may
  /// be heddle's.
  void call_operation(const std::function<void()>& call);
  void note_extension(OpId operation, const Type& type);
  CallSite* intern(const char* function, const void* place, std::optional<int> other_group = {});
  /// What the program has computed since its last call takes time.
  void charge_computing();
  CallCount* counter_of(const char* function, MPI_Comm communicator);

  World& world_;
  Communicator& communicator_;
  int rank_;
  int run_rank_;
  CommunicatorPtr world_communicator_;
  CommunicatorPtr self_communicator_;
  std::map<BasicId, DatatypeObject> predefined_types_;
  std::map<OpId, OperationObject> predefined_operations_;
  std::set<std::pair<const char*, const void*>> noted_;  ///< calls
  std::set<std::pair<OpId, BasicId>> extensions_;        ///< reductions that the program makes and MPI does not define
  KeptArguments* kept_ = nullptr;                        ///< of the innermost ArgumentScope
  Keep keep_ = Keep::nothing_new;
  World::CallSites sites_;
  CallSite* site_ = nullptr;
  std::int64_t computed_until_ = 0;  ///< nanoseconds of the thread's CPU time
  CallCounts counts_;
  CallCount* counted_call_ = nullptr;
  /// Of the task that runs. Where calls are counted, tasks run one at a time, on kernel threads too (EmulationSettings::one_at_a_time).
  static inline thread_local CallCount* counted_work = nullptr;
  /// What the program's last call has asked for in vain, but for sleeps and reads of the clock; communicator nullptr: it has not.
  struct VainQuestion {
    Communicator* communicator = nullptr;
    CallSite* site = nullptr;
    std::vector<heddle::Request> requests = {};
    std::vector<MessagePattern> probes = {};
  };
  VainQuestion vain_question_;
  int asked_in_vain_ = 0;
  Time asks_since_ = {};  ///< in vain
  enum class CallsBetween : std::uint8_t { none, polls, others };
  CallsBetween calls_between_reads_ = CallsBetween::none;  ///< since the clock was last read
  ClockLoop clock_loop_;
  int reads_within_ = 0;
  int clock_reads_ = 0;
  int clock_reads_at_one_time_ = 0;  ///< since time last went by, but for the clock's readers
  Time clock_read_at_ = {};
  Time waits_since_ = {};         ///< for the clock, in one loop with no other call
  Time all_waits_since_ = {};     ///< the same, in many loops and with calls that took no time
  int waits_ = 0;                 ///< since then
  bool waits_for_clock_ = false;  ///< or has done so
  bool reads_clock_ = false;
  std::jmp_buf end_;
  int status_ = 0;
  std::exception_ptr failure_;
  std::exception_ptr (*late_failure_)(Process&) = nullptr;
};

/// A call of MPI's by the current rank, as long as it lives. Whatever other ranks do meanwhile, errno and the current rank are those
/// of before when it ends.
class Call {
 public:
  enum class Kind : std::uint8_t {
    ordinary,
    poll,     ///< asks whether something is so
    clock,    ///< reads the clock
    anytime,  ///< may be made before MPI_Init and after MPI_Finalize
    sleep,    ///< the same; time goes by
  };

  Call(Process& process, const char* function, const void* place, Kind kind = Kind::ordinary,
       MPI_Comm communicator = MPI_COMM_NULL);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  Process& process_;
  CallSite* outer_;
  CallCount* outer_count_;
  Time begin_;
  int errno_;
};

/// What an error handler makes of an error, on `communicator` (MPI_COMM_NULL: on none): the code that the call returns. Throws where
/// errors end the run.
int handle_error(Process& process, MPI_Comm communicator, const MpiError& error);
/// What this one makes of it. `tell` calls the program's own function, where the handler is one, with the code to be returned.
int handle_with(Process& process, ErrorHandlerObject::Kind handler, const MpiError& error,
                const std::function<void(int* code)>& tell);
/// What ends the run, with the call at `site` that met it where it does not say so itself. Of a catch block.
std::exception_ptr current_failure(const Process& process, const CallSite& site);
/// A call of MPI's where no rank calls, on a thread or in a process that the program has made: an error that names the function.
int refuse_stranger(const char* function, const void* place);
/// What was refused so in this process since that was asked last.
std::vector<CallSite> take_refused_strangers();

/// Serves a call: runs body(process) and returns MPI's code. Errors go to the error handler of `communicator`. What ends the run ends
/// the rank's program here.
template <class Body>
int serve(const char* function, const void* place, MPI_Comm communicator, Call::Kind kind, const Body& body) {
  Process* const process = Process::current();
  if (process == nullptr) return refuse_stranger(function, place);
  std::exception_ptr failure;
  int code = MPI_SUCCESS;
  {
    const Call call(*process, function, place, kind, communicator);
    try {
      try {
        if (kind != Call::Kind::anytime && kind != Call::Kind::clock) process->require_initialized();
        try {
          body(*process);
        } catch (const TooLarge& error) {
          process->refuse(MPI_ERR_ARG, error.what());
        }
      } catch (const MpiError& error) {
        code = handle_error(*process, communicator, error);
      }
    } catch (...) {
      failure = current_failure(*process, process->site());
    }
  }
  if (failure) process->fail(std::move(failure));
  return code;
}
template <class Body>
int serve(const char* function, const void* place, MPI_Comm communicator, const Body& body) {
  return serve(function, place, communicator, Call::Kind::ordinary, body);
}
template <class Body>
int serve(const char* function, const void* place, Call::Kind kind, const Body& body) {
  return serve(function, place, MPI_COMM_NULL, kind, body);
}

}  // namespace heddle::mpi
