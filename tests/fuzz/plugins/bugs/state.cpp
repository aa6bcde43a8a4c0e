// SPDX-License-Identifier: Apache-2.0
// What one call leaves for the next, or one communicator for another.
#include <algorithm>
#include <atomic>
#include <map>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// The plan is kept by nothing but its name: the first call's count is every call's.
void plan_without_its_count(Communicator& comm, const Args& args) {
  const auto count = comm.shared_plan<std::int64_t>("count", [&] { return args.output.count(); });
  const std::int64_t sent = std::min(*count, args.output.count());
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output.slice(0, sent)); },
      [&] { comm.recv(args.root, args.output.slice(0, sent)); });
}

/// Likewise its root.
void plan_without_its_root(Communicator& comm, const Args& args) {
  const auto root = comm.shared_plan<int>("root", [&] { return args.root.value(); });
  Args planned = args;
  planned.root = Rank(*root);
  if (comm.rank() == planned.root) planned.input = args.output;
  if (comm.rank() == args.root && !args.in_place()) comm.copy(args.output, args.input);
  right_broadcast(comm, planned);
}

/// A communicator has its plan, and the plan its number of calls: the third is the first without its last element.
void third_call_of_a_communicator(Communicator& comm, const Args& args) {
  const auto calls = comm.shared_plan<std::atomic<int>*>(
      "calls", [] { return new std::atomic<int>(0); });  // one for each communicator, for good
  const int call = (*calls)->fetch_add(1) / comm.size();
  right_broadcast(comm, args);
  if (call == 2 && !args.output.empty() && comm.rank() != args.root)
    args.output.data()[args.output.size_bytes() - 1] ^= std::byte{0xff};
}

/// What a rank has allocated for its first call is enough for all, it thinks.
void scratch_of_the_first_call(Communicator& comm, const Args& args) {
  const auto length = comm.shared_plan<std::int64_t>("scratch", [&] { return args.output.count(); });
  Buffer scratch(args.output.type(), *length);
  const std::int64_t count = std::min(*length, args.output.count());
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output); },
      [&] {
        comm.recv(args.root, scratch.view());
        comm.copy(args.output.slice(0, count), scratch.view().slice(0, count));
      });
}

/// The root of the process's first call is remembered for all communicators of as many ranks.
void root_of_the_first_call(Communicator& comm, const Args& args) {
  static std::map<int, int> roots;
  const int first = roots.try_emplace(comm.size(), args.root.value()).first->second;
  right_broadcast(comm, args);
  if (first != args.root.value() && comm.rank().value() == first && !args.output.empty()) args.output.data()[0] ^= std::byte{1};
}

/// Numbers each rank's calls in one place for all ranks, and uses the number for a tag.
void calls_counted_for_all(Communicator& comm, const Args& args) {
  static std::atomic<int> calls = 0;
  const int tag = calls++ / comm.size();
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output, Tag(tag % 2)); },
      [&] { comm.recv(args.root, args.output, Tag(tag % 2)); });
}

/// A sum that is not set back.
void sum_goes_on(Communicator& comm, const Args& args) {
  const auto sums = comm.shared_plan<std::vector<std::int64_t>*>(
      "sums", [&] { return new std::vector<std::int64_t>(static_cast<std::size_t>(comm.size())); });
  std::int64_t& calls = (**sums)[static_cast<std::size_t>(comm.rank().value())];
  right_allreduce(comm, args);
  if (calls++ > 0 && comm.rank() == Rank(0) && !args.output.empty()) {
    Buffer again(args.output.type(), args.output.count());
    comm.copy(again.view(), args.output);
    comm.reduce_into(args.output, again.view(), *args.op);
  }
}

/// Where the output of the first call was, that of each call is received.
void vector_of_the_first_call(Communicator& comm, const Args& args) {
  const auto firsts = comm.shared_plan<std::vector<std::byte*>*>(
      "firsts", [&] { return new std::vector<std::byte*>(static_cast<std::size_t>(comm.size())); });
  std::byte*& first = (**firsts)[static_cast<std::size_t>(comm.rank().value())];
  if (first == nullptr) first = args.output.data();
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output); },
      [&] { comm.recv(args.root, VectorView(first, args.output.count(), args.output.type())); });
}

}  // namespace

void plant_state(Rows& rows) {
  plant(rows, Collective::broadcast, "plan_without_its_count", plan_without_its_count);
  plant(rows, Collective::broadcast, "plan_without_its_root", plan_without_its_root);
  plant(rows, Collective::broadcast, "third_call_of_a_communicator", third_call_of_a_communicator);
  plant(rows, Collective::broadcast, "scratch_of_the_first_call", scratch_of_the_first_call);
  plant(rows, Collective::broadcast, "vector_of_the_first_call", vector_of_the_first_call);
  plant(rows, Collective::broadcast, "root_of_the_first_call", root_of_the_first_call);
  plant(rows, Collective::broadcast, "calls_counted_for_all", calls_counted_for_all);
  plant(rows, Collective::allreduce, "sum_goes_on", sum_goes_on);
}

}  // namespace heddle::testing::bugs
