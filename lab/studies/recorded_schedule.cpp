// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/schedule_picture.hpp"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "schedules/files/msccl.hpp"
#include "schedules/run/recording.hpp"

namespace heddle {

namespace {

/// The first call of each rank is recorded, and those after it are made as ever.
class Recorder {
 public:
  Recorder(CollectiveFunction run, int ranks)
      : run_(std::move(run)), recording_(ranks), has_called_(static_cast<std::size_t>(ranks), 0), world_(has_called_.size()) {
    std::iota(world_.begin(), world_.end(), 0);
  }

  void call(Communicator& comm, const CollectiveArguments& arguments) {
    const auto rank = static_cast<std::size_t>(comm.rank().value());
    if (std::exchange(has_called_[rank], 1) != 0) return run_(comm, arguments);
    RankRecording& own = recording_.ranks[rank];
    own.input = {arguments.input.data(), arguments.input.size_bytes()};
    own.output = {arguments.output.data(), arguments.output.size_bytes()};
    RecordingCommunicator recorder(comm, own, world_, "", std::make_shared<TaskRecord>());
    run_(recorder, arguments);
  }

  Recording& recording() { return recording_; }

 private:
  CollectiveFunction run_;
  Recording recording_;
  std::vector<char> has_called_;  ///< each rank its own
  std::vector<int> world_;
};

/// Of a multiple of what the algorithm needs, with all of it in memory.
Experiment sized(Experiment what) {
  Experiment trial = what;
  if (!trial.size) trial.size = Bytes(static_cast<std::int64_t>(type_of(what).size()));
  const Setup setup = set_up(trial);
  const Algorithm& algorithm = setup.algorithms.chosen.front();
  std::vector<Shape> shapes = setup.shapes();
  const std::int64_t ranks = setup.ranks();
  const std::int64_t block_count = std::lcm(block_count_of(algorithm, shapes.front()), has_blocks(what.collective) ? ranks : 1);
  const std::int64_t count = std::max(block_count, setup.count - setup.count % block_count);
  what.size = Bytes(count * static_cast<std::int64_t>(type_of(what).size()));
  what.payload.reset();
  return what;
}

RecordedSchedule of_file(const Experiment& experiment, const Setup& setup) {
  return {read_msccl_file(schedule_file(experiment.algorithm), experiment.collective), setup.count,
          static_cast<std::int64_t>(type_of(experiment).size())};
}

}  // namespace

RecordedSchedule record_schedule(const Experiment& experiment) {
  if (!experiment.groups.empty()) throw InputError("--groups: a schedule is one call of all ranks; leave it out");
  if (experiment.collective == Collective::barrier)
    throw InputError("barrier: its messages carry nothing, and a schedule has chunks");
  if (experiment.blocks != "even") throw InputError("--blocks: a schedule has equal blocks; leave it out");
  for (const auto& [flag, text] : {std::pair("--counts", &experiment.counts), std::pair("--skew", &experiment.skew)})
    if (!text->empty()) throw InputError(fmt::format("{}: a schedule has equal blocks; leave it out", flag));
  const Experiment what = sized(experiment);
  const Setup setup = set_up(what);
  Algorithm algorithm = setup.algorithms.chosen.front();
  if (algorithm.needs.in_network)
    throw InputError(fmt::format("'{}': the switches compute it, and a schedule has messages of ranks alone", algorithm.name));
  const auto recorder = std::make_shared<Recorder>(algorithm.run, setup.ranks());
  recorder->recording().element_size = type_of(what).size();
  const bool is_file = is_schedule_name(what.algorithm);
  if (!is_file) algorithm.run = [recorder](Communicator& comm, const CollectiveArguments& call) { recorder->call(comm, call); };
  const Outcome outcome = run_algorithm(setup, algorithm);
  if (const Failure* failure = outcome.failure())
    throw CheckError(failure->kind,
                     fmt::format("'{}' fails, and what is wrong is not written: {}", algorithm.name, failure->explanation));
  if (is_file) return of_file(what, setup);
  const RecordedCall call{algorithm.name, what.collective, setup.count, setup.asked.root, *setup.asked.in_place};
  return {recorded_program(recorder->recording(), call), setup.count, static_cast<std::int64_t>(type_of(what).size())};
}

}  // namespace heddle
