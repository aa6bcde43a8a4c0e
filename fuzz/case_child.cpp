// SPDX-License-Identifier: Apache-2.0
#include "fuzz/case_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "core/sanitizers.hpp"
#include "emu/engine/tasks.hpp"
#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "mpi/run/signals.hpp"

namespace heddle {

namespace {

/// Allocated for good, and hardly touched.
void take(std::size_t bytes) {
  auto* const block = static_cast<volatile char*>(std::malloc(bytes));
  if (block != nullptr) *block = 0;
}

}  // namespace

void shift_addresses(std::uint32_t amount) {
  constexpr std::size_t kLargest = std::size_t{56} * 1024;  // beyond twice this an allocator may map a block instead
  constexpr int kLargeBlocks = 128;
  // One more or less of each size, so that what follows falls between other blocks.
  for (std::size_t bytes = 16; bytes < kLargest; bytes += bytes / 2) {
    for (std::uint32_t i = 0; i <= amount % 5; ++i) take(bytes + std::size_t{16} * (amount % 3));
  }
  for (std::uint32_t i = 0; i < amount * kLargeBlocks; ++i) take(kLargest + std::size_t{16} * amount);
  const auto pages = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  mmap(nullptr, (2 * std::size_t{amount} + 1) * pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

namespace {

constexpr std::array<int, 5> kDeadly = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What a handler can reach is global.
SharedNote* child_note = nullptr;
std::uint64_t slices_before_case = 0;
/// Of the thread that runs cases; a signal may reach one of a rank's, whose count is its own.
const std::uint64_t* slices_so_far = nullptr;
/// In a process that a case has made by fork().
bool is_copy = false;
/// While heddle forks for itself: a process that runs cases may make others that do.
thread_local bool forks_for_cases = false;

int running_rank() { return emu::running_task == nullptr ? -1 : emu::running_task->rank; }

/// A copy's end is not the case's.
void note_running() {
  if (!is_copy) child_note->rank = running_rank();
}

void note_exit() {
  if (is_copy) return;
  note_running();
  child_note->has_exited = true;
}

void sample(int) {
  child_note->sampled_rank = running_rank();
  child_note->in_task = emu::running_task != nullptr || emu::waits_for_tasks;
  child_note->slices = *slices_so_far - slices_before_case;
  child_note->emulated_ps = emu::emulated_time == nullptr ? 0 : emu::emulated_time->ps();
  ++child_note->samples;
}

int deadly_signal = 0;

/// To say where it was takes a lock that the case may hold.
void end_by_deadly_signal(int) {
  std::signal(deadly_signal, SIG_DFL);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  sigaddset(&unblocked, deadly_signal);
  sigprocmask(SIG_UNBLOCK, &unblocked, nullptr);
  std::raise(deadly_signal);
}

void note_place(int signal, const siginfo_t* info, const void* context) {
  constexpr unsigned kPatience = 2;  // seconds
  deadly_signal = signal;
  std::signal(SIGALRM, end_by_deadly_signal);
  alarm(kPatience);
  const std::string place = mpi::place_of_signal(signal, info, context);
  alarm(0);
  std::memcpy(child_note->place, place.data(), std::min(place.size(), SharedNote::kLongestPlace - 1));
}

[[maybe_unused]] void note_deadly(int signal, siginfo_t* info, void* context) {
  note_running();
  if (!is_copy) note_place(signal, info, context);
  if (info->si_code > 0 && signal != SIGABRT && !is_copy) {
    child_note->address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    child_note->has_address = true;
  }
  std::signal(signal, SIG_DFL);
  if (info->si_code <= 0) std::raise(signal);
}

void note_fork() {
  if (!is_copy && !forks_for_cases) child_note->copied_by = running_rank();
}

/// A copy is all ranks over again. It ends with its parent, and makes none itself: each rank that forks would double them.
void begin_copy() {
  if (forks_for_cases) return;
  if (is_copy) _exit(0);
  is_copy = true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::uint32_t number = child_note->copies++;
  if (number >= SharedNote::kMostCopies) _exit(0);
  child_note->copy_pids[number] = getpid();
}

/// None outlives the case that has made it. Those that go on with the case get the time for that.
void end_copies(SharedNote& note) {
  constexpr int kMilliseconds = 1000;
  const std::uint32_t copies = std::min<std::uint32_t>(note.copies, SharedNote::kMostCopies);
  for (std::uint32_t i = 0; i < copies; ++i) {
    const pid_t copy = note.copy_pids[i];
    pid_t ended = 0;
    for (int waited = 0; (ended = waitpid(copy, nullptr, WNOHANG)) == 0 && waited < kMilliseconds && !note.copy_went_on;
         ++waited)
      usleep(1000);
    if (ended != 0) continue;  // or the case itself has waited for it
    kill(copy, SIGKILL);
    waitpid(copy, nullptr, 0);
  }
  note.copies = 0;
}

/// What the process shows of a case that is right by itself.
void look_for_copies(CaseReply& reply, SharedNote& note) {
  if (note.copies == 0) return;
  end_copies(note);
  const bool went_on = note.copy_went_on.exchange(false);
  if (!went_on || reply.end.failure || !reply.error.empty()) return;
  const std::int32_t rank = note.copied_by;
  reply.end.failure = {
      CheckError::Kind::hygiene,
      fmt::format("{} copied the process by fork(), and the copy went on with the call, as all ranks once more; "
                  "a copy has to end by _exit(), or to become another program",
                  rank < 0 ? "a rank" : fmt::format("rank {}", rank))};
}

void set_up_signals() {
  // A terminal's words are for the process that asks.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);
  std::signal(SIGXCPU, SIG_DFL);  // the handler of the process that asks ends as a rank's _exit() does
  struct sigaction action = {};
  action.sa_handler = sample;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(kSampling, &action, nullptr);
#if !HEDDLE_ADDRESS_SANITIZER && !HEDDLE_THREAD_SANITIZER  // which have handlers that say more
  action.sa_sigaction = note_deadly;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  for (const int signal : kDeadly) sigaction(signal, &action, nullptr);
#endif
  sigset_t all;
  sigemptyset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
}

void set_up_files(int output) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  const rlimit no_core_dump{0, 0};
  setrlimit(RLIMIT_CORE, &no_core_dump);
  rlimit files{};
  getrlimit(RLIMIT_FSIZE, &files);
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, rlim_t{256} << 20);  // a case that writes for ever
  setrlimit(RLIMIT_FSIZE, &files);
}

/// Of the case before. What is written into the shared offset's file is cheap to ask for.
void forget_output(int output) {
  if (lseek(output, 0, SEEK_CUR) == 0) return;
  if (ftruncate(output, 0) == 0) lseek(output, 0, SEEK_SET);
}

CaseReply reply_to(const CaseServer& server, const CaseRequest& request, SharedNote& note) {
  try {
    return server(request, [&note](const Experiment& what) {
      const std::string text = what.text();
      const std::size_t length = std::min(text.size(), SharedNote::kLongestText);
      std::memcpy(note.text, text.data(), length);
      note.hash = std::hash<std::string_view>()({text.data(), length});
      note.length = static_cast<std::uint32_t>(length);
    });
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    CaseReply reply;
    reply.error = *error.what() == '\0' ? "an exception without a word" : error.what();
    reply.is_refusal = dynamic_cast<const ResourceError*>(&error) != nullptr;
    return reply;
  }
}

}  // namespace

pid_t fork_for_cases() {
  forks_for_cases = true;
  const pid_t pid = fork();
  forks_for_cases = false;
  return pid;
}

void serve_cases(const CaseServer& server, int socket, SharedNote& note, int output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setpgid(0, 0);  // what a case sends to its process group is not for the process that asks
  child_note = &note;
  slices_so_far = &emu::slices_of_tasks;
  is_copy = false;
  static bool is_watched = false;  // also by the process that has forked this one
  if (!std::exchange(is_watched, true)) pthread_atfork(nullptr, note_fork, begin_copy);
  install_process_handlers();
  set_up_signals();
  note.can_be_sampled = true;
  set_up_files(output);
  std::atexit(note_exit);
  constexpr std::size_t kManyAnswers = std::size_t{32} * 1024;
  MessageSocket messages(socket);
  try {
    do {
      while (const auto bytes = messages.take()) {
        forget_output(output);
        slices_before_case = emu::slices_of_tasks;
        CaseReply reply = reply_to(server, unpack_request(*bytes), note);
        if (is_copy) {
          note.copy_went_on = true;
          _exit(0);
        }
        look_for_copies(reply, note);
        if (fcntl(socket, F_GETFD) < 0) {
          note.is_deaf = true;
          _exit(0);
        }
        messages.put(pack(reply));
        note.length = 0;
        ++note.done;
        if (messages.unsent() > kManyAnswers && !messages.flush()) break;
      }
    } while (messages.flush() && messages.read(true) == MessageSocket::Arrived::something);
  } catch (const std::bad_alloc&) {
    note.is_out_of_memory = true;
  }
  _exit(0);
}

}  // namespace heddle
