// SPDX-License-Identifier: Apache-2.0
#include "lab/plugin/schedule_files.hpp"

#include <algorithm>
#include <memory>

#include "schedules/files/msccl.hpp"
#include "schedules/run/compiled_schedule.hpp"
#include "schedules/run/run_schedule.hpp"

namespace heddle {

bool is_schedule_name(std::string_view algorithm) { return algorithm.starts_with(kMscclPrefix); }

std::string schedule_file(std::string_view algorithm) { return std::string(algorithm.substr(kMscclPrefix.size())); }

std::vector<std::string> schedule_names(std::string_view algorithms) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= algorithms.size();) {
    const std::size_t end = std::min(algorithms.find(',', begin), algorithms.size());
    if (const std::string_view name = algorithms.substr(begin, end - begin); is_schedule_name(name)) names.emplace_back(name);
    begin = end + 1;
  }
  return names;
}

std::vector<Algorithm> load_schedules(std::string_view algorithms, std::optional<Collective> collective,
                                      std::span<const Algorithm> known) {
  std::vector<Algorithm> rows;
  for (const std::string& name : schedule_names(algorithms)) {
    if (std::ranges::find(known, name, &Algorithm::name) != known.end()) continue;
    auto schedule = std::make_shared<const CompiledSchedule>(read_msccl_file(schedule_file(name), collective));
    rows.push_back(schedule_row(name, std::move(schedule)));
  }
  return rows;
}

}  // namespace heddle
