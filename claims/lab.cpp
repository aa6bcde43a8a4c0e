// SPDX-License-Identifier: Apache-2.0
#include "claims/claim.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <cstdint>
#include <iterator>
#include <utility>

#include "emu/engine/parallel_for.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/run_algorithm.hpp"

namespace heddle::claims {

namespace {

std::shared_ptr<const Report> measure(const std::string& arguments) {
  heddle::Outcome outcome = Experiment::parse(arguments).run();
  if (const Failure* failure = outcome.failure())
    throw CheckError(failure->kind, fmt::format("heddle run {}: {}", arguments, failure->explanation));
  return std::make_shared<const Report>(std::get<Report>(std::move(outcome.result)));
}

}  // namespace

const Report& Lab::run(const std::string& arguments) {
  std::promise<std::shared_ptr<const Report>> promise;
  Result result;
  bool is_mine = false;
  {
    const std::lock_guard lock(mutex_);
    Result& known = results_[arguments];
    if (!known.valid()) {
      known = promise.get_future().share();
      is_mine = true;
    }
    result = known;
  }
  if (is_mine) {
    try {
      // Isolated: a thread that waits within a run for the run's own parts must not take up another claim meanwhile, which
      // might ask for this very run.
      promise.set_value(tbb::this_task_arena::isolate([&] { return measure(arguments); }));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }
  return *result.get();
}

double Lab::microseconds(const std::string& arguments) { return static_cast<double>(run(arguments).completion.ps()) / 1e6; }

void Lab::prepare(const std::vector<std::string>& arguments) {
  side_by_side(std::ssize(arguments), [&](std::int64_t i) { run(arguments[static_cast<std::size_t>(i)]); });
}

void Lab::side_by_side(std::int64_t count, const std::function<void(std::int64_t)>& one) {
  tbb::this_task_arena::isolate([&] { emu::parallel_for(count, one); });
}

}  // namespace heddle::claims
