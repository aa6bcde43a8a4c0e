// SPDX-License-Identifier: Apache-2.0
// Communicators (MPI 5.0, §7.4 to §7.6): made, compared, freed. Making them takes no virtual time.
#include <initializer_list>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/requests.hpp"
#include "mpi/collectives/work.hpp"
#include "mpi/objects/membership.hpp"

namespace heddle::mpi {

namespace {

MPI_Comm add_or_null(Process& process, CommunicatorPtr made) { return made ? process.add(std::move(made)) : MPI_COMM_NULL; }

/// A communicator of ranks that all know who they are: those of `local`, and of `remote` where it is not empty.
MPI_Comm finish(Process& process, CommunicatorPtr made, const Group& local, const Group& remote, bool local_is_first) {
  const Membership members =
      local_is_first ? process.world().membership(local, remote) : process.world().membership(remote, local);
  set_members(process, *made, members, local_is_first);
  return process.add(std::move(made));
}

// ---- asking ----

int comm_rank(const void* place, MPI_Comm comm, int* rank) {
  return serve("MPI_Comm_rank", place, comm, [&](Process& process) { process.given(rank, "rank") = process.find(comm)->rank; });
}
int comm_size(const void* place, MPI_Comm comm, int* size) {
  return serve("MPI_Comm_size", place, comm,
               [&](Process& process) { process.given(size, "size") = process.find(comm)->local.size(); });
}
int comm_remote_size(const void* place, MPI_Comm comm, int* size) {
  return serve("MPI_Comm_remote_size", place, comm, [&](Process& process) {
    const CommunicatorPtr& on = process.find(comm);
    if (!on->remote) process.refuse(MPI_ERR_COMM, "the communicator has one group alone");
    process.given(size, "size") = on->remote->size();
  });
}
int comm_test_inter(const void* place, MPI_Comm comm, int* flag) {
  return serve("MPI_Comm_test_inter", place, comm,
               [&](Process& process) { process.given(flag, "flag") = process.find(comm)->is_intercommunicator() ? 1 : 0; });
}
int comm_group(const void* place, MPI_Comm comm, MPI_Group* group) {
  return serve("MPI_Comm_group", place, comm,
               [&](Process& process) { process.given(group, "group") = process.add(process.find(comm)->local); });
}
int comm_remote_group(const void* place, MPI_Comm comm, MPI_Group* group) {
  return serve("MPI_Comm_remote_group", place, comm, [&](Process& process) {
    const CommunicatorPtr& on = process.find(comm);
    if (!on->remote) process.refuse(MPI_ERR_COMM, "the communicator has one group alone");
    process.given(group, "group") = process.add(*on->remote);
  });
}

int comm_compare(const void* place, MPI_Comm first, MPI_Comm second, int* result) {
  return serve("MPI_Comm_compare", place, first, [&](Process& process) {
    const CommunicatorPtr a = process.find(first);
    const CommunicatorPtr b = process.find(second);
    process.given(result, "result") = MPI_IDENT;
    if (a == b) return;
    *result = MPI_UNEQUAL;
    if (a->is_intercommunicator() != b->is_intercommunicator()) return;
    const int local = Group::compare(a->local, b->local);
    const int remote = a->remote ? Group::compare(*a->remote, *b->remote) : MPI_IDENT;
    if (local == MPI_UNEQUAL || remote == MPI_UNEQUAL) return;
    *result = local == MPI_IDENT && remote == MPI_IDENT ? MPI_CONGRUENT : MPI_SIMILAR;
  });
}

// ---- making ----

/// What a copy of a communicator has of it; no messages yet, and no number.
std::shared_ptr<CommunicatorObject> copy_of(const CommunicatorObject& on) {
  auto made = std::make_shared<CommunicatorObject>();
  made->local = on.local;
  made->remote = on.remote;
  made->rank = on.rank;
  made->local_is_first = on.local_is_first;
  made->error_handler = on.error_handler;
  made->topology = on.topology;
  return made;
}

/// The copy's handle, once it has the attributes. Where their functions fail, there is no copy.
MPI_Comm add_copy(Process& process, MPI_Comm comm, const CommunicatorObject& on, const CommunicatorPtr& made) {
  process.copy_attributes(comm, on.attributes, made->attributes);
  return process.add(made);
}

/// No hint changes what heddle does.
void ignore_hints(Process& process, MPI_Info info) {
  if (info != MPI_INFO_NULL) process.find(info);
}

MPI_Comm duplicate(Process& process, MPI_Comm comm) {
  const CommunicatorPtr on = process.find(comm);
  compare_calls(process, *on, {});
  const auto id = tell_all<std::uint64_t>(process, *on, {}, [&](const World::Values&) { return process.world().new_id(); });
  const CommunicatorPtr made = copy_of(*on);
  made->messages = on->messages->split(0, on->messages->rank().value());
  made->id = *id;
  return add_copy(process, comm, *on, made);
}

int comm_dup(const void* place, MPI_Comm comm, MPI_Comm* to) {
  return serve("MPI_Comm_dup", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    *to = duplicate(process, comm);
  });
}
int comm_dup_with_info(const void* place, MPI_Comm comm, MPI_Info info, MPI_Comm* to) {
  return serve("MPI_Comm_dup_with_info", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    ignore_hints(process, info);
    *to = duplicate(process, comm);
  });
}

