// SPDX-License-Identifier: Apache-2.0
#include "topo/jobs/recorded_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/nearest_name.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

/// What is before the separator; both leave `rest`.
std::string_view take(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return part;
}

int number_in_file(std::string_view text) {
  const std::optional<int> number = read_number<int>(text);
  if (!number) throw std::logic_error(fmt::format("jobs.csv: '{}' is not a number", text));
  return *number;
}

RecordedJob read_job(std::string_view line) {
  RecordedJob job;
  job.system = take(line, ',');
  job.name = take(line, ',');
  job.nodes = number_in_file(take(line, ','));
  job.groups = number_in_file(take(line, ','));
  while (!line.empty()) {
    const int group = number_in_file(take(line, 'x'));
    job.runs.push_back({group, number_in_file(take(line, ' '))});
  }
  return job;
}

std::vector<RecordedJob> read_jobs() {
  std::vector<RecordedJob> jobs;
  for (std::string_view lines : job_lines())
    while (!lines.empty()) jobs.push_back(read_job(take(lines, '\n')));
  return jobs;
}

void require_system(std::string_view system) {
  if (std::ranges::find(recorded_systems(), system) == recorded_systems().end())
    throw InputError(unknown_name_message("system of recorded jobs", system, recorded_systems()));
}

JobSelection::Range read_range(std::string_view text, std::string_view option) {
  std::string_view rest = option;
  const std::string_view name = take(rest, '=');
  const std::string_view first = take(rest, '-');
  const std::optional<int> least = read_number<int>(first);
  const std::optional<int> most = rest.empty() ? least : read_number<int>(rest);
  if (!least || !most || *least < 0 || *least > *most)
    throw InputError(fmt::format("jobs '{}': '{}' is not a range; try {}=3-20", text, option, name));
  return {*least, *most};
}

}  // namespace

std::span<const std::string_view> recorded_systems() {
  static constexpr std::array<std::string_view, 2> kSystems = {"leonardo", "lumi"};
  return kSystems;
}

const std::vector<RecordedJob>& recorded_jobs() {
  static const std::vector<RecordedJob> jobs = read_jobs();
  return jobs;
}

const RecordedJob& find_recorded_job(std::string_view text) {
  std::string_view name = text;
  const std::string_view system = take(name, '/');
  require_system(system);
  std::vector<std::string_view> names;
  for (const RecordedJob& job : recorded_jobs()) {
    if (job.system != system) continue;
    if (job.name == name) return job;
    names.push_back(job.name);
  }
  const std::string_view nearest = nearest_name(name, names);
  throw InputError(fmt::format("none of the {} recorded jobs of {} is '{}'; try {}/{}", names.size(), system, name, system,
                               nearest.empty() ? names.front() : nearest));
}

std::vector<int> groups_of_ranks(const RecordedJob& job) {
  std::vector<int> groups;
  for (const RecordedJob::Run& run : job.runs) groups.insert(groups.end(), static_cast<std::size_t>(run.nodes), run.group);
  return groups;
}

JobSelection parse_job_selection(std::string_view text) {
  std::string_view rest = text;
  JobSelection selection;
  selection.system = take(rest, ',');
  require_system(selection.system);
  while (!rest.empty()) {
    const std::string_view option = take(rest, ',');
    if (option.starts_with("groups=")) {
      selection.groups = read_range(text, option);
    } else if (option.starts_with("on=")) {
      selection.on = read_range(text, option);
    } else {
      throw InputError(
          fmt::format("jobs '{}': '{}' is unknown; try groups=3-20 (how many) or on=100-123 (which)", text, option));
    }
  }
  return selection;
}

bool is_selected(const RecordedJob& job, const JobSelection& selection) {
  const auto is_in = [](int number, const JobSelection::Range& range) { return range.least <= number && number <= range.most; };
  if (job.system != selection.system || (selection.groups && !is_in(job.groups, *selection.groups))) return false;
  return !selection.on ||
         std::ranges::all_of(job.runs, [&](const RecordedJob::Run& run) { return is_in(run.group, *selection.on); });
}

}  // namespace heddle
