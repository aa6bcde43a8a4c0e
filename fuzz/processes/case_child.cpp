// SPDX-License-Identifier: Apache-2.0
#include "fuzz/processes/case_child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "core/errors.hpp"
#include "core/sanitizers.hpp"
#include "emu/tasks/running_task.hpp"

namespace heddle {

namespace {

constexpr std::array<int, 5> kDeadly = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What a handler can reach is global.
SharedNote* child_note = nullptr;

void note_running() {
  const emu::RunningTask* const task = emu::running_task;
  child_note->rank = task == nullptr ? -1 : task->rank;
  child_note->turns = emu::turns_of_tasks;
}

void sample(int) {
  note_running();
  ++child_note->samples;
}

[[maybe_unused]] void note_deadly(int signal, siginfo_t* info, void*) {
  note_running();
  if (info->si_code > 0 && signal != SIGABRT) {
    child_note->address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    child_note->has_address = true;
  }
  std::signal(signal, SIG_DFL);
  if (info->si_code <= 0) std::raise(signal);
}

void set_up_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);
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

void serve_cases(const CaseServer& server, int socket, SharedNote& note, int output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  child_note = &note;
  set_up_signals();
  set_up_files(output);
  std::atexit(note_running);
  constexpr std::size_t kManyAnswers = std::size_t{32} * 1024;
  MessageSocket messages(socket);
  try {
    do {
      while (const auto bytes = messages.take()) {
        forget_output(output);
        const CaseReply reply = reply_to(server, unpack_request(*bytes), note);
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
