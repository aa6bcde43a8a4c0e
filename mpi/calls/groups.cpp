// SPDX-License-Identifier: Apache-2.0
// Groups (MPI 5.0, §7.3).
#include <span>
#include <vector>

#include <fmt/format.h>

#include "mpi/calls/calls.hpp"
#include "mpi/objects/process.hpp"

namespace heddle::mpi {

namespace {

template <class Body>
int on_group(const char* function, const void* place, const Body& body) {
  return serve(function, place, MPI_COMM_NULL, body);
}

/// Ranks of a group as a call names them: in range, each once.
std::span<const int> ranks_in(Process& process, const Group& group, int count, const int* ranks) {
  if (count < 0) process.refuse(MPI_ERR_ARG, fmt::format("the count of ranks is {}", count));
  process.require_list(ranks, count, "list of ranks");
  const std::span<const int> all(ranks, static_cast<std::size_t>(count));
  std::vector<bool> is_named(static_cast<std::size_t>(group.size()));
  for (const int rank : all) {
    if (rank < 0 || rank >= group.size())
      process.refuse(MPI_ERR_RANK, fmt::format("rank {} of a group of {}", rank, group.size()));
    if (is_named[static_cast<std::size_t>(rank)]) process.refuse(MPI_ERR_RANK, fmt::format("rank {} is named twice", rank));
    is_named[static_cast<std::size_t>(rank)] = true;
  }
  return all;
}

std::vector<int> ranges_in(Process& process, const Group& group, int count, int ranges[][3]) {
  if (count < 0) process.refuse(MPI_ERR_ARG, fmt::format("the count of ranges is {}", count));
  process.require_list(ranges, count, "list of ranges");
  for (int i = 0; i < count; ++i) {
    if (ranges[i][2] == 0) process.refuse(MPI_ERR_ARG, fmt::format("the stride of range {} is 0", i));
  }
  std::vector<int> ranks = ranks_of_ranges(std::span<const int[3]>(ranges, static_cast<std::size_t>(count)));
  ranks_in(process, group, static_cast<int>(ranks.size()), ranks.data());
  return ranks;
}

int group_size(const void* place, MPI_Group group, int* size) {
  return on_group("MPI_Group_size", place, [&](Process& process) { process.given(size, "size") = process.find(group).size(); });
}
int group_rank(const void* place, MPI_Group group, int* rank) {
  return on_group("MPI_Group_rank", place,
                  [&](Process& process) { process.given(rank, "rank") = process.find(group).rank_of(process.rank()); });
}
int group_compare(const void* place, MPI_Group a, MPI_Group b, int* result) {
  return on_group("MPI_Group_compare", place, [&](Process& process) {
    process.given(result, "result") = Group::compare(process.find(a), process.find(b));
  });
}
int group_translate_ranks(const void* place, MPI_Group a, int count, const int* ranks, MPI_Group b, int* translated) {
  return on_group("MPI_Group_translate_ranks", place, [&](Process& process) {
    const Group from = process.find(a);
    const Group to = process.find(b);
    if (count < 0) process.refuse(MPI_ERR_ARG, fmt::format("the count of ranks is {}", count));
    if (count > 0 && (ranks == nullptr || translated == nullptr))
      process.refuse(MPI_ERR_ARG, "a list of ranks is a null pointer");
    for (int i = 0; i < count; ++i) {
      if (ranks[i] == MPI_PROC_NULL) {
        translated[i] = MPI_PROC_NULL;
        continue;
      }
      if (ranks[i] < 0 || ranks[i] >= from.size())
        process.refuse(MPI_ERR_RANK, fmt::format("rank {} of a group of {}", ranks[i], from.size()));
      translated[i] = to.rank_of(from.world_rank(ranks[i]));
    }
  });
}

enum class Combined : std::uint8_t { union_of, intersection, difference };

template <Group (*kCombine)(const Group&, const Group&), Combined kKind>
int combine(const void* place, MPI_Group a, MPI_Group b, MPI_Group* to) {
  constexpr const char* kFunctions[] = {"MPI_Group_union", "MPI_Group_intersection", "MPI_Group_difference"};
  return on_group(kFunctions[static_cast<int>(kKind)], place, [&](Process& process) {
    process.given(to, "group") = process.add(kCombine(process.find(a), process.find(b)));
  });
}

int group_incl(const void* place, MPI_Group group, int count, const int* ranks, MPI_Group* to) {
  return on_group("MPI_Group_incl", place, [&](Process& process) {
    const Group of = process.find(group);
    process.given(to, "group") = process.add(of.including(ranks_in(process, of, count, ranks)));
  });
}
int group_excl(const void* place, MPI_Group group, int count, const int* ranks, MPI_Group* to) {
  return on_group("MPI_Group_excl", place, [&](Process& process) {
    const Group of = process.find(group);
    process.given(to, "group") = process.add(of.excluding(ranks_in(process, of, count, ranks)));
  });
}
int group_range_incl(const void* place, MPI_Group group, int count, int ranges[][3], MPI_Group* to) {
  return on_group("MPI_Group_range_incl", place, [&](Process& process) {
    const Group of = process.find(group);
    process.given(to, "group") = process.add(of.including(ranges_in(process, of, count, ranges)));
  });
}
int group_range_excl(const void* place, MPI_Group group, int count, int ranges[][3], MPI_Group* to) {
  return on_group("MPI_Group_range_excl", place, [&](Process& process) {
    const Group of = process.find(group);
    process.given(to, "group") = process.add(of.excluding(ranges_in(process, of, count, ranges)));
  });
}
int group_free(const void* place, MPI_Group* group) {
  return on_group("MPI_Group_free", place, [&](Process& process) {
    process.find(process.given(group, "group"));
    if (*group != MPI_GROUP_EMPTY) process.groups.take(*group);
    *group = MPI_GROUP_NULL;
  });
}

}  // namespace

void add_group_calls(heddle_mpi_functions& table) {
  table.Group_size = group_size, table.Group_rank = group_rank, table.Group_compare = group_compare;
  table.Group_translate_ranks = group_translate_ranks;
  table.Group_union = combine<Group::unite, Combined::union_of>,
  table.Group_intersection = combine<Group::intersect, Combined::intersection>;
  table.Group_difference = combine<Group::subtract, Combined::difference>;
  table.Group_incl = group_incl, table.Group_excl = group_excl;
  table.Group_range_incl = group_range_incl, table.Group_range_excl = group_range_excl;
  table.Group_free = group_free;
}

}  // namespace heddle::mpi
