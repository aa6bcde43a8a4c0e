// SPDX-License-Identifier: Apache-2.0
#include "mpi/objects/process.hpp"

#include <cxxabi.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <fmt/format.h>

#include "core/mix.hpp"

namespace heddle::mpi {

namespace {

thread_local Process* current_process = nullptr;
/// An operation of a program's, which heddle may call on a stack of its own.
struct Operation {
  const Process* of = nullptr;  ///< null: none
  std::jmp_buf* end = nullptr;  ///< leaves it
};
thread_local Operation in_operation = {};
std::atomic<pid_t> process_of_ranks = 0;
std::mutex strangers_mutex;
std::vector<CallSite> strangers;  ///< that were refused

/// How the C++ runtime knows which exceptions a thread handles. A program that is left from within a handler leaves it behind.
struct ExceptionState {
  void* caught;
  unsigned uncaught;
};

ExceptionState exception_state() {
  ExceptionState state;
  std::memcpy(&state, abi::__cxa_get_globals(), sizeof state);
  return state;
}
void restore(const ExceptionState& state) { std::memcpy(abi::__cxa_get_globals(), &state, sizeof state); }

template <class Mpi>
BasicId predefined(Mpi handle) {
  return static_cast<BasicId>(number_of(handle));
}

std::int64_t cpu_nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

/// In the world; of an intercommunicator of both groups, alike on both sides.
std::vector<int> members_of(const CommunicatorObject& communicator) {
  const std::span<const int> local = communicator.local.members();
  std::vector<int> members(local.begin(), local.end());
  if (!communicator.remote) return members;
  const std::span<const int> remote = communicator.remote->members();
  members.insert(communicator.local_is_first ? members.end() : members.begin(), remote.begin(), remote.end());
  return members;
}

std::shared_ptr<const ErrorHandlerObject> fatal_errors() {
  static const auto handler = std::make_shared<const ErrorHandlerObject>();
  return handler;
}

/// The world is heddle's own, and outlives all.
std::shared_ptr<Communicator> borrowed(Communicator& communicator) { return {std::shared_ptr<void>(), &communicator}; }

}  // namespace

Process* Process::current() { return current_process; }
void Process::become_current() { current_process = this; }

Process::Process(World& world, Communicator& communicator)
    : communicators(communicator.world_rank().value(), site_),
      groups(communicator.world_rank().value(), site_),
      datatypes(communicator.world_rank().value(), site_),
      operations(communicator.world_rank().value(), site_),
      requests(communicator.world_rank().value(), site_),
      messages(communicator.world_rank().value(), site_),
      infos(communicator.world_rank().value(), site_),
      error_handlers(communicator.world_rank().value(), site_),
      sessions(communicator.world_rank().value(), site_),
      world_(world),
      communicator_(communicator),
      rank_(communicator.rank().value()),
      run_rank_(communicator.world_rank().value()) {
  // In a process that fork() has made, no rank runs.
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, [] { current_process = nullptr; });
  process_of_ranks = getpid();
  CommunicatorObject all{.messages = borrowed(communicator), .local = world.everyone(communicator.size())};
  all.rank = rank_;
  all.id = 1;
  all.name = "MPI_COMM_WORLD";
  all.error_handler = fatal_errors();
  world_communicator_ = std::make_shared<CommunicatorObject>(std::move(all));
}

namespace {

/// What leaves the operation of the program's in which this is called; null: it is called in none. A program that has left one by a jump,
/// which may have been on a stack of heddle's own, cannot go on: the process ends with a line.
std::jmp_buf* end_of_operation(const Process& process) {
  if (in_operation.of != &process) return nullptr;
  // Within it, the frame is a little below the one that has called it.
  constexpr std::uintptr_t kFrames = 256 * 1024;
  const auto outer = reinterpret_cast<std::uintptr_t>(in_operation.end);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (here < outer && outer - here < kFrames) return in_operation.end;
  if (ftrylockfile(stdout) == 0) fflush_unlocked(stdout);
  fmt::print(
      stderr,
      "heddle: usage: rank {} failed{}: it has left an operation of its own (MPI_Op_create) by a jump: an operation returns\n",
      process.run_rank(), process.is_in_call() ? " in " + process.world().call_text(process.site()) : std::string());
  constexpr int kFailed = 1;
  _exit(kFailed);
}

}  // namespace