/// The copy is there at once. It may be used when the request is complete: when all ranks have called.
void begin_duplicate(Process& process, MPI_Comm comm, MPI_Comm* to, MPI_Request* to_request) {
  process.given(to, "communicator") = MPI_COMM_NULL;
  process.given(to_request, "request") = MPI_REQUEST_NULL;
  const CommunicatorPtr on = process.find(comm);
  compare_calls(process, *on, {});
  const CommunicatorPtr made = copy_of(*on);
  made->messages = on->messages->form({}, 0);
  made->id = process.world().id_for_copy(on->id, on->copies++);
  *to = add_copy(process, comm, *on, made);
  auto request = std::make_unique<RequestObject>();
  request->kind = RequestObject::Kind::collective;
  request->communicator = on;
  request->is_active = true;
  request->under_way = on->messages->start([](Communicator& over) { static_cast<void>(over.split(-1, 0)); });
  made->is_being_made = true;
  request->finish = [made] { made->is_being_made = false; };
  *to_request = process.add(std::move(request));
}
int comm_idup(const void* place, MPI_Comm comm, MPI_Comm* to, MPI_Request* request) {
  return serve("MPI_Comm_idup", place, comm, [&](Process& process) { begin_duplicate(process, comm, to, request); });
}
int comm_idup_with_info(const void* place, MPI_Comm comm, MPI_Info info, MPI_Comm* to, MPI_Request* request) {
  return serve("MPI_Comm_idup_with_info", place, comm, [&](Process& process) {
    ignore_hints(process, info);
    begin_duplicate(process, comm, to, request);
  });
}

int comm_split(const void* place, MPI_Comm comm, int color, int key, MPI_Comm* to) {
  return serve("MPI_Comm_split", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    if (color < 0 && color != MPI_UNDEFINED)
      process.refuse(MPI_ERR_ARG, fmt::format("the color is {}; colors are 0 and more, or MPI_UNDEFINED", color));
    const CommunicatorPtr on = process.find(comm);
    compare_calls(process, *on, {});
    *to = add_or_null(process, split(process, *on, color == MPI_UNDEFINED ? -1 : color, key));
  });
}

int comm_split_type(const void* place, MPI_Comm comm, int type, int key, MPI_Info, MPI_Comm* to) {
  return serve("MPI_Comm_split_type", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const CommunicatorPtr on = process.find(comm);
    compare_calls(process, *on, {});
    int color = -1;
    if (type == MPI_COMM_TYPE_SHARED)
      color = process.world().settings().shared_tier ? process.world().settings().shared_tier(process.rank()) : 0;
    else if (type != MPI_UNDEFINED && type != MPI_COMM_TYPE_HW_UNGUIDED && type != MPI_COMM_TYPE_HW_GUIDED &&
             type != MPI_COMM_TYPE_RESOURCE_GUIDED)
      process.refuse(MPI_ERR_ARG, fmt::format("the kind of split is {}; heddle knows MPI_COMM_TYPE_SHARED", type));
    *to = add_or_null(process, split(process, *on, color, key));
  });
}

