// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_processes.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <mutex>
#include <new>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>

#include "core/checksum.hpp"
#include "heddle/errors.hpp"
#include "lab/documents/json_members.hpp"
#include "lab/sweep/sweep_runner.hpp"

namespace heddle {

namespace {

SweepMeasurement measurement_of(const Setup& setup, const Algorithm& algorithm, const Report& report) {
  const Rates rates = rates_of(setup, report);
  SweepMeasurement measured;
  measured.time = report.completion;
  measured.algbw = rates.algbw;
  measured.busbw = rates.busbw;
  measured.rounds = report.rounds_max();
  measured.messages = report.messages();
  measured.messages_digest = report.messages_digest;
  measured.sent_max = report.sent_max();
  measured.peak_flows = peak_flows(report);
  measured.path = report.critical_path.parts;
  measured.contention_free = report.contention_free;
  measured.byte_scale = report.byte_scale;
  measured.scale_assumed = setup.assumes_scale(algorithm, report.byte_scale);
  if (report.sum_errors) measured.error_ulp_mean = report.sum_errors->mean, measured.error_ulp_worst = report.sum_errors->worst;
  if (report.packets) measured.packets = brief_of(*report.packets, setup.fabric.topology());
  if (report.switch_precision) measured.switch_precision = to_string(*report.switch_precision);
  measured.idle_faults = report.idle_faults;
  measured.idle_reasons = report.idle_reasons;
  measured.faults_gone_round = report.faults_gone_round;
  return measured;
}

}  // namespace

SweepResult make_run(const PlannedRun& run, const std::function<Outcome(const Setup&, const Algorithm&)>& function,
                     SweepResult planned) {
  const Algorithm& algorithm = run.setup->algorithms.chosen[run.algorithm];
  const Outcome outcome = function(*run.setup, algorithm);
  planned.remark = remark_on(*run.setup, algorithm);
  if (const Report* report = outcome.report()) planned.measured = measurement_of(*run.setup, algorithm, *report);
  if (outcome.worst_link && planned.measured) planned.measured->worst_link = outcome.worst_link->text;
  if (const Failure* failure = outcome.failure()) planned.failure = *failure;
  return planned;
}

SweepStop stop_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return {"out of memory; a smaller --memory or --jobs runs fewer at once, a smaller --data-memory needs less", true};
  } catch (const InputError& error) {
    return {error.what(), true};
  } catch (const std::exception& error) {
    return {error.what(), false};
  }
}

template <IsA<SweepCall> Call, class Visit>
void visit_members(Call& call, const Visit& visit) {
  visit.always("words", call.words);
  visit.always("shard", call.shard);
}

template <IsA<SweepOffer> Offer, class Visit>
void visit_members(Offer& offer, const Visit& visit) {
  visit.always("refusal", offer.refusal);
  visit.always("plan", offer.plan);
  visit.always("workers", offer.workers);
  visit.always("memory", offer.memory);
}

template <IsA<SweepStop> Stop, class Visit>
void visit_members(Stop& stop, const Visit& visit) {
  visit.always("text", stop.text);
  visit.always("is_refused", stop.is_refused);
}

/// To make a run; none: there is no more.
struct SweepOrder {
  std::optional<std::size_t> run;
};

template <IsA<SweepOrder> Order, class Visit>
void visit_members(Order& order, const Visit& visit) {
  visit.always("run", order.run);
}

namespace {

using Json = nlohmann::ordered_json;

/// `document`: of the plan.
std::string text_of(const SweepAnswer& answer, const SweepDocument& document) {
  Json json = {{"run", answer.run}, {"seconds", answer.seconds}};
  if (answer.result)
    json["result"] = json_of(*answer.result, fabric_of(document, *answer.result));
  else
    json["stop"] = answer.stop;
  return line_of(json);
}

// Readers throw InputError for what is no such text.

template <class Read>
auto read_message(const std::string& text, const Read& read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("no message of a spread sweep: {}", error.what()));
  }
}

template <class Message>
Message read_message(const std::string& text) {
  return read_message(text, [](const Json& json) { return json.get<Message>(); });
}

/// None: no more, before anything was said.
std::optional<SweepCall> read_call(const std::string& text) {
  return read_message(
      text, [](const Json& json) { return json.contains("run") ? std::nullopt : std::optional(json.get<SweepCall>()); });
}

SweepAnswer read_answer(const std::string& text) {
  return read_message(text, [](const Json& json) {
    SweepAnswer answer{.run = json.at("run"), .seconds = json.at("seconds"), .result = {}, .stop = {}};
    if (json.contains("result"))
      answer.result = result_from_json(json.at("result"));
    else
      answer.stop = json.at("stop");
    return answer;
  });
}

}  // namespace

std::string plan_checksum_of(const SweepDocument& document) { return checksum_of(line_of(json_of_header(document))); }

std::string text_of(const SweepOffer& offer) { return line_of(offer); }

