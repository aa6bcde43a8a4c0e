// SPDX-License-Identifier: Apache-2.0
#include "fuzz/processes/case_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "core/errors.hpp"
#include "emu/tasks/stack_overflow.hpp"
#include "fuzz/processes/case_child.hpp"

namespace heddle {

namespace {

/// Out of the way of code that closes the first few files.
int moved_up(int file) {
  constexpr int kFirst = 200;
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, kFirst);
  if (moved < 0) return file;
  close(file);
  return moved;
}

std::string indented_tail(std::string_view output) {
  constexpr std::size_t kLines = 4;
  constexpr std::size_t kCharacters = 600;
  while (!output.empty() && output.back() == '\n') output.remove_suffix(1);
  // A sanitizer's report begins with what it is about.
  if (const std::size_t report = output.find("Sanitizer: "); report != std::string_view::npos) {
    const std::size_t begin = output.rfind('\n', report);
    output.remove_prefix(begin == std::string_view::npos ? 0 : begin + 1);
    output = output.substr(0, output.find('\n'));
  }
  std::size_t begin = output.size();
  for (std::size_t lines = 0; lines < kLines && begin > 0; ++lines) {
    const std::size_t end = output.rfind('\n', begin - 1);
    begin = end == std::string_view::npos ? 0 : end;
  }
  std::string_view tail = output.substr(begin);
  if (tail.size() > kCharacters) tail.remove_prefix(tail.size() - kCharacters);
  while (!tail.empty() && tail.front() == '\n') tail.remove_prefix(1);
  if (tail.empty()) return "";
  std::string text = "\nit wrote last: ";
  for (const char c : tail) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

/// The line that names a rank whose stack was too small, if there is one.
std::optional<std::string> overflow_line(std::string_view output) {
  const std::size_t words = output.find(emu::kOverflowWords);
  if (words == std::string_view::npos) return std::nullopt;
  constexpr std::string_view kBegin = "heddle: ";
  const std::size_t begin = output.rfind(kBegin, words);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view line = output.substr(begin + kBegin.size());
  return std::string(line.substr(0, line.find('\n')));
}

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  const char* description = sigdescr_np(signal);
  return fmt::format("{} ({})", name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name),
                     description == nullptr ? "unknown" : description);
}

/// Where that is not possible any more, it runs anywhere.
void stay_on(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

std::string who(int rank) { return rank < 0 ? "the process ended" : fmt::format("rank {} ended the process", rank); }

std::string death_text(int status, const SharedNote& note) {
  if (WIFEXITED(status))
    return fmt::format("{} with exit status {}{}, as exit() and _exit() do", who(note.rank), WEXITSTATUS(status),
                       note.length > 0 ? " in the middle of the call" : "");
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  std::string text = fmt::format("{} by {}", who(note.rank), signal_text(signal));
  if (note.has_address && (signal == SIGSEGV || signal == SIGBUS)) {
    const std::uint64_t address = note.address;
    text += address < 4096 ? ": a null pointer" : "";
    if (address < 4096 && address > 0) text += fmt::format(", {} bytes from it", address);
  }
  if (signal == SIGKILL) text += ": as the system does when memory runs out";
  return text;
}

}  // namespace

std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;  // more than the set has room for
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

