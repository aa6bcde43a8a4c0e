// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/function_run.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heddle/errors.hpp"
#include "mpi/calls/calls.hpp"
#include "mpi/image/places.hpp"
#include "mpi/objects/process.hpp"
#include "mpi/run/chosen_algorithm.hpp"

namespace heddle::mpi {

namespace {

/// What calls leave: objects of a kind that a call of MPI has made, or blocks of memory.
constexpr std::string_view kMemory = "block";
using LeftBy = std::pair<std::string_view, const void*>;

/// What one rank has of a run.
struct FunctionRank {
  const Communicator* on = nullptr;   ///< that the calls are made on
  std::unique_ptr<LibraryCopy> copy;  ///< null: the function is heddle's own process'
  std::unique_ptr<Communicator> world;
  std::shared_ptr<Process> process;  ///< tasks of nonblocking collectives keep it, too
  AnyFunction function = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int calls = 0;  ///< that were begun
  /// What each place had left after the call before, if it has left more each time.
  std::map<LeftBy, int> left = {};
};

/// What ranks have returned from one call.
struct Returns {
  std::vector<std::optional<int>> codes;  ///< by rank
  std::size_t returned = 0;
  bool has_sent = false;

  bool has_error() const {
    return std::ranges::any_of(codes, [](std::optional<int> code) { return code && *code != MPI_SUCCESS; });
  }
};

/// Kept by the run, which makes it once for all ranks.
class FunctionRun {
 public:
  explicit FunctionRun(std::shared_ptr<Library> library) : library_(std::move(library)) {
    WorldSettings settings;
    static const ChosenAlgorithms usual;
    settings.algorithm = [](Collective collective, const Shape& shape, const ReduceOp* op) -> const Algorithm& {
      return usual(collective, shape, op);
    };
    settings.place_text = [this](const void* place) { return place_text(place); };
    settings.stack_text = [this](std::span<const void* const> stack) {
      const std::lock_guard lock(mutex_);
      return places_.stack_text(stack);
    };
    world_ = std::make_unique<World>(std::move(settings));
  }
  FunctionRun(const FunctionRun&) = delete;
  FunctionRun& operator=(const FunctionRun&) = delete;

  World& world() { return *world_; }

  /// The state of this rank: as new where `communicator` is another one than in its call before.
  FunctionRank& of(Communicator& communicator, const HandedFunction& handed) {
    FunctionRank& rank = [&]() -> FunctionRank& {
      const std::lock_guard lock(mutex_);
      return ranks_[communicator.world_rank().value()];
    }();
    if (rank.on != &communicator) begin(rank, communicator, handed);
    ++rank.calls;
    return rank;
  }

  /// A rank has returned from this call.
  void note_return(int call, int rank, int ranks, int code, bool has_sent) {
    const std::lock_guard lock(mutex_);
    Returns& of = returns_[call];
    of.codes.resize(static_cast<std::size_t>(ranks));
    of.codes[static_cast<std::size_t>(rank)] = code;
    of.has_sent |= has_sent;
    // What all ranks agree on is asked for no more.
    if (++of.returned == static_cast<std::size_t>(ranks) && code == MPI_SUCCESS && !of.has_error()) returns_.erase(call);
  }
  Returns returns_of(int call) {
    const std::lock_guard lock(mutex_);
    return returns_[call];
  }

  /// A program's errors know the places of this function, too.
  void let_place(World& program, const std::weak_ptr<FunctionRun>& self) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(places_are_known_, true)) return;
    program.add_places([self](const void* place) {
      const std::shared_ptr<FunctionRun> run = self.lock();
      return run ? run->place_text(place) : std::string();
    });
  }