int comm_create(const void* place, MPI_Comm comm, MPI_Group group, MPI_Comm* to) {
  return serve("MPI_Comm_create", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const CommunicatorPtr on = process.find(comm);
    const Group members = process.find(group);
    for (const int member : members.members()) {
      if (on->local.rank_of(member) == MPI_UNDEFINED)
        process.refuse(MPI_ERR_GROUP, fmt::format("rank {} of the world is in the group and not in the communicator", member));
    }
    compare_calls(process, *on, {});
    const int rank = members.rank_of(process.rank());
    // Groups that ranks of one communicator give may differ, if no rank is in two: each is known by its first rank.
    const int color = rank == MPI_UNDEFINED ? -1 : on->is_intercommunicator() ? 0 : members.world_rank(0);
    CommunicatorPtr made = split(process, *on, color, rank == MPI_UNDEFINED ? 0 : rank);
    if (made && Group::compare(made->local, members) != MPI_IDENT)
      process.refuse(MPI_ERR_GROUP, fmt::format("the group is of ranks {} of the world, and of those that name its first rank "
                                                "first, ranks {} are in their own: all ranks of a group name that group",
                                                fmt::join(members.members(), ", "), fmt::join(made->local.members(), ", ")));
    *to = add_or_null(process, std::move(made));
  });
}

int comm_create_group(const void* place, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* to) {
  return serve("MPI_Comm_create_group", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const CommunicatorPtr on = process.find(comm);
    const Group members = process.find(group);
    std::vector<Rank> ranks;
    for (const int member : members.members()) {
      const int rank = on->local.rank_of(member);
      if (rank == MPI_UNDEFINED)
        process.refuse(MPI_ERR_GROUP, fmt::format("rank {} of the world is in the group and not in the communicator", member));
      ranks.push_back(Rank(rank));
    }
    if (members.rank_of(process.rank()) == MPI_UNDEFINED) return;
    *to = finish(process, derived(*on, on->messages->form(ranks, tag)), members, {}, true);
  });
}

