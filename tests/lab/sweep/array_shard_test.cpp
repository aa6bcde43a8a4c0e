// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/shards.hpp"

#include <map>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

using Variables = std::map<std::string, std::string>;

Shard shard_in(const Variables& variables, LauncherRanks launchers = LauncherRanks::are_parts) {
  return shard_of_task(
      [&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
      },
      launchers);
}

std::string refusal_of(const Variables& variables, LauncherRanks launchers = LauncherRanks::are_parts) {
  try {
    return "taken as " + to_string(shard_in(variables, launchers));
  } catch (const InputError& error) {
    return error.what();
  }
}

Variables slurm(const char* id, const char* first, const char* last, const char* step, const char* count) {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_MIN", first},
          {"SLURM_ARRAY_TASK_MAX", last},
          {"SLURM_ARRAY_TASK_STEP", step},
          {"SLURM_ARRAY_TASK_COUNT", count}};
}

Variables sge(const char* id, const char* first, const char* last, const char* step) {
  return {{"SGE_TASK_ID", id}, {"SGE_TASK_FIRST", first}, {"SGE_TASK_LAST", last}, {"SGE_TASK_STEPSIZE", step}};
}

}  // namespace

TEST_CASE("each task of a job array has its part") {
  CHECK(shard_in(slurm("1", "1", "4", "1", "4")) == Shard{1, 4});
  CHECK(shard_in(slurm("0", "0", "7", "1", "8")) == Shard{1, 8});
  CHECK(shard_in(slurm("7", "0", "7", "1", "8")) == Shard{8, 8});
  CHECK(shard_in(slurm("12", "0", "12", "4", "4")) == Shard{4, 4});
  CHECK(shard_in({{"SLURM_ARRAY_TASK_ID", "6"}, {"SLURM_ARRAY_TASK_MIN", "5"}, {"SLURM_ARRAY_TASK_MAX", "6"}}) == Shard{2, 2});
  CHECK(shard_in(sge("3", "1", "7", "2")) == Shard{2, 4});
  CHECK(shard_in(sge("7", "1", "8", "2")) == Shard{4, 4});
}

TEST_CASE("each rank of a launcher has its part, where no job array is there") {
  CHECK(shard_in({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "3"}}) == Shard{1, 3});
  CHECK(shard_in({{"PMI_RANK", "2"}, {"PMI_SIZE", "3"}}) == Shard{3, 3});
  CHECK(shard_in({{"HEDDLE_RANK", "1"}, {"HEDDLE_RANKS", "2"}}) == Shard{2, 2});
  CHECK(shard_in({{"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "6"}}) == Shard{6, 6});
  Variables both = slurm("2", "1", "4", "1", "4");
  both["SLURM_PROCID"] = "0";
  both["SLURM_NTASKS"] = "1";
  CHECK(shard_in(both) == Shard{2, 4});
  CHECK(shard_in(both, LauncherRanks::are_no_parts) == Shard{2, 4});
}

TEST_CASE("what is no array, or one with gaps, is refused in a line") {
  CHECK(refusal_of({}) ==
        "'array': no job array has started this process: none of SLURM_ARRAY_TASK_ID, SGE_TASK_ID, OMPI_COMM_WORLD_RANK, "
        "PMI_RANK, HEDDLE_RANK, SLURM_PROCID is set; give i/n, as 1/4");
  CHECK(refusal_of(sge("undefined", "undefined", "undefined", "undefined")) == refusal_of({}));
  CHECK(refusal_of({{"PMI_RANK", "2"}, {"PMI_SIZE", "3"}}, LauncherRanks::are_no_parts) ==
        "'array': no job array has started this process: none of SLURM_ARRAY_TASK_ID, SGE_TASK_ID is set; give i/n, as 1/4");
  CHECK(refusal_of(slurm("3", "1", "7", "1", "3")) ==
        "SLURM_ARRAY_TASK_COUNT is 3, but from 1 to 7 in steps of 1 are 7; submit an array without gaps");
  CHECK(refusal_of(slurm("4", "1", "7", "2", "4")) == "SLURM_ARRAY_TASK_ID '4': not one from 1 to 7 in steps of 2");
  CHECK(refusal_of(slurm("x", "1", "7", "1", "7")) == "SLURM_ARRAY_TASK_ID 'x': not a number from 0 on");
  CHECK(refusal_of(slurm("1", "1", "7", "0", "7")) == "SLURM_ARRAY_TASK_STEP '0': not a number from 1 on");
  CHECK(refusal_of(slurm("1", "1", "7000000", "1", "7000000")) == "SLURM_ARRAY_TASK_ID: more than 1000000 parts");
  CHECK(refusal_of({{"SGE_TASK_ID", "1"}}) ==
        "SGE_TASK_FIRST is not set, which says where the array begins or ends; give i/n, as 1/4");
  CHECK(refusal_of({{"HEDDLE_RANK", "2"}, {"HEDDLE_RANKS", "2"}}) == "HEDDLE_RANK '2': HEDDLE_RANKS is 2");
}

TEST_CASE("a part's outputs have its number") {
  CHECK(path_of_part("part.json", 3) == "part.3.json");
  CHECK(path_of_part("a.b/part", 12) == "a.b/part.12");
  CHECK(path_of_part("/x/y.tar.csv", 1) == "/x/y.tar.1.csv");
  CHECK(path_of_part("part.json.partial", 3) == "part.3.json.partial");
  CHECK(path_of_part("-", 3) == "-");
}

}  // namespace heddle
