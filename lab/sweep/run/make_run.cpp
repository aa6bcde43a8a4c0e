// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/run/make_run.hpp"

#include <new>
#include <utility>

#include "core/errors.hpp"
#include "lab/experiment/run_algorithm.hpp"

namespace heddle {

namespace {

SweepMeasurement measurement_of(const Setup& plan, const Algorithm& algorithm, const Report& report) {
  const Rates rates = rates_of(plan, report);
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
  measured.payload_scale = report.payload_scale;
  measured.scale_assumed = plan.assumes_scale(algorithm, report.payload_scale);
  if (report.switch_precision) measured.switch_precision = to_string(*report.switch_precision);
  measured.idle_faults = report.idle_faults;
  measured.idle_reasons = report.idle_reasons;
  measured.faults_gone_round = report.faults_gone_round;
  return measured;
}

}  // namespace

SweepResult make_run(const PlannedRun& run, const std::function<Outcome(const Setup&, const Algorithm&)>& function,
                     SweepResult planned) {
  const Algorithm& algorithm = run.plan->algorithms.chosen[run.algorithm];
  const Outcome outcome = function(*run.plan, algorithm);
  planned.remark = remark_on(*run.plan, algorithm);
  if (const Report* report = outcome.report()) planned.measured = measurement_of(*run.plan, algorithm, *report);
  if (outcome.worst_link && planned.measured) planned.measured->worst_link = outcome.worst_link->text;
  if (const Failure* failure = outcome.failure()) planned.failure = *failure;
  return planned;
}

SweepStop stop_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return {"out of memory; a smaller --memory or --jobs runs fewer at once, a smaller --payload needs less", true};
  } catch (const InputError& error) {
    return {error.what(), true};
  } catch (const std::exception& error) {
    return {error.what(), false};
  }
}

}  // namespace heddle
