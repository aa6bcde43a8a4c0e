// SPDX-License-Identifier: Apache-2.0
#include "claims/bine/bine_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle::claims {

AlgorithmPair tracers_pair() { return {Collective::allreduce, "rabenseifner", "bine_large"}; }

std::map<int, std::vector<JobSaving>> job_savings(const AlgorithmPair& pair, const std::string& selection, int least,
                                                  int most) {
  const Algorithm baseline = find_algorithm(pair.collective, pair.baseline);
  const Algorithm bine = find_algorithm(pair.collective, pair.bine);
  const JobSelection wanted = parse_job_selection(selection);
  std::map<int, std::vector<JobSaving>> savings;
  for (int nodes = least; nodes <= most; nodes *= 2) {
    const std::vector<const RecordedJob*> jobs = selected_jobs(wanted, nodes);
    if (jobs.empty()) continue;
    const std::vector<RankTraffic> usual = count_rank_traffic(baseline, nodes);
    const std::vector<RankTraffic> better = count_rank_traffic(bine, nodes);
    for (const RecordedJob* job : jobs) {
      const std::vector<int> groups = groups_of_ranks(*job);
      const double before = traffic_between_groups(usual, groups);
      if (before > 0) savings[nodes].push_back({job, 1 - traffic_between_groups(better, groups) / before});
    }
  }
  return savings;
}

Quartiles quartiles_of(const std::vector<JobSaving>& savings) {
  std::vector<double> values;
  for (const JobSaving& of : savings) values.push_back(of.saving);
  return heddle::quartiles_of(std::move(values));
}

int count_more(const std::vector<JobSaving>& savings) {
  constexpr double kRounding = 1e-9;  // of sums of thousands of parts
  return static_cast<int>(std::ranges::count_if(savings, [](const JobSaving& of) { return of.saving < -kRounding; }));
}

std::string to_text(const RecordedJob& job) { return fmt::format("{}/{} ({} nodes)", job.system, job.name, job.nodes); }

std::string job_command(const AlgorithmPair& pair, const std::string& selection, int least, int most) {
  return fmt::format("heddle traffic {} --algo {},{} --placement jobs:{} --ranks {}", to_string(pair.collective), pair.baseline,
                     pair.bine, selection, least == most ? fmt::to_string(least) : fmt::format("{}:{}:x2", least, most));
}

double percent_value(double part) { return std::round(1000 * part) / 10 + 0.0; }

std::string quartiles_text(const Quartiles& of) {
  return fmt::format("{:.1f} / {:.1f} / {:.1f} % less", percent_value(of.first), percent_value(of.median),
                     percent_value(of.third));
}

}  // namespace heddle::claims