CaseProcess::CaseProcess(const CaseServer& server, Seconds limit, std::optional<int> core) : limit_(limit) {
  void* memory = mmap(nullptr, sizeof(SharedNote), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::array<int, 2> ends{};
  if (memory == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw ResourceError("no more processes for cases: the system has no memory or files left");
  note_ = new (memory) SharedNote;
  note_->rank = -1;
  output_ = moved_up(memfd_create("heddle case output", MFD_CLOEXEC));
  const int theirs = moved_up(ends[1]);
  file_ = moved_up(ends[0]);
  socket_ = MessageSocket(file_);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    close(file_);
    if (core) stay_on(*core);
    serve_cases(server, theirs, *note_, output_, parent);
  }
  close(theirs);
  if (pid_ < 0) throw ResourceError(fmt::format("no more processes for cases: {}", std::strerror(errno)));
#ifdef SYS_pidfd_open
  process_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
#endif
}

CaseProcess::~CaseProcess() {
  kill_and_wait();
  for (const int file : {file_, process_, output_}) {
    if (file >= 0) close(file);
  }
  munmap(note_, sizeof(SharedNote));
}

void CaseProcess::kill_and_wait() {
  if (std::exchange(has_ended_, true)) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
}

void CaseProcess::ask(CaseRequest request) {
  if (waiting_.empty()) began_ = Clock::now();
  socket_.put(pack(request));
  waiting_.push_back(std::move(request));
}

void CaseProcess::add_to(std::vector<pollfd>& files) {
  socket_.flush();
  files.push_back({.fd = file_, .events = POLLIN, .revents = 0});
  files.push_back({.fd = process_, .events = POLLIN, .revents = 0});  // negative: poll() passes over it
}

CaseProcess::Seconds CaseProcess::time_left() {
  const Clock::time_point now = Clock::now();
  if (note_->done != seen_done_) {
    seen_done_ = note_->done;
    began_ = now;
  }
  return limit_ - (now - began_);
}

std::string CaseProcess::at() const {
  const std::uint32_t length = note_->length;
  return {note_->text, std::min<std::size_t>(length, SharedNote::kLongestText)};
}

std::string CaseProcess::output() const {
  struct stat about = {};
  if (fstat(output_, &about) != 0 || about.st_size == 0) return "";
  constexpr off_t kMost = off_t{1} << 20;
  std::string text(static_cast<std::size_t>(std::min(about.st_size, kMost)), '\0');
  const ssize_t got = pread(output_, text.data(), text.size(), about.st_size - static_cast<off_t>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

std::optional<CaseProcess::Answer> CaseProcess::take() {
  if (has_ended_ || waiting_.empty()) return std::nullopt;
  std::optional<std::string> bytes = socket_.take();
  if (!bytes) {
    socket_.flush();  // where it cannot be written, the process has ended
    const MessageSocket::Arrived arrived = socket_.read(false);
    if (arrived == MessageSocket::Arrived::end) return last_answer(end_of_process());
    bytes = socket_.take();
  }
  if (bytes) {
    try {
      return answer(unpack_reply(*bytes));
    } catch (const InputError&) {  // somebody else has written: as good as gone
      return last_answer(end_of_process());
    }
  }
  const pid_t ended = waitpid(pid_, &status_, WNOHANG);
  if (ended == pid_) {
    has_ended_ = true;
    return last_answer(end_of_process());
  }
  if (time_left() > Seconds(0)) return std::nullopt;
  Answer late = last_answer(end_endless());
  late.never_began = !late.reply.error.empty();
  return late;
}

CaseProcess::Answer CaseProcess::answer(CaseReply reply) {
  answered_.push_back(std::move(waiting_.front()));
  waiting_.pop_front();
  return {answered_.back(), std::move(reply)};
}

/// It has ended in the first of the cases that it has not done.
CaseProcess::Answer CaseProcess::last_answer(CaseReply reply) {
  const std::uint64_t not_said = std::min<std::uint64_t>(note_->done - answered_.size(), waiting_.size() - 1);
  std::deque<CaseRequest> lost;
  for (std::uint64_t i = 0; i < not_said; ++i) {
    answered_.push_back(waiting_.front());
    lost.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  CaseRequest request = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_.insert(waiting_.begin(), lost.begin(), lost.end());
  return {std::move(request), std::move(reply)};
}

CaseReply CaseProcess::end_of_process() {
  if (!has_ended_) {
    // It has closed its end: it is about to end, or it has closed what it had no business with.
    const Clock::time_point until = Clock::now() + std::chrono::milliseconds(500);
    pid_t ended = 0;
    while ((ended = waitpid(pid_, &status_, WNOHANG)) == 0 && Clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (ended == pid_)
      has_ended_ = true;
    else
      kill_and_wait();
  }
  CaseReply reply;
  if (note_->is_out_of_memory) {
    reply.error = "the system has no memory left for a process that runs cases";
    reply.is_refusal = true;
    return reply;
  }
  reply.text = at();
  if (reply.text.empty()) {
    const std::string death = death_text(status_, *note_);
    if (note_->done == 0)
      reply.error = death + ", before a case had begun" + indented_tail(output());
    else
      reply.end.failure = {
          CheckError::Kind::ended,
          death + ", before this case had begun: one that ran before it may have spoilt the process" + indented_tail(output())};
    return reply;
  }
  if (std::optional<std::string> line = overflow_line(output()))
    reply.end.failure = {CheckError::Kind::stack_overflow, *std::move(line)};
  else
    reply.end.failure = {CheckError::Kind::ended, death_text(status_, *note_) + indented_tail(output())};
  return reply;
}

CaseReply CaseProcess::end_endless() {
  constexpr int kSamples = 20;
  std::set<int> ranks;
  std::set<std::uint64_t> turns;
  for (int i = 0; i < kSamples; ++i) {
    const std::uint64_t before = note_->samples;
    if (kill(pid_, kSampling) != 0) break;
    for (int wait = 0; wait < 10 && note_->samples == before; ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (note_->samples == before) continue;
    if (note_->rank >= 0) ranks.insert(note_->rank);
    turns.insert(note_->turns);
  }
  CaseReply reply;
  reply.text = at();
  kill_and_wait();
  const std::string taken = fmt::format("it has not ended after {:g} s (--case-seconds)", limit_.count());
  if (reply.text.empty()) {
    reply.error = taken + ", before a case had begun";
    return reply;
  }
  std::string text = taken + ": ";
  if (ranks.size() == 1 && turns.size() == 1)
    text += fmt::format("rank {} runs without a call that could end its turn, and the others wait for theirs", *ranks.begin());
  else if (turns.size() > 1)
    text += fmt::format("ranks go on and communicate{}{}", ranks.empty() ? "" : ", among them ", fmt::join(ranks, ", "));
  else
    text += "which ranks run is not known (--threads kernel, or heddle's own work)";
  reply.end.failure = {CheckError::Kind::endless, text + indented_tail(output())};
  return reply;
}

std::optional<CaseReply> run_alone(const CaseServer& server, const CaseRequest& request, CaseProcess::Seconds limit,
                                   const std::function<bool()>& is_stopped, std::string* output) {
  CaseProcess process(server, limit);
  process.ask(request);
  while (true) {
    if (std::optional<CaseProcess::Answer> answer = process.take()) {
      if (output != nullptr) *output = process.output();
      return std::move(answer->reply);
    }
    if (is_stopped != nullptr && is_stopped()) return std::nullopt;
    std::vector<pollfd> files;
    process.add_to(files);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(process.time_left()) + std::chrono::milliseconds(1);
    poll(files.data(), files.size(), static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), kAskOften).count()));
  }
}

std::optional<Failure> failure_of_process(const std::function<void()>& action, CaseProcess::Seconds limit) {
  const CaseServer server = [&action](const CaseRequest&, const std::function<void(const Experiment&)>& is_at) {
    is_at(Experiment());
    action();
    return CaseReply();
  };
  const std::optional<CaseReply> reply = run_alone(server, {}, limit);
  return reply ? reply->end.failure : std::nullopt;
}

}  // namespace heddle