  /// Makes the state of a rank.
  void begin(FunctionRank& rank, Communicator& communicator, const HandedFunction& handed) {
    // The world has the ranks in another order and another context: a function that takes it for its communicator shows.
    const int p = communicator.size();
    const int number = communicator.rank().value();
    std::unique_ptr<Communicator> world = communicator.split(0, (number + p / 2) % p);
    rank = FunctionRank();
    rank.on = &communicator;
    rank.world = std::move(world);
    rank.process = std::make_shared<Process>(*world_, *rank.world);
    rank.process->is_initialized = true;
    rank.function = handed.function;
    if (library_) {
      rank.copy = std::make_unique<LibraryCopy>(library_);
      rank.function = reinterpret_cast<AnyFunction>(rank.copy->program().find(handed.symbol.c_str()));
      rank.process->find_block = rank.copy->program().program().find_block;
      const std::lock_guard lock(mutex_);
      places_.add(rank.copy->program());
    }
    std::vector<int> ranks;
    for (int r = 0; r < p; ++r) ranks.push_back((r + p / 2) % p);
    const Membership members = world_->membership(Group(std::move(ranks)), {});
    auto object = std::make_shared<CommunicatorObject>();
    object->messages = std::shared_ptr<Communicator>(std::shared_ptr<void>(), &communicator);
    object->id = members.id;
    object->local = members.first;
    object->rank = number;
    CommunicatorObject& all = *rank.process->find(MPI_COMM_WORLD);
    all.is_beside = !handed.serves_programs && p > 1;
    object->error_handler = all.error_handler;
    rank.comm = rank.process->add(std::move(object));
  }

 private:
  std::string place_text(const void* place) {
    const std::lock_guard lock(mutex_);
    return place == nullptr ? std::string() : places_.texts(std::span(&place, 1)).front();
  }

  std::shared_ptr<Library> library_;
  std::mutex mutex_;
  Places places_;
  bool places_are_known_ = false;
  std::unique_ptr<World> world_;
  std::map<int, FunctionRank> ranks_;  ///< by rank of the run
  std::map<int, Returns> returns_;     ///< by number of the call
};

/// What a function leaves open is lost: no later call can wait for it.
void require_nothing_open(Process& process, const HandedFunction& handed) {
  process.requests.for_each([&](MPI_Request, const RequestObject& request) {
    if (!request.is_active) return;
    process.has_ended = true;
    throw CheckError(CheckError::Kind::hygiene,
                     fmt::format("{} returned on rank {}, and the request of {} was never completed: MPI_Wait", handed.symbol,
                                 process.run_rank(), process.world().call_text({request.function, request.place})));
  });
}

/// What lives when a call has returned, by who made it.
std::map<LeftBy, int> what_lives(FunctionRank& rank) {
  std::map<LeftBy, int> all;
  const auto add = [&](const auto& handles, const char* kind) {
    for (const auto& [maker, number] : handles.makers()) all[{kind, maker}] += number;
  };
  add(rank.process->communicators, "communicator");
  add(rank.process->groups, "group");
  add(rank.process->datatypes, "datatype");
  add(rank.process->operations, "operation");
  add(rank.process->infos, "info");
  if (rank.copy)
    rank.copy->program().program().visit_heap(
        [](void* to, const heddle_heap_block* block) {
          ++(*static_cast<std::map<LeftBy, int>*>(to))[{kMemory, block->made_at}];
        },
        &all);
  return all;
}

/// A function may keep what it makes once, for its next calls. What grows with each call nobody frees.
void look_for_leftovers(const HandedFunction& handed, FunctionRun& run, FunctionRank& rank) {
  std::map<LeftBy, int> lives = what_lives(rank);
  if (rank.calls > 1)
    std::erase_if(lives, [&](const auto& left) {
      const auto before = rank.left.find(left.first);
      return before == rank.left.end() || before->second >= left.second;
    });
  rank.left = std::move(lives);
  if (rank.calls == 1 || rank.left.empty()) return;
  std::vector<std::string> texts;
  for (const auto& [by, number] : rank.left) {
    const bool is_memory = by.first == kMemory;
    const std::string where =
        is_memory ? run.world().place_text(by.second) : run.world().call_text(*static_cast<const CallSite*>(by.second));
    if (where.empty()) continue;
    texts.push_back(fmt::format("{} {}s {} {}", number, by.first, is_memory ? "allocated at" : "of", where));
  }
  if (texts.empty()) return;
  std::ranges::sort(texts);
  handed.leftovers->tell(fmt::format("each call of {} leaves more than there was before: after {} calls there are {}",
                                     handed.symbol, rank.calls, fmt::join(texts, ", ")));
}