template <class Call>
auto SweepProcesses::saying(const Call& call) {
  try {
    return call();
  } catch (...) {
    has_failed_ = true;
    throw;
  }
}

SweepProcesses::SweepProcesses(ProcessMessages& messages) : messages_(messages) {
  for (int rank = 1; rank < messages.size(); ++rank) processes_.push_back({.rank = rank});
}

SweepProcesses::~SweepProcesses() {
  if (has_failed_) return;
  try {
    for (const Process& process : processes_) messages_.send(process.rank, line_of(SweepOrder()));
    messages_.part();
  } catch (const std::exception&) {  // nothing is asked of it any more
  }
}

void SweepProcesses::begin(const SweepCall& call) {
  saying([&] {
    for (const Process& process : processes_) messages_.send(process.rank, line_of(call));
  });
}

void SweepProcesses::note_offer(const ProcessMessages::Received& message, const std::string& plan) {
  Process& process = process_of(message.from);
  process.offer = read_message<SweepOffer>(message.text);
  if (!process.offer.refusal.empty()) throw InputError(fmt::format("rank {}: {}", process.rank, process.offer.refusal));
  if (process.offer.plan != plan)
    throw InputError(fmt::format(
        "rank {} has planned another sweep; all processes need the same heddle and files of the same content", process.rank));
}

