// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/program_ranks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "heddle/errors.hpp"
#include "mpi/calls/calls.hpp"
#include "mpi/objects/process.hpp"

namespace heddle::mpi {

ProgramRanks::ProgramRanks(ProgramSettings settings)
    : settings_(std::move(settings)),
      image_(settings_.path),
      statuses_(static_cast<std::size_t>(settings_.ranks)),
      unfinished_(static_cast<std::size_t>(settings_.ranks)) {
  take_refused_strangers();  // of programs before it
  require_maps(settings_.ranks, image_.maps_per_copy());
  for (int rank = 0; rank < settings_.ranks; ++rank) {
    copies_.push_back(std::make_unique<ProgramCopy>(image_, program_table(settings_.guards_heap)));
    places_.add(*copies_.back());
    if (copies_.back()->program().main == nullptr)
      throw InputError(
          fmt::format("{}: it has no main(), so it is no program; a library's functions are run by --algo mpi:FILE:FUNCTION",
                      settings_.path));
    const auto close_input = copies_.back()->program().close_input;
    if (rank == 0 || close_input == nullptr) continue;
    if (!empty_input_.is_open()) empty_input_ = OpenFile(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!empty_input_.is_open() || close_input(empty_input_.get()) == 0)
      throw ResourceError(fmt::format("{}: no input for ranks above 0 ({})", settings_.path, std::strerror(errno)));
  }
  WorldSettings world = settings_.world;
  world.place_text = [this](const void* place) {
    return place == nullptr ? std::string() : places_.texts(std::span(&place, 1)).front();
  };
  world.stack_text = [this](std::span<const void* const> stack) { return places_.stack_text(stack); };
  world_ = std::make_unique<World>(std::move(world));
}

ProgramRanks::~ProgramRanks() {
  if (!settings_.guards_heap) return;
  for (const auto& copy : copies_) {
    copy->abandon();
    copy->program().empty_heap();
  }
}

void ProgramRanks::run(Communicator& communicator) {
  const std::size_t rank = static_cast<std::size_t>(communicator.rank().value());
  ProgramCopy& copy = *copies_[rank];
  communicator.let_describe(world_.get());
  // Tasks of nonblocking collectives may go on when the program has ended.
  const auto kept = std::make_shared<Process>(*world_, communicator);
  Process& process = *kept;
  if (settings_.guards_heap) process.find_block = copy.program().find_block;
  // As main() may change them.
  std::vector<std::string> words = {settings_.path};
  words.insert(words.end(), settings_.arguments.begin(), settings_.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int count = static_cast<int>(words.size());
  int status = process.run([&] { return copy.program().main(count, arguments.data(), environ); });
  // A process that the program has made has come back from main(), and is not heddle.
  if (process.is_forked()) {
    copy.finalize();
    std::fflush(nullptr);
    _exit(status & 0xFF);
  }
  // As exit() does it: what the program has left to be done at its end.
  if (process.runs_no_exit_functions) {
    copy.abandon();
  } else {
    status = process.run([&] {
      copy.finalize();
      return status;
    });
  }
  if (settings_.guards_heap) process.run([&] { return static_cast<int>(copy.program().check_heap()); });
  process.has_ended = true;
  statuses_[rank] = status & 0xFF;
  if (!process.is_initialized || process.is_finalized) return;
  constexpr std::string_view kWithout = "the program ended without MPI_Finalize";
  world_->note(process.run_rank(), std::string(kWithout));
  if (status == 0)
    unfinished_[rank] = fmt::format("rank {}: {}, after {}", rank, kWithout, world_->call_text(*process.begun_by));
}

void ProgramRanks::check() const {
  if (const std::vector<CallSite> refused = take_refused_strangers(); !refused.empty()) {
    // In an order that is the same whichever thread came first.
    std::set<std::string> calls;
    for (const CallSite& site : refused) calls.insert(world_->call_text(site));
    throw CheckError(
        CheckError::Kind::usage,
        fmt::format("MPI was called {} by threads that are no ranks; heddle provides MPI_THREAD_FUNNELED\n  {}",
                    refused.size() == 1 ? "once" : fmt::format("{} times", refused.size()), fmt::join(calls, "\n  ")));
  }
  const auto first = std::ranges::find_if(unfinished_, [](const std::string& text) { return !text.empty(); });
  if (first != unfinished_.end()) throw CheckError(CheckError::Kind::usage, *first);
  // What a program that says itself that it failed has left out is its own.
  if (exit_status() != 0) return;
  const std::vector<std::string> left_out = world_->take_left_out();
  if (!left_out.empty()) throw CheckError(CheckError::Kind::usage, fmt::format("{}", fmt::join(left_out, "\n  ")));
}

int ProgramRanks::exit_status() const {
  const auto first = std::ranges::find_if(statuses_, [](int status) { return status != 0; });
  return first == statuses_.end() ? 0 : *first;
}

}  // namespace heddle::mpi