/// Of ranks that have returned the same: "rank 3", "all 4 ranks", "3 of 4 ranks".
std::string who_returned(const Returns& all, int code) {
  const auto same = std::ranges::count(all.codes, std::optional(code));
  if (same == std::ssize(all.codes)) return same == 1 ? "its rank" : fmt::format("all {} ranks", same);
  return fmt::format("{} of {} ranks", same, all.codes.size());
}

/// An error that the function returns: a refusal if all ranks agree and nothing was sent, which the others are given time for.
[[noreturn]] void fail_with(const HandedFunction& handed, FunctionRun& run, Communicator& communicator, int call, int code) {
  communicator.sleep(Time::from_seconds(1));
  const Returns all = run.returns_of(call);
  const bool is_refused = all.returned == all.codes.size() && !all.has_sent &&
                          std::ranges::count(all.codes, std::optional(code)) == std::ssize(all.codes);
  const std::string what = fmt::format("{} returned {} on ", handed.symbol, error_name(code));
  if (is_refused) throw CheckError(CheckError::Kind::refused, what + who_returned(all, code));
  std::string text = fmt::format("{}rank {}", what, communicator.world_rank().value());
  if (all.returned < all.codes.size())
    text += fmt::format(", and {} of {} ranks have not returned", all.codes.size() - all.returned, all.codes.size());
  else if (std::ranges::count(all.codes, std::optional(code)) < std::ssize(all.codes))
    text += ", and not on all ranks";
  else
    text += fmt::format(" as on {}, after messages were sent", who_returned(all, code));
  for (const std::string& note : run.world().notes()) text += "\n  " + note;
  throw CheckError(CheckError::Kind::returned_error, text);
}

/// Of a program whose collective the function serves: its run may have several calls under way, so each has a state of its own.
void serve_program(const HandedFunction& handed, const std::shared_ptr<FunctionRun>& run, Communicator& communicator,
                   const CollectiveArguments& arguments) {
  if (Process* const caller = Process::current(); caller != nullptr && &caller->world() != &run->world())
    run->let_place(caller->world(), run);
  FunctionRank rank;
  run->begin(rank, communicator, handed);
  rank.process->owner_of_world = run;
  const int code = call_function(*rank.process, {handed.symbol, rank.function, &handed.options, handed.collective, rank.comm},
                                 communicator, arguments);
  if (rank.copy) rank.process->run([&] { return static_cast<int>(rank.copy->program().program().check_heap()); });
  if (rank.process->has_ended_itself || code != MPI_SUCCESS)
    throw CheckError(
        CheckError::Kind::returned_error,
        fmt::format("{} {} {} on rank {}", handed.symbol, rank.process->has_ended_itself ? "called exit with" : "returned",
                    rank.process->has_ended_itself ? fmt::to_string(code) : error_name(code),
                    communicator.world_rank().value()));
  require_nothing_open(*rank.process, handed);
}

}  // namespace

void run_function(const HandedFunction& handed, Communicator& communicator, const CollectiveArguments& arguments) {
  const auto shared = communicator.shared_plan<std::shared_ptr<FunctionRun>>(
      "mpi function " + handed.name, [&] { return std::make_shared<FunctionRun>(handed.library); });
  FunctionRun& run = **shared;
  if (handed.serves_programs) return serve_program(handed, *shared, communicator, arguments);
  FunctionRank& rank = run.of(communicator, handed);
  const int call = rank.calls;
  communicator.let_describe(&run.world());
  Process& process = *rank.process;
  process.has_sent = false;
  const int code = call_function(process, {handed.symbol, rank.function, &handed.options, handed.collective, rank.comm},
                                 communicator, arguments);
  process.has_ended = process.has_ended_itself;
  if (process.has_ended_itself) throw UsageError(fmt::format("{} called exit({}) or one of its kin", handed.symbol, code));
  if (rank.copy) process.run([&] { return static_cast<int>(rank.copy->program().program().check_heap()); });
  run.note_return(call, communicator.rank().value(), communicator.size(), code, process.has_sent);
  process.has_ended = code != MPI_SUCCESS;
  if (code != MPI_SUCCESS) fail_with(handed, run, communicator, call, code);
  require_nothing_open(process, handed);
  if (!handed.leftovers->is_known()) look_for_leftovers(handed, run, rank);
}

}  // namespace heddle::mpi
