// SPDX-License-Identifier: Apache-2.0
#include "fuzz/case_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <thread>

#include "emu/engine/stack_pool.hpp"
#include "fuzz/case_child.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

/// Out of the way of code that closes the first few files.
OpenFile moved_up(OpenFile file) {
  constexpr int kFirst = 200;
  OpenFile moved(fcntl(file.get(), F_DUPFD_CLOEXEC, kFirst));
  return moved.is_open() ? std::move(moved) : std::move(file);
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

std::string who_ended(int rank) { return rank < 0 ? "the process ended" : fmt::format("rank {} ended the process", rank); }

std::string death_text(int status, const SharedNote& note) {
  if (WIFEXITED(status))
    return fmt::format("{} with exit status {}{}, as {}", who_ended(note.rank), WEXITSTATUS(status),
                       note.length > 0 ? " in the middle of the call" : "",
                       note.has_exited ? "exit() does" : "_exit() does, or another program that it became");
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  std::string text = fmt::format("{} by {}", who_ended(note.rank), signal_text(signal));
  if (note.place[0] != '\0') return fmt::format("{} {}", text, note.place);
  if (note.has_address && (signal == SIGSEGV || signal == SIGBUS)) {
    const std::uint64_t address = note.address;
    text += address < 4096 ? ": a null pointer" : "";
    if (address < 4096 && address > 0) text += fmt::format(", {} bytes from it", address);
  }
  if (signal == SIGKILL) text += ": as kill() does, and the system when memory runs out";
  return text;
}

/// Whether the system has ended it, for the time that it has computed. A case may send itself that signal where nothing limits it.
bool is_at_cpu_limit(int status) {
  rlimit limit = {};
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU && getrlimit(RLIMIT_CPU, &limit) == 0 &&
         limit.rlim_cur != RLIM_INFINITY;
}

/// Of a process that lives and does not hear any more.
std::string deaf_text(pid_t pid) {
  const std::string program = program_of(std::to_string(pid));
  if (!program.empty() && program != program_of("self"))
    return fmt::format("the process became another program ({}), as exec() does", program);
  return "the process closed descriptors that are not the call's, among them the one through which heddle speaks with it";
}

/// Somebody else may have stopped it together with others, and lets them go on.
bool stays_stopped(const Child& child) {
  constexpr int kMilliseconds = 200;
  for (int waited = 0; waited < kMilliseconds; ++waited) {
    if (child.state() != 'T') return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// What cannot be counted is charged, as what it costs to find out.
constexpr std::uint64_t kSlicesOfAnEnd = 20'000;
constexpr std::uint64_t kSlicesOfWaiting = 400'000;
/// Where others have the machine, a case gets so many times as long.
constexpr int kMostLimits = 8;

// A case that runs over the end of memory beside the note ends there, and does not write into what is said of it.
constexpr std::size_t kGuardBytes = std::size_t{64} * 1024;
constexpr std::size_t kNoteBytes = (sizeof(SharedNote) / kGuardBytes + 1) * kGuardBytes;

}  // namespace

SharedNote* CaseProcess::map_note() {
  void* const whole = mmap(nullptr, kNoteBytes + 2 * kGuardBytes, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  std::byte* const note = static_cast<std::byte*>(whole) + kGuardBytes;
  if (mprotect(note, kNoteBytes, PROT_READ | PROT_WRITE) == 0) return new (note) SharedNote;
  munmap(whole, kNoteBytes + 2 * kGuardBytes);
  return nullptr;
}

void CaseProcess::UnmapNote::operator()(SharedNote* note) const {
  munmap(reinterpret_cast<std::byte*>(note) - kGuardBytes, kNoteBytes + 2 * kGuardBytes);
}

CaseProcess::CaseProcess(const CaseServer& server, CasePatience patience, std::optional<int> core)
    : patience_(std::move(patience)), limit_(patience_.limit) {
  auto [ours, theirs] = connected_sockets();
  if (note_ == nullptr || !ours.is_open())
    throw ResourceError("no more processes for cases: the system has no memory or files left");
  note_->place[0] = '\0';
  note_->rank = -1;
  output_ = moved_up(OpenFile(memfd_create("heddle case output", MFD_CLOEXEC)));
  const OpenFile socket = moved_up(std::move(theirs));
  file_ = moved_up(std::move(ours));
  socket_ = MessageSocket(file_.get());
  const pid_t parent = getpid();
  const pid_t pid = fork_for_cases();
  if (pid == 0) {
    file_.close();
    if (core) stay_on(*core);
    serve_cases(server, socket.get(), *note_, output_.get(), parent);
  }
  if (pid < 0) throw ResourceError(fmt::format("no more processes for cases: {}", std::strerror(errno)));
  child_ = Child(pid);
  process_ = child_.end_file();
}

void CaseProcess::ask(CaseRequest request) {
  if (waiting_.empty()) begin_case(Clock::now());
  socket_.put(pack(request));
  waiting_.push_back(std::move(request));
}

void CaseProcess::add_to(std::vector<pollfd>& files) {
  socket_.flush();
  files.push_back({.fd = file_.get(), .events = POLLIN, .revents = 0});
  files.push_back({.fd = process_.get(), .events = POLLIN, .revents = 0});  // negative: poll() passes over it
}

void CaseProcess::wait(std::chrono::milliseconds longest) {
  std::vector<pollfd> files;
  add_to(files);
  poll(files.data(), files.size(), static_cast<int>(longest.count()));
}

void CaseProcess::begin_case(Clock::time_point now) {
  began_ = now;
  first_look_.reset();
  last_look_ = limit_;
}

void CaseProcess::set_limit(Seconds limit) {
  if (limit == limit_) return;
  limit_ = limit;
  if (!first_look_) last_look_ = limit;
}

CaseProcess::Seconds CaseProcess::time_left() {
  const Clock::time_point now = Clock::now();
  if (note_->done != seen_done_) {
    seen_done_ = note_->done;
    begin_case(now);
  }
  const Seconds taken = now - began_;
  return first_look_ ? last_look_ - taken : limit_ / 2 - taken;
}

std::string CaseProcess::at() const {
  const std::uint32_t length = note_->length;
  std::string text(note_->text, std::min<std::size_t>(length, SharedNote::kLongestText));
  return std::hash<std::string_view>()(text) == note_->hash ? text : "";
}

std::string CaseProcess::output() const {
  struct stat about = {};
  if (fstat(output_.get(), &about) != 0 || about.st_size == 0) return "";
  constexpr off_t kMost = off_t{1} << 20;
  std::string text(static_cast<std::size_t>(std::min(about.st_size, kMost)), '\0');
  const ssize_t got = pread(output_.get(), text.data(), text.size(), about.st_size - static_cast<off_t>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

std::optional<CaseProcess::Answer> CaseProcess::take() {
  if (has_ended() || waiting_.empty()) return std::nullopt;
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
  const Child::Change change = child_.look();
  if (change == Child::Change::ended) return last_answer(end_of_process());
  if (change == Child::Change::stopped) {
    if (!stays_stopped(child_)) return std::nullopt;
    return last_answer(end_stopped());
  }
  if (time_left() > Seconds(0)) return std::nullopt;
  std::optional<CaseReply> reply = end_late();
  if (!reply) return std::nullopt;
  Answer late = last_answer(*std::move(reply));
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
  std::string deaf;
  if (!has_ended()) {
    // It has closed its end: it is about to end, or it has closed what it had no business with.
    const Clock::time_point until = Clock::now() + std::chrono::milliseconds(500);
    while (child_.look() != Child::Change::ended && Clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!has_ended()) deaf = deaf_text(child_.pid());
    child_.end();
  }
  if (note_->is_deaf) deaf = deaf_text(getpid());
  const std::string death = deaf.empty() ? death_text(child_.status(), *note_) : deaf;
  CaseReply reply;
  reply.end.length.slices = kSlicesOfAnEnd;
  if (note_->is_out_of_memory) {
    reply.error = "the system has no memory left for a process that runs cases";
    reply.is_refusal = true;
    return reply;
  }
  if (is_at_cpu_limit(child_.status())) {
    reply.error = "the limit on CPU time (ulimit -t) is reached in a process that runs cases; a higher one may help";
    reply.is_refusal = true;
    return reply;
  }
  reply.text = at();
  if (reply.text.empty()) {
    if (note_->length > 0)
      reply.end.failure = {CheckError::Kind::ended,
                           death + ", and has written into memory of heddle's own" + indented_tail(output())};
    else if (note_->done == 0)
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
    reply.end.failure = {CheckError::Kind::ended, death + indented_tail(output())};
  return reply;
}

/// Where it goes on, which it then does, its sampling says who has stopped it.
CaseReply CaseProcess::end_stopped() {
  const int signal = WSTOPSIG(child_.status());
  child_.send(kSampling);
  const std::uint64_t before = note_->samples;
  child_.send(SIGCONT);
  for (int wait = 0; wait < 100 && note_->samples == before; ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const int rank = note_->samples == before ? -1 : note_->sampled_rank.load();
  CaseReply reply;
  reply.text = at();
  reply.end.length.slices = kSlicesOfAnEnd;
  child_.end();
  const std::string stopped =
      fmt::format("{} by {}, and nothing would let it go on",
                  rank < 0 ? "the process was stopped" : fmt::format("rank {} stopped the process", rank), signal_text(signal));
  if (reply.text.empty())
    reply.error = stopped;
  else
    reply.end.failure = {CheckError::Kind::ended, stopped + indented_tail(output())};
  return reply;
}

CaseSample CaseProcess::sample() {
  const std::uint64_t before = note_->samples;
  CaseSample sample;
  if (note_->can_be_sampled && child_.send(kSampling)) {
    for (int wait = 0; wait < 20 && note_->samples == before; ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  sample.has_answered = note_->samples != before;
  if (sample.has_answered) {
    sample.in_task = note_->in_task;
    sample.rank = note_->sampled_rank;
    sample.slices = note_->slices;
    sample.emulated = Time::ps(note_->emulated_ps);
  }
  sample.at = Clock::now();
  sample.cpu = child_.cpu();
  sample.state = child_.state();
  return sample;
}

std::set<int> CaseProcess::ranks_at_work() {
  constexpr int kSamples = 20;
  std::set<int> ranks;
  for (int i = 0; i < kSamples; ++i) {
    const CaseSample one = sample();
    if (!one.has_answered) break;
    if (one.rank >= 0) ranks.insert(one.rank);
  }
  return ranks;
}

/// The first time it looks, no more; no value as long as there is nothing to say.
std::optional<CaseReply> CaseProcess::end_late() {
  const CaseSample now = sample();
  const Seconds taken = now.at - began_;
  if (!first_look_) {
    first_look_ = now;
    last_look_ = std::max(limit_, taken + limit_ / 2);
    return std::nullopt;
  }
  const std::string text = at();
  RunBound bound;
  if (!text.empty()) bound = patience_.bound == nullptr ? RunBounds().bound(Experiment::parse(text)) : patience_.bound(text);
  bound.slice = std::max(bound.slice, limit_ / 4);
  LateVerdict verdict = judge(*first_look_, now, text.empty() ? std::set<int>() : ranks_at_work(), bound);
  // A busy machine may have let it do nothing yet.
  constexpr Seconds kToBegin = std::chrono::milliseconds(500);
  constexpr Seconds kMostToBegin = std::chrono::minutes(1);
  if (text.empty() && (taken < kToBegin || (verdict.kind == LateVerdict::Kind::not_yet && taken < kMostToBegin))) {
    last_look_ = std::max(kToBegin, taken + limit_ / 2);
    return std::nullopt;
  }
  if (!text.empty() && verdict.kind == LateVerdict::Kind::not_yet && taken < kMostLimits * limit_ + bound.slice) {
    last_look_ = taken + limit_ / 2;
    return std::nullopt;
  }
  CaseReply reply;
  reply.text = text;
  reply.end.length.slices = verdict.kind == LateVerdict::Kind::slow ? now.slices : kSlicesOfWaiting;
  child_.end();
  // Where the machine was busy it had longer: how long is chance.
  const bool is_given = patience_.is_given && limit_ == patience_.limit;
  const std::string late = fmt::format("it has not ended after {:g} s{}", limit_.count(), is_given ? " (--case-seconds)" : "");
  if (text.empty())
    reply.error = late + ", before a case had begun";
  else if (verdict.kind == LateVerdict::Kind::endless)
    reply.end.failure = {CheckError::Kind::endless, fmt::format("{}: {}{}", late, verdict.words, indented_tail(output()))};
  else
    reply.end.slow = fmt::format("{}: {}", late, verdict.words.empty() ? "others have the machine" : verdict.words);
  return reply;
}

std::optional<CaseReply> run_alone(const CaseServer& server, const CaseRequest& request, CasePatience patience,
                                   const std::function<bool()>& is_stopped, std::string* output) {
  CaseProcess process(server, std::move(patience));
  process.ask(request);
  while (true) {
    if (std::optional<CaseProcess::Answer> answer = process.take()) {
      if (output != nullptr) *output = process.output();
      return std::move(answer->reply);
    }
    if (is_stopped != nullptr && is_stopped()) return std::nullopt;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(process.time_left()) + std::chrono::milliseconds(1);
    process.wait(std::clamp(left, std::chrono::milliseconds(0), kAskOften));
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