int free_communicator(const char* function, const void* place, MPI_Comm* comm) {
  return serve(function, place, comm == nullptr ? MPI_COMM_NULL : *comm, [&](Process& process) {
    if (process.given(comm, "communicator") == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
      process.refuse(MPI_ERR_COMM, "MPI_COMM_WORLD and MPI_COMM_SELF stay");
    const CommunicatorPtr on = process.find(*comm);
    process.delete_attributes(*comm, on->attributes);
    process.communicators.take(std::exchange(*comm, MPI_COMM_NULL));
  });
}
int comm_free(const void* place, MPI_Comm* comm) { return free_communicator("MPI_Comm_free", place, comm); }
/// All ranks are connected for good, and what is under way completes by itself: no more than to free it.
int comm_disconnect(const void* place, MPI_Comm* comm) { return free_communicator("MPI_Comm_disconnect", place, comm); }

// ---- two groups ----

/// The leaders tell each other their groups, by a message on the communicator that they share.
std::vector<int> other_group(Process& process, const CommunicatorPtr& peers, int remote_leader, int tag, const Group& own) {
  static const TypePtr ints = predefined_type(0x209);
  int own_size = own.size();
  int size = 0;
  const auto swap = [&](void* out, int out_count, void* in, int in_count) {
    const auto receive = make_message(RequestObject::Kind::receive, {peers, in, in_count, ints, remote_leader, tag});
    const auto send = make_message(RequestObject::Kind::send, {peers, out, out_count, ints, remote_leader, tag});
    post(process, *receive);
    post(process, *send);
    finish(process, *send);
    finish(process, *receive);
  };
  swap(&own_size, 1, &size, 1);
  std::vector<int> other(static_cast<std::size_t>(size));
  std::vector<int> mine(own.members().begin(), own.members().end());
  swap(mine.data(), own_size, other.data(), size);
  return other;
}

/// For messages among the members of these groups, one group behind the other.
std::shared_ptr<Communicator> formed_of(Process& process, std::initializer_list<const Group*> groups, int key) {
  std::vector<Rank> ranks;
  for (const Group* const group : groups) {
    for (const int member : group->members()) ranks.push_back(Rank(member));
  }
  return process.communicator().form(ranks, key);
}

/// A communicator of both groups of world ranks, which `key` tells apart from others of the same ranks.
MPI_Comm joined(Process& process, const CommunicatorObject& from, const Group& own, const Group& other, int key) {
  const bool is_first = own.world_rank(0) < other.world_rank(0);
  const auto both = is_first ? formed_of(process, {&own, &other}, key) : formed_of(process, {&other, &own}, key);
  return finish(process, derived(from, both), own, other, is_first);
}

int intercomm_create(const void* place, MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag,
                     MPI_Comm* to) {
  return serve("MPI_Intercomm_create", place, local, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const CommunicatorPtr on = process.find(local);
    if (on->is_intercommunicator()) process.refuse(MPI_ERR_COMM, "the local communicator has two groups already");
    if (local_leader < 0 || local_leader >= on->local.size())
      process.refuse(MPI_ERR_RANK,
                     fmt::format("the local leader is {}, in a communicator of {} ranks", local_leader, on->local.size()));
    compare_calls(process, *on, {.root = local_leader});
    std::vector<int> other;
    if (on->rank == local_leader) {
      const CommunicatorPtr peers = process.find(peer);
      if (remote_leader < 0 || remote_leader >= peers->peers().size())
        process.refuse(MPI_ERR_RANK, fmt::format("the remote leader is {}, in a communicator of {} ranks", remote_leader,
                                                 peers->peers().size()));
      other = other_group(process, peers, remote_leader, tag, on->local);
    }
    const auto told = tell_all<Group>(process, *on, std::move(other), [&](const World::Values& values) {
      return Group(values[static_cast<std::size_t>(local_leader)]);
    });
    for (const int member : told->members()) {
      if (on->local.rank_of(member) != MPI_UNDEFINED)
        process.refuse(MPI_ERR_COMM, fmt::format("rank {} of the world would be in both groups", member));
    }
    *to = joined(process, *on, on->local, *told, tag);
  });
}

// ---- from groups, without a communicator (MPI 5.0, §7.4.2 and §7.6.2) ----

void require_self(Process& process, const Group& group) {
  if (group.rank_of(process.rank()) == MPI_UNDEFINED) process.refuse(MPI_ERR_GROUP, "the calling rank is not in the group");
}
int number_of_tag(Process& process, const char* tag) {
  process.require(tag, "tag");
  return process.world().number_for_tag(tag);
}

int comm_create_from_group(const void* place, MPI_Group group, const char* tag, MPI_Info info, MPI_Errhandler handler,
                           MPI_Comm* to) {
  return serve("MPI_Comm_create_from_group", place, MPI_COMM_NULL, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const Group members = process.find(group);
    if (members.size() == 0) return;
    CommunicatorObject like{.messages = {}, .local = members};
    like.error_handler = process.find(handler);
    ignore_hints(process, info);
    const int key = number_of_tag(process, tag);
    require_self(process, members);
    const CommunicatorPtr made = derived(like, formed_of(process, {&members}, key));
    *to = finish(process, made, members, {}, true);
  });
}

