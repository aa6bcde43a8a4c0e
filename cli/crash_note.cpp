// SPDX-License-Identifier: Apache-2.0
#include "cli/crash_note.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>

#include "lab/grammar/shell_words.hpp"

namespace heddle {

namespace {

/// A handler may use nothing that allocates or locks: text of a fixed size, written with write().
class FixedText {
 public:
  void set(std::string_view text) {
    length_ = 0;  // a signal between these two writes nothing of a half-made text
    const std::size_t length = std::min(text.size(), characters_.size());
    std::copy_n(text.data(), length, characters_.data());
    length_ = length;
  }
  bool empty() const { return length_ == 0; }
  void write_out() const { write_all({characters_.data(), length_}); }

  static void write_all(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
      if (written <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

 private:
  std::array<char, 8192> characters_ = {};
  std::size_t length_ = 0;
};

// What a handler can reach is global or the thread's.
FixedText repeating;
std::array<struct sigaction, NSIG> actions_before = {};
thread_local FixedText current_case;

/// The handler's stack: that of a task may be what overflowed.
class AlternateStack {
 public:
  AlternateStack() {
    const stack_t stack{.ss_sp = memory_.get(), .ss_flags = 0, .ss_size = kBytes};
    sigaltstack(&stack, &before_);
  }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;
  ~AlternateStack() { sigaltstack(&before_, nullptr); }

 private:
  static constexpr std::size_t kBytes = std::size_t{64} * 1024;
  std::unique_ptr<std::byte[]> memory_ = std::make_unique<std::byte[]>(kBytes);
  stack_t before_ = {};
};

void write_last_words(int signal, siginfo_t* info, void*) {
  if (current_case.empty()) {
    FixedText::write_all("heddle: the process ends in a thread of a case's own (--threads kernel)\n");
  } else {
    FixedText::write_all("heddle: the process ends in this case: ");
    repeating.write_out();
    FixedText::write_all(" ");
    current_case.write_out();
    FixedText::write_all("\n");
  }
  // Back to where it happened, where it happens again to whoever was responsible before.
  sigaction(signal, &actions_before[static_cast<std::size_t>(signal)], nullptr);
  // What was raised, as by abort, does not happen again by itself.
  if (info->si_code <= 0) std::raise(signal);
}

}  // namespace

CrashNote::CrashNote(const std::string& command) {
  repeating.set(command);
  struct sigaction action = {};
  action.sa_sigaction = write_last_words;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) sigaction(signal, &action, &actions_before[static_cast<std::size_t>(signal)]);
}

CrashNote::~CrashNote() {
  for (const int signal : kSignals) sigaction(signal, &actions_before[static_cast<std::size_t>(signal)], nullptr);
}

void CrashNote::is_at(const Experiment& what) {
  static thread_local const AlternateStack stack;
  current_case.set(shell_word(what.text()));
}

}  // namespace heddle
