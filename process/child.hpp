// SPDX-License-Identifier: Apache-2.0
// Child processes, and what the system says of them. Files and children end with the object that holds them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// A file descriptor, closed with it; -1: none.
class OpenFile {
 public:
  explicit OpenFile(int file = -1) : file_(file) {}
  OpenFile(OpenFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~OpenFile() { close(); }

  int get() const { return file_; }
  bool is_open() const { return file_ >= 0; }
  void close();

 private:
  int file_;
};

/// A child of this process, killed and waited for with it. For one thread.
class Child {
 public:
  using Seconds = std::chrono::duration<double>;
  enum class Change : std::uint8_t { none, stopped, ended };

  Child() = default;  ///< none: it has ended
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, 0)), status_(other.status_) {}
  Child& operator=(Child&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(status_, other.status_);
    return *this;
  }
  ~Child() { end(); }

  pid_t pid() const { return pid_; }  ///< 0 after its end
  bool has_ended() const { return pid_ == 0; }
  /// What wait() has said last, of a stop or of the end.
  int status() const { return status_; }

  /// What has become of it since, without waiting.
  Change look();
  /// Whether it could be sent.
  bool send(int signal) const;
  /// Kills it, and waits for that.
  void end();

  /// As /proc has it: R, S, D, T, Z; '?': not known.
  char state() const;
  /// Of a processor, that it has used.
  Seconds cpu() const;
  /// A file that is readable once the process has ended; none where the system has no such files.
  OpenFile end_file() const;

 private:
  pid_t pid_ = 0;
  int status_ = 0;
};

/// A program of PATH.
struct ChildProgram {
  static constexpr int kNotFound = 127;  ///< its exit status where there is no such program

  std::vector<std::string> words;
  std::vector<std::string> variables;  ///< "NAME=value", in place of this process's own of the same name
  std::string input;                   ///< what it reads first, shorter than a pipe holds; empty: this process's standard input
};

/// Starts it with these signals blocked. Throws ResourceError if the system has no more processes or files.
Child start(const ChildProgram& program, const sigset_t& mask);

/// The file of a process's program ("self" or a number); empty: not known.
std::string program_of(const std::string& process);

/// "SIGSEGV (Segmentation fault)".
std::string signal_text(int signal);

/// The cores that the calling thread may use, and what it starts; none if the system does not say.
std::vector<int> usable_cores();
/// From now on the calling thread runs on this core; anywhere, if that is not possible any more.
void stay_on(int core);

}  // namespace heddle