int Process::run(const std::function<int()>& program) {
  Process* const outer = std::exchange(current_process, this);
  const ExceptionState exceptions = exception_state();
  if (world_.settings().compute_factor) computed_until_ = cpu_nanoseconds();
  if (setjmp(end_) == 0) {
    status_ = program();
    end_of_operation(*this);
  } else {
    restore(exceptions);
  }
  current_process = outer;
  if (late_failure_ != nullptr) failure_ = std::exchange(late_failure_, nullptr)(*this);
  has_ended = has_ended || failure_ != nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return status_;
}

void Process::call_operation(const std::function<void()>& call) {
  std::jmp_buf end;
  Process* const outer_process = std::exchange(current_process, this);
  const Operation outer = std::exchange(in_operation, {this, &end});
  const ExceptionState exceptions = exception_state();
  const bool has_returned = setjmp(end) == 0 && (call(), true);
  in_operation = outer;
  current_process = outer_process;
  if (has_returned) return;
  restore(exceptions);
  std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Process::exit(int status) {
  if (std::jmp_buf* const end = end_of_operation(*this)) {
    failure_ = std::make_exception_ptr(
        UsageError(fmt::format("an operation of the program's has called exit with {}: an operation returns", status)));
    std::longjmp(*end, 1);
  }
  has_ended_itself = true;
  status_ = status;
  std::longjmp(end_, 1);
}

void Process::fail(std::exception_ptr failure) {
  failure_ = std::move(failure);
  std::jmp_buf* const end = end_of_operation(*this);
  std::longjmp(end != nullptr ? *end : end_, 1);
}

bool Process::is_forked() const { return process_of_ranks != getpid(); }

void Process::fail_later(std::exception_ptr (*failure)(Process&)) {
  late_failure_ = failure;
  std::longjmp(end_, 1);
}

// ---- objects ----

void Process::refuse(int error_class, const std::string& what) const {
  throw MpiError(error_class, fmt::format("{}: {}", world_.call_text(*site_), what));
}

bool Process::is_in_operation() const { return in_operation.of == this; }

void Process::require_outside_of_operation() const {
  if (end_of_operation(*this) != nullptr)
    refuse(MPI_ERR_OTHER,
           "called within an operation of the program's (MPI_Op_create): an operation calls nothing that communicates");
}

void Process::require_communication(const CommunicatorObject& on) const {
  require_outside_of_operation();
  if (on.is_being_made) refuse(MPI_ERR_COMM, "the communicator is used before the request of MPI_Comm_idup is complete");
}

void Process::require(const void* pointer, const char* what) const {
  if (pointer == nullptr) refuse(MPI_ERR_ARG, fmt::format("the {} is a null pointer", what));
}

bool Process::knows(const std::byte* address) const {
  const auto is_there = [&](const KnownMemory& known) { return address >= known.begin && address < known.begin + known.size; };
  heddle_heap_block block;
  return std::ranges::any_of(known_memory, is_there) || (find_block != nullptr && find_block(address, &block) != 0);
}

std::optional<Process::Excess> Process::excess(const std::byte* from, std::int64_t bytes, const char* what,
                                               const std::byte* base) const {
  const auto beyond = [&](const std::byte* begin, std::int64_t size, const std::string& name) -> std::optional<Excess> {
    const std::int64_t offset = from - begin;
    if (offset < 0)
      return Excess{0,
                    fmt::format("the {} of {} bytes begins {} bytes before {}, of {} bytes", what, bytes, -offset, name, size)};
    if (offset + bytes <= size) return std::nullopt;
    return Excess{std::max<std::int64_t>(size - offset, 0),
                  fmt::format("the {} of {} bytes begins at byte {} of {}, of {} bytes, and ends {} bytes behind it", what,
                              bytes, offset, name, size, offset + bytes - size)};
  };
  for (const KnownMemory& known : known_memory) {
    if (from >= known.begin && from < known.begin + known.size) return beyond(known.begin, known.size, known.name);
  }
  heddle_heap_block block;
  if (find_block == nullptr || find_block(from, &block) == 0) {
    // Nothing of the program's is there.
    for (const KnownMemory& known : known_memory) {
      if (from >= known.begin - kGuardOfVectors && from < known.begin + known.size + kGuardOfVectors)
        return beyond(known.begin, known.size, known.name);
    }
    // In no block, and a little before the one that the program counts from: what lies there is the heap's own.
    constexpr std::ptrdiff_t kNear = 4096;
    if (find_block == nullptr || base == nullptr || find_block(base, &block) == 0) return std::nullopt;
    const auto* const counted_from = static_cast<const std::byte*>(block.address);
    if (from >= counted_from || from + kNear < counted_from) return std::nullopt;
  }
  const auto* const begin = static_cast<const std::byte*>(block.address);
  const auto size = static_cast<std::int64_t>(block.size);
  if (from >= begin && from + bytes <= begin + size) return std::nullopt;
  return beyond(begin, size, "a block that was allocated at " + world_.place_text(block.made_at));
}

std::optional<Process::Excess> Process::gap_within(const std::byte* from, std::int64_t bytes, const char* what) const {
  for (const KnownMemory& known : known_memory) {
    if (from < known.begin || from >= known.begin + known.size) continue;
    const std::int64_t first = from - known.begin;
    for (const KnownMemory::Gap& gap : known.gaps) {
      if (gap.to <= first) continue;
      if (gap.from >= first + bytes) break;
      const std::int64_t reached = std::max(gap.from, first);
      return Excess{reached - first, fmt::format("the {} of {} bytes begins at byte {} of {}, and byte {} is in no block: {}",
                                                 what, bytes, first, known.name, reached, gap.text)};
    }
  }
  return std::nullopt;
}

void Process::require_initialized() const {
  if (open_sessions > 0) return;
  if (!is_initialized) refuse(MPI_ERR_OTHER, "called before MPI_Init");
  if (is_finalized) refuse(MPI_ERR_OTHER, "called after MPI_Finalize");
}

const CommunicatorPtr& Process::find(MPI_Comm handle) {
  if (handle == MPI_COMM_WORLD) return world_communicator_;
  if (handle == MPI_COMM_SELF) {
    if (!self_communicator_) {
      const Rank self(rank_);
      CommunicatorObject alone{.messages = communicator_.form(std::span(&self, 1), 0), .local = Group({rank_})};
      alone.id = static_cast<std::uint64_t>(rank_) << 32 | 2;
      alone.name = "MPI_COMM_SELF";
      alone.error_handler = fatal_errors();
      self_communicator_ = std::make_shared<CommunicatorObject>(std::move(alone));
    }
    return self_communicator_;
  }
  if (const CommunicatorPtr* const found = communicators.find(handle)) return *found;
  if (handle == MPI_COMM_NULL) refuse(MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
  refuse(MPI_ERR_COMM, "the communicator " + communicators.why_none(handle));
}

MPI_Comm Process::handle_of(const CommunicatorPtr& communicator) {
  const auto own = communicators.find_if([&](const CommunicatorPtr& object) { return object == communicator; });
  return own.value_or(communicator == self_communicator_ ? MPI_COMM_SELF : MPI_COMM_WORLD);
}

const Group& Process::find(MPI_Group handle) {
  static const Group empty;
  if (handle == MPI_GROUP_EMPTY) return empty;
  if (const Group* const found = groups.find(handle)) return *found;
  if (handle == MPI_GROUP_NULL) refuse(MPI_ERR_GROUP, "the group is MPI_GROUP_NULL");
  refuse(MPI_ERR_GROUP, "the group " + groups.why_none(handle));
}

DatatypeObject& Process::find(MPI_Datatype handle) {
  if (number_of(handle) < kLeastOwnHandle) {
    const BasicId id = predefined(handle);
    const BasicFacts* const facts = find_basic(id);
    if (facts == nullptr)
      refuse(MPI_ERR_TYPE, handle == MPI_DATATYPE_NULL ? "the type is MPI_DATATYPE_NULL" : "the type is no datatype of C's");
    const auto [place, is_new] = predefined_types_.try_emplace(id);
    if (is_new) place->second = {.type = predefined_type(id), .name = std::string(facts->name), .is_committed = true};
    return place->second;
  }
  if (kept_ != nullptr) {
    if (const auto kept = kept_->types.find(number_of(handle)); kept != kept_->types.end()) return kept->second;
  }
  if (DatatypeObject* const found = datatypes.find(handle)) {
    if (keep_ == Keep::what_is_found) kept_->types.emplace(number_of(handle), *found);
    return *found;
  }
  refuse(MPI_ERR_TYPE, "the type " + datatypes.why_none(handle));
}

TypePtr Process::committed(MPI_Datatype handle) {
  const DatatypeObject& object = find(handle);
  if (!object.is_committed)
    refuse(MPI_ERR_TYPE, fmt::format("the type ({}) has not been committed: MPI_Type_commit", to_string(*object.type)));
  return object.type;
}

const OperationObject& Process::find(MPI_Op handle) {
  if (number_of(handle) < kLeastOwnHandle) {
    const OpId id = predefined(handle);
    if (operation_name(id).empty())
      refuse(MPI_ERR_OP, handle == MPI_OP_NULL ? "the operation is MPI_OP_NULL" : "the operation is none for reductions");
    return predefined_operations_.try_emplace(id, OperationObject{.predefined = id}).first->second;
  }
  if (kept_ != nullptr) {
    if (const auto kept = kept_->operations.find(number_of(handle)); kept != kept_->operations.end()) return kept->second;
  }
  if (const OperationObject* const found = operations.find(handle)) {
    if (keep_ == Keep::what_is_found) kept_->operations.emplace(number_of(handle), *found);
    return *found;
  }
  refuse(MPI_ERR_OP, "the operation " + operations.why_none(handle));
}

/// Once for each pair.
void Process::note_extension(OpId operation, const Type& type) {
  if (extensions_.emplace(operation, *type.basic()).second)
    world_.note(run_rank_, fmt::format("{}: MPI does not define {} on {}; other implementations serve it, as heddle does",
                                       world_.call_text(*site_), operation_name(operation), to_string(type)));
}

void Process::note_once(const CallSite& site, const std::string& what, World::Breach breach) {
  if (noted_.emplace(site.function, site.place).second)
    world_.note(run_rank_, fmt::format("{}: {}", world_.call_text(site), what), breach);
}

Reducer Process::reducer(MPI_Op operation, MPI_Datatype type_handle) {
  const OperationObject& object = find(operation);
  const TypePtr type = committed(type_handle);
  if (object.predefined != 0) {
    if (std::optional<Reducer> found = predefined_reducer(object.predefined, *type)) {
      if (!is_standard(object.predefined, *type)) note_extension(object.predefined, *type);
      return *std::move(found);
    }
    refuse(MPI_ERR_OP, fmt::format("{} is not defined on {}", operation_name(object.predefined), to_string(*type)));
  }
  if (object.heddle != nullptr) {
    const DatatypeObject& elements = find(type_handle);
    if (elements.heddle_type && type->extent() == type->size()) return {*object.heddle, *elements.heddle_type};
    if (elements.heddle_type) return spaced_reducer(*object.heddle, *elements.heddle_type, *type);
    if (type->basic()) {
      if (const std::optional<Datatype> own = heddle_datatype(*type->basic())) return {*object.heddle, *own};
    }
    refuse(MPI_ERR_TYPE,
           fmt::format("the operation is for the type that the call was handed, and not for {}", to_string(*type)));
  }
  UserFunction function = object.user;
  // The function may ask about the type that it is handed, which the program may have freed meanwhile.
  auto arguments = std::make_shared<KeptArguments>();
  if (number_of(type_handle) >= kLeastOwnHandle) arguments->types.emplace(number_of(type_handle), find(type_handle));
  function.call_as = [this, arguments](const std::function<void()>& call) {
    const ArgumentScope scope(*this, *arguments, Keep::nothing_new);
    call_operation(call);
  };
  function.wrote_input = [this, where = site(), told = object.told_of_input] {
    if (!told->exchange(true))
      world_.note(run_rank_,
                  fmt::format("{}: its operation has written to its first vector, which may be the program's own send "
                              "buffer; the second one alone gets the result",
                              world_.call_text(where)),
                  World::Breach::yes);
  };
  if (std::optional<Reducer> found = user_reducer(function, *type, type_handle, "the program's operation"))
    return *std::move(found);
  refuse(MPI_ERR_TYPE,
         fmt::format("elements of {} have bytes outside of their extent, and are not reduced by heddle", to_string(*type)));
}

InfoObject& Process::find(MPI_Info handle) {
  if (handle == MPI_INFO_ENV) return environment;
  if (InfoObject* const found = infos.find(handle)) return *found;
  refuse(MPI_ERR_INFO, handle == MPI_INFO_NULL ? "the info is MPI_INFO_NULL" : "the info " + infos.why_none(handle));
}

SessionObject& Process::find(MPI_Session handle) {
  if (SessionObject* const found = sessions.find(handle)) return *found;
  refuse(MPI_ERR_SESSION,
         handle == MPI_SESSION_NULL ? "the session is MPI_SESSION_NULL" : "the session " + sessions.why_none(handle));
}

RequestObject& Process::find(MPI_Request handle, std::optional<int> place) {
  RequestObject* const found = requests.find(handle);
  const bool is_freed = found != nullptr && found->generalized && found->generalized->is_freed;
  if (found != nullptr && !is_freed) return *found;
  refuse(MPI_ERR_REQUEST, fmt::format("the request {}{}", place ? fmt::format("at place {} of the list ", *place) : "",
                                      is_freed ? "has been freed" : requests.why_none(handle)));
}

std::shared_ptr<const ErrorHandlerObject> Process::find(MPI_Errhandler handle) {
  using Kind = ErrorHandlerObject::Kind;
  static const auto returned = std::make_shared<const ErrorHandlerObject>(ErrorHandlerObject{.kind = Kind::returned});
  static const auto aborts = std::make_shared<const ErrorHandlerObject>(ErrorHandlerObject{.kind = Kind::aborts});
  if (handle == MPI_ERRORS_ARE_FATAL) return fatal_errors();
  if (handle == MPI_ERRORS_RETURN) return returned;
  if (handle == MPI_ERRORS_ABORT) return aborts;
  if (const auto* const found = error_handlers.find(handle)) return found->handler;
  refuse(MPI_ERR_ERRHANDLER, "the error handler " + error_handlers.why_none(handle));
}

MPI_Errhandler Process::handle_of(const std::shared_ptr<const ErrorHandlerObject>& handler) {
  for (const MPI_Errhandler own : {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN, MPI_ERRORS_ABORT}) {
    if (find(own) == handler) return own;
  }
  const auto known = error_handlers.find_if([&](const ErrorHandlerHandle& of) { return of.handler == handler; });
  if (!known) return error_handlers.add(std::make_unique<ErrorHandlerHandle>(ErrorHandlerHandle{handler}));
  ++error_handlers.find(*known)->frees;
  return *known;
}

MPI_Comm Process::add(CommunicatorPtr communicator) {
  return communicators.add(std::make_unique<CommunicatorPtr>(std::move(communicator)));
}
MPI_Group Process::add(Group group) {
  return group.size() == 0 ? MPI_GROUP_EMPTY : groups.add(std::make_unique<Group>(std::move(group)));
}
MPI_Request Process::add(std::unique_ptr<RequestObject> request) {
  request->place = site_->place;
  request->function = site_->function;
  return requests.add(std::move(request));
}

// ---- calls ----

CallSite* Process::intern(const char* function, const void* place, std::optional<int> other_group) {
  // A place calls one function, but for a table of functions that a program may call through.
  const std::uint64_t key = reinterpret_cast<std::uintptr_t>(place) * 31 + reinterpret_cast<std::uintptr_t>(function) +
                            kGoldenGamma * static_cast<std::uint64_t>(other_group.value_or(-1) + 1);
  std::unique_ptr<CallSite>& site = sites_[key];
  if (!site) site = std::make_unique<CallSite>(CallSite{function, place, false, other_group});
  return site.get();
}

void Process::call_on(const CommunicatorObject& on) {
  std::optional<int> other_group;
  if (on.is_intercommunicator()) other_group = on.peer_rank(0).value();
  if (site_->other_group == other_group) return;
  site_ = intern(site_->function, site_->place, other_group);
  communicator_.call_from(site_);
}

void Process::charge_computing() {
  const std::optional<double>& factor = world_.settings().compute_factor;
  if (!factor || site_ != nullptr || in_operation.of == this) return;
  const double seconds = static_cast<double>(cpu_nanoseconds() - computed_until_) * 1e-9 * *factor;
  if (seconds > 0) communicator_.sleep(Time::from_seconds(seconds));
  become_current();
}

CallCount* Process::counter_of(const char* function, MPI_Comm communicator) {
  const CommunicatorObject* on = communicator == MPI_COMM_WORLD ? world_communicator_.get() : nullptr;
  if (communicator == MPI_COMM_SELF && self_communicator_) on = self_communicator_.get();
  if (const CommunicatorPtr* const found = on == nullptr ? communicators.find(communicator) : nullptr) on = found->get();
  constexpr std::uint64_t kSelf = 2;  // in all ranks' counts alike
  const std::uint64_t number = on == nullptr ? 0 : communicator == MPI_COMM_SELF ? kSelf : on->id;
  CallCount& count = counts_[{number, function}];
  if (on != nullptr) {
    count.communicator = on->name;
    if (count.members.empty()) count.members = members_of(*on);
  }
  return &count;
}

Process::~Process() {
  world_.keep(std::move(sites_));
  world_.count(counts_);
}

Call::Call(Process& process, const char* function, const void* place, Kind kind, MPI_Comm communicator)
    : process_(process), outer_(process.site_), outer_count_(process.counted_call_), errno_(errno) {
  process.charge_computing();
  if (kind != Kind::clock && kind != Kind::sleep) process.vain_question_.communicator = nullptr;
  const bool is_counted = kind == Kind::ordinary || kind == Kind::poll;
  if (process.world_.settings().counts_calls && is_counted) {
    process.counted_call_ = process.counter_of(function, communicator);
    begin_ = process.communicator_.now();
  } else {
    process.counted_call_ = nullptr;
  }
  process.site_ = process.intern(function, place);
  process.communicator_.call_from(process.site_);
  if (kind == Kind::ordinary || kind == Kind::anytime || kind == Kind::sleep) {
    process.asked_in_vain_ = 0;
    process.reads_clock_ = false;
    process.clock_reads_ = 0;
    process.calls_between_reads_ = Process::CallsBetween::others;
  } else if (kind == Kind::poll && process.calls_between_reads_ == Process::CallsBetween::none) {
    process.calls_between_reads_ = Process::CallsBetween::polls;
  }
}

Call::~Call() {
  if (CallCount* const count = std::exchange(process_.counted_call_, outer_count_)) {
    ++count->calls;
    count->time += process_.communicator_.now() - begin_;
  }
  process_.site_ = outer_;
  if (process_.world_.settings().compute_factor && outer_ == nullptr) process_.computed_until_ = cpu_nanoseconds();
  current_process = &process_;
  errno = errno_;
}

int handle_error(Process& process, MPI_Comm communicator, const MpiError& error) {
  CommunicatorPtr on;
  if (const auto* const of_request = dynamic_cast<const RequestError*>(&error)) {
    on = of_request->on();
    communicator = process.handle_of(on);
  } else if (communicator == MPI_COMM_WORLD || communicator == MPI_COMM_SELF) {
    on = process.find(communicator);
  } else if (const CommunicatorPtr* const found = process.communicators.find(communicator)) {
    on = *found;
  } else {
    on = process.find(MPI_COMM_WORLD);
  }
  const ErrorHandlerObject handler = *on->error_handler;
  return handle_with(process, handler.kind, error, [&](int* code) { handler.function(&communicator, code); });
}

int handle_with(Process& process, ErrorHandlerObject::Kind handler, const MpiError& error,
                const std::function<void(int* code)>& tell) {
  using Kind = ErrorHandlerObject::Kind;
  if (handler == Kind::fatal || handler == Kind::aborts) throw error;
  int code = error.error_class();
  if (handler == Kind::returned) {
    process.world().note(process.run_rank(), error.what());
  } else {
    process.become_current();
    tell(&code);
  }
  return code;
}

std::exception_ptr current_failure(const Process& process, const CallSite& site) {
  try {
    throw;
  } catch (const MpiError&) {
    return std::current_exception();
  } catch (const UsageError& error) {
    return std::make_exception_ptr(UsageError(fmt::format("{}: {}", process.world().call_text(site), error.what())));
  } catch (...) {
    return std::current_exception();
  }
}

int refuse_stranger(const char* function, const void* place) {
  // Nobody could be told: no rank runs on this thread.
  {
    const std::lock_guard lock(strangers_mutex);
    strangers.push_back({function, place});
  }
  const std::string_view why = process_of_ranks == getpid()
                                   ? "called by a thread that is no rank; heddle provides MPI_THREAD_FUNNELED"
                                   : "called in a process that fork() has made; it has no ranks";
  fmt::print(stderr, "heddle: {}: {}\n", function, why);
  return MPI_ERR_OTHER;
}

std::vector<CallSite> take_refused_strangers() {
  const std::lock_guard lock(strangers_mutex);
  return std::exchange(strangers, {});
}

}  // namespace heddle::mpi