int intercomm_create_from_groups(const void* place, MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                 int remote_leader, const char* tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm* to) {
  return serve("MPI_Intercomm_create_from_groups", place, MPI_COMM_NULL, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const Group local = process.find(local_group);
    if (local.size() == 0) return;
    if (local_leader < 0 || local_leader >= local.size())
      process.refuse(MPI_ERR_RANK, fmt::format("the local leader is {}, in a group of {} ranks", local_leader, local.size()));
    require_self(process, local);
    std::vector<int> other;
    if (local.rank_of(process.rank()) == local_leader) {
      const Group& remote = process.find(remote_group);
      if (remote_leader < 0 || remote_leader >= remote.size())
        process.refuse(MPI_ERR_RANK,
                       fmt::format("the remote leader is {}, in a group of {} ranks", remote_leader, remote.size()));
      other.assign(remote.members().begin(), remote.members().end());
      for (const int member : other) {
        if (local.rank_of(member) != MPI_UNDEFINED)
          process.refuse(MPI_ERR_GROUP, fmt::format("rank {} of the world would be in both groups", member));
      }
    }
    ignore_hints(process, info);
    const int key = number_of_tag(process, tag);
    // The leader alone knows the other group: it tells its own.
    CommunicatorObject within{.messages = formed_of(process, {&local}, key), .local = local};
    within.error_handler = process.find(handler);
    within.id = process.world().membership(local, {}).id;
    const auto told = tell_all<Group>(process, within, std::move(other), [&](const World::Values& values) {
      return Group(values[static_cast<std::size_t>(local_leader)]);
    });
    *to = joined(process, within, local, *told, key);
  });
}

int intercomm_merge(const void* place, MPI_Comm comm, int high, MPI_Comm* to) {
  return serve("MPI_Intercomm_merge", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const CommunicatorPtr on = process.find(comm);
    if (!on->remote) process.refuse(MPI_ERR_COMM, "the communicator has one group alone");
    compare_calls(process, *on, {.arguments = high != 0 ? "high" : "low"});
    const Group& first = on->local_is_first ? on->local : *on->remote;
    const Group& last = on->local_is_first ? *on->remote : on->local;
    const auto all = tell_all<Membership>(process, *on, {high}, [&](const World::Values& told) {
      const int first_high = told.front()[0];
      const int last_high = told.back()[0];
      // Of groups that say the same, either may be first.
      const bool keeps_order = (first_high != 0) == (last_high != 0) || first_high == 0;
      return Membership{process.world().new_id(), keeps_order ? Group::unite(first, last) : Group::unite(last, first)};
    });
    CommunicatorPtr made = derived(*on, on->messages->split(0, all->first.rank_of(process.rank())));
    set_members(process, *made, *all, true);
    *to = process.add(std::move(made));
  });
}

// ---- hints: a communicator has those that are not ignored (MPI 5.0, §7.4.4), which is none ----

int comm_set_info(const void* place, MPI_Comm comm, MPI_Info info) {
  return serve("MPI_Comm_set_info", place, comm, [&](Process& process) {
    process.find(comm);
    ignore_hints(process, info);
  });
}
int comm_get_info(const void* place, MPI_Comm comm, MPI_Info* info) {
  return serve("MPI_Comm_get_info", place, comm, [&](Process& process) {
    process.find(comm);
    process.given(info, "info") = process.infos.add(std::make_unique<InfoObject>());
  });
}

}  // namespace

void add_communicator_calls(heddle_mpi_functions& table) {
  table.Comm_rank = comm_rank, table.Comm_size = comm_size, table.Comm_remote_size = comm_remote_size;
  table.Comm_test_inter = comm_test_inter, table.Comm_group = comm_group, table.Comm_remote_group = comm_remote_group;
  table.Comm_compare = comm_compare;
  table.Comm_dup = comm_dup, table.Comm_dup_with_info = comm_dup_with_info;
  table.Comm_idup = comm_idup, table.Comm_idup_with_info = comm_idup_with_info;
  table.Comm_split = comm_split, table.Comm_split_type = comm_split_type;
  table.Comm_create = comm_create, table.Comm_create_group = comm_create_group, table.Comm_free = comm_free;
  table.Comm_disconnect = comm_disconnect;
  table.Intercomm_create = intercomm_create, table.Intercomm_merge = intercomm_merge;
  table.Comm_create_from_group = comm_create_from_group;
  table.Intercomm_create_from_groups = intercomm_create_from_groups;
  table.Comm_set_info = comm_set_info, table.Comm_get_info = comm_get_info;
}

}  // namespace heddle::mpi