void SweepProcesses::agree(const SweepPlan& plan) {
  plan_ = &plan;
  const std::string checksum = plan_checksum_of(plan.document);
  for (std::size_t missing = processes_.size(); missing > 0;) {
    const std::vector<ProcessMessages::Received> received = saying([&] { return messages_.receive(); });
    for (const ProcessMessages::Received& message : received) note_offer(message, checksum);
    missing -= received.size();
    if (received.empty()) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

int SweepProcesses::workers() const {
  return std::accumulate(processes_.begin(), processes_.end(), 0,
                         [](int sum, const Process& process) { return sum + process.offer.workers; });
}

int SweepProcesses::under_way() const {
  return std::accumulate(processes_.begin(), processes_.end(), 0,
                         [](int sum, const Process& process) { return sum + static_cast<int>(process.runs.size()); });
}

bool SweepProcesses::have_room() const {
  return std::ranges::any_of(processes_, [](const Process& one) { return std::ssize(one.runs) < one.offer.workers; });
}

bool SweepProcesses::give(const PlannedRun& run) {
  const auto process = std::ranges::find_if(processes_, [&](const Process& one) {
    return std::ssize(one.runs) < one.offer.workers && (one.runs.empty() || one.used + run.cost.memory <= one.offer.memory);
  });
  if (process == processes_.end()) return false;
  saying([&] { messages_.send(process->rank, line_of(SweepOrder{run.run})); });
  process->runs.insert(run.run);
  process->used = process->used + run.cost.memory;
  return true;
}

std::vector<SweepAnswer> SweepProcesses::answers() {
  return saying([&] {
    std::vector<SweepAnswer> answers;
    for (const ProcessMessages::Received& message : messages_.receive()) {
      Process& process = process_of(message.from);
      SweepAnswer answer = read_answer(message.text);
      const bool was_asked = process.runs.erase(answer.run) > 0;
      if (!was_asked || (answer.result && answer.result->run != plan_->document.runs[answer.run].run))
        throw Error(fmt::format("rank {} answers with a run that it was not given", process.rank));
      process.used = process.used - plan_->runs[answer.run].cost.memory;
      if (!answer.stop.text.empty()) answer.stop.text = fmt::format("rank {}: {}", process.rank, answer.stop.text);
      answers.push_back(std::move(answer));
    }
    return answers;
  });
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kIdlePoll(200);
/// While runs are under way, whose core this thread may share.
constexpr std::chrono::microseconds kBusyPoll(1000);

/// Makes runs that are given one by one.
class RunThreads {
 public:
  explicit RunThreads(const ServedSweep& sweep) : sweep_(sweep) {
    try {
      for (int i = 0; i < sweep.work.workers; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // fewer, then
    } catch (...) {
      end();  // those that have begun wait
      throw;
    }
  }
  RunThreads(const RunThreads&) = delete;
  RunThreads& operator=(const RunThreads&) = delete;
  ~RunThreads() { end(); }

  /// Where the system has no thread for it, the run is made at once.
  void start(std::size_t run) {
    ++under_way_;
    if (threads_.empty()) return answers_.push_back(made(run));
    const std::lock_guard lock(mutex_);
    answers_.reserve(static_cast<std::size_t>(under_way_));  // a thread that has ended a run needs no memory to say so
    waiting_.push_back(run);
    changed_.notify_all();
  }

  /// Waits a while for the first, if runs are under way or not.
  std::vector<SweepAnswer> ended() {
    std::unique_lock lock(mutex_);
    if (answers_.empty()) has_ended_.wait_for(lock, under_way_ > 0 ? kBusyPoll : kIdlePoll);
    under_way_ -= static_cast<int>(answers_.size());
    std::vector<SweepAnswer> ended(std::move_iterator(answers_.begin()), std::move_iterator(answers_.end()));
    answers_.clear();
    return ended;
  }

  int under_way() const { return under_way_; }

 private:
  void end() {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    waiting_.clear();
    changed_.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
      if (is_over_) return;
      const std::size_t run = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      SweepAnswer answer = made(run);
      lock.lock();
      answers_.push_back(std::move(answer));
      has_ended_.notify_all();
    }
  }

  SweepAnswer made(std::size_t run) const {
    const Clock::time_point begin = Clock::now();
    SweepAnswer answer{.run = run, .seconds = 0, .result = {}, .stop = {}};
    try {
      // Alone: what a run would share among oneTBB's threads stays on this one.
      tbb::task_arena(1).execute(
          [&] { answer.result = make_run(sweep_.plan.runs.at(run), sweep_.work.run, sweep_.plan.document.runs.at(run)); });
    } catch (...) {
      answer.stop = stop_of(std::current_exception());
    }
    answer.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return answer;
  }

  const ServedSweep& sweep_;
  int under_way_ = 0;  ///< of the caller's thread
  std::mutex mutex_;   ///< of all below
  std::condition_variable changed_;
  std::condition_variable has_ended_;
  std::deque<std::size_t> waiting_;
  std::vector<SweepAnswer> answers_;
  bool is_over_ = false;
  std::vector<std::jthread> threads_;
};

/// Says when to give up.
class ServePatience {
 public:
  explicit ServePatience(const SweepWork& work) : work_(work) {}

  bool is_interrupted() const { return work_.interruptions && work_.interruptions() > 0; }
  /// Rank 0, which is interrupted too as a rule, has a second more than it gives to runs to say that there is no more.
  bool has_ended() {
    if (!is_interrupted()) return false;
    if (!first_) first_ = Clock::now();
    return Clock::now() - *first_ >= work_.patience + std::chrono::seconds(1);
  }

 private:
  const SweepWork& work_;
  std::optional<Clock::time_point> first_;
};

/// What rank 0 says, in its order.
class Orders {
 public:
  explicit Orders(ProcessMessages& messages) : messages_(messages) {}

  /// None: nothing has come.
  std::optional<std::string> next() {
    for (ProcessMessages::Received& message : messages_.receive()) texts_.push_back(std::move(message.text));
    if (texts_.empty()) return std::nullopt;
    std::string text = std::move(texts_.front());
    texts_.pop_front();
    return text;
  }
  std::string wait_for_next() {
    while (true) {
      if (auto text = next()) return *std::move(text);
      std::this_thread::sleep_for(kIdlePoll);
    }
  }

 private:
  ProcessMessages& messages_;
  std::deque<std::string> texts_;
};

std::optional<ServedSweep> planned(const SweepCall& call, const std::function<ServedSweep(const SweepCall&)>& plan,
                                   SweepOffer& offer) {
  try {
    ServedSweep sweep = plan(call);
    offer = {"", plan_checksum_of(sweep.plan.document), sweep.work.workers, sweep.work.memory};
    return sweep;
  } catch (...) {
    offer.refusal = stop_of(std::current_exception()).text;
    return std::nullopt;
  }
}

/// Until rank 0 says that there is no more, or patience has ended.
void make_runs(ProcessMessages& messages, Orders& orders, const ServedSweep& sweep, RunThreads& threads, ServeEnd& end) {
  ServePatience patience(sweep.work);
  while (true) {
    while (const auto order = orders.next()) {
      const std::optional<std::size_t> run = read_message<SweepOrder>(*order).run;
      if (!run) return messages.part();
      threads.start(*run);
    }
    for (const SweepAnswer& answer : threads.ended()) messages.send(0, text_of(answer, sweep.plan.document));
    end.is_interrupted = patience.is_interrupted();
    if (!patience.has_ended()) continue;
    end.has_abandoned = true;
    return;
  }
}

}  // namespace

void serve_sweep(ProcessMessages& messages, const std::function<ServedSweep(const SweepCall&)>& plan,
                 const std::function<void(const ServeEnd&)>& finish) {
  ServeEnd end;
  std::optional<ServedSweep> sweep;
  std::optional<RunThreads> threads;
  try {
    Orders orders(messages);
    const std::optional<SweepCall> call = read_call(orders.wait_for_next());
    if (call) {
      SweepOffer offer;
      sweep = planned(*call, plan, offer);
      messages.send(0, text_of(offer));
    }
    if (sweep) {
      threads.emplace(*sweep);
      make_runs(messages, orders, *sweep, *threads, end);
    } else {
      messages.part();
    }
  } catch (const std::exception& error) {
    end.failure = error.what();
    end.has_abandoned = threads && threads->under_way() > 0;
  }
  finish(end);
}

}  // namespace heddle
