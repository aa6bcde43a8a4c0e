// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/windows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/lattice.hpp"

namespace heddle::plans {

namespace {

Window common(const Window& a, const Window& b) {
  const int first = std::max(a.first, b.first);
  return {first, std::max(0, std::min(a.end(), b.end()) - first)};
}

/// The place as the other of two ranks counts it; the same function leads back if they count in opposite ways.
Window as_peer_counts(const Window& window, int peer, bool mirrored) {
  if (mirrored) return {peer - (window.end() - 1), window.count};
  return {window.first - peer, window.count};
}

/// Where the window is in the list; it is added if it is new.
int index_of(const Window& window, std::vector<Window>& list) {
  const auto index = std::find(list.begin(), list.end(), window) - list.begin();
  if (index == std::ssize(list)) list.push_back(window);
  return static_cast<int>(index);
}

Window grown(const Window& window, const std::vector<WindowPart>& parts, bool mirrored) {
  Window all = window;
  int places = window.count;
  for (const WindowPart& part : parts) {
    const Window sent = as_peer_counts(part.gotten, part.peer, mirrored);
    if (part.gotten.count < 1 || common(sent, window) != sent)
      throw std::logic_error(fmt::format("windows: the peer at {} has no sum of {} places from {} on", part.peer,
                                         part.gotten.count, part.gotten.first));
    const int first = std::min(all.first, part.gotten.first);
    all = {first, std::max(all.end(), part.gotten.end()) - first};
    places += part.gotten.count;
    for (const WindowPart& other : parts) {
      if (&other != &part && common(other.gotten, part.gotten).count > 0)
        throw std::logic_error(fmt::format("windows: place {} comes twice", common(other.gotten, part.gotten).first));
    }
    if (common(part.gotten, window).count > 0) throw std::logic_error("windows: a place comes that is there already");
  }
  if (places != all.count) throw std::logic_error("windows: parts leave a gap");
  return all;
}

}  // namespace

WindowPlan::WindowPlan(const std::vector<std::vector<WindowPart>>& steps, bool mirrored)
    : mirrored_(mirrored), steps_(steps.size()) {
  std::vector<Window> windows{{0, 1}};
  for (const std::vector<WindowPart>& parts : steps) windows.push_back(grown(windows.back(), parts, mirrored));
  ranks_ = windows.back().count;

  std::vector<Window> wanted{windows.back()};
  for (std::size_t step = steps.size(); step-- > 0;) {
    const Window& window = windows[step];
    std::vector<Window> kept{window};
    Step& now = steps_[step];
    for (const WindowPart& part : steps[step]) now.messages.push_back({part.peer, {}});
    for (const Window& run : wanted) {
      Sum sum{run, -1, {}};
      const Window own = common(run, window);
      if (own.count > 0) sum.own = index_of(own, kept);
      for (std::size_t i = 0; i < steps[step].size(); ++i) {
        const WindowPart& part = steps[step][i];
        const Window gotten = common(run, part.gotten);
        if (gotten.count == 0) continue;
        const int sent = index_of(as_peer_counts(gotten, part.peer, mirrored), kept);
        std::vector<int>& sums = now.messages[i].sums;
        auto found = std::find(sums.begin(), sums.end(), sent);
        if (found == sums.end()) found = sums.insert(found, sent);
        sum.received.push_back({static_cast<int>(i), static_cast<int>(found - sums.begin())});
      }
      now.sums.push_back(std::move(sum));
    }
    wanted = std::move(kept);
  }
}

int WindowPlan::vectors(int step) const {
  int sent = 0;
  for (const Message& message : steps_[at(step)].messages) sent += static_cast<int>(message.sums.size());
  return sent;
}

int WindowPlan::vectors() const {
  int sent = 0;
  for (int step = 0; step < static_cast<int>(steps_.size()); ++step) sent += vectors(step);
  return sent;
}

namespace {

/// Vectors as long as the whole, made when they are first needed.
class Scratch {
 public:
  explicit Scratch(VectorView like) : like_(like) {}

  VectorView take() {
    if (free_.empty()) {
      buffers_.emplace_back(like_.type(), like_.count());
      return buffers_.back().view();
    }
    const VectorView view = free_.back();
    free_.pop_back();
    return view;
  }
  void give_back(VectorView view) { free_.push_back(view); }

 private:
  VectorView like_;
  std::vector<VectorView> free_;
  std::vector<Buffer> buffers_;
};

using Vectors = std::vector<VectorView>;

/// What the messages of a step bring, by message and part.
std::vector<Vectors> exchange(Communicator& comm, const WindowPlan& plan, const WindowPlan::Step& step, const Vectors& sums,
                              Scratch& scratch, const std::function<Rank(int place)>& rank_at) {
  std::vector<Vectors> incoming;
  std::vector<Request> requests;
  for (const WindowPlan::Message& message : step.messages) {
    Vectors& parts = incoming.emplace_back();
    for (std::size_t i = 0; i < message.sums.size(); ++i) parts.push_back(scratch.take());
    requests.push_back(comm.irecv(rank_at(message.peer), parts));
  }
  for (const WindowPlan::Message& message : step.messages) {
    std::vector<ConstVectorView> parts;
    for (const int sum : message.sums) parts.emplace_back(sums[at(sum)]);
    requests.push_back(comm.isend(rank_at(plan.mirrored() ? message.peer : -message.peer), parts));
  }
  comm.wait_all(requests);
  return incoming;
}

/// The sums after a step. The first to be made of a sum before the step takes its place, after the others have copied it; so
/// the whole window's stays where it is.
Vectors added(Communicator& comm, const WindowPlan::Step& step, const Vectors& sums, const std::vector<Vectors>& incoming,
              Scratch& scratch, const ReduceOp& op) {
  Vectors after(step.sums.size());
  std::vector<bool> has_stayed(sums.size());
  for (std::size_t i = step.sums.size(); i-- > 0;) {
    const WindowPlan::Sum& sum = step.sums[i];
    const auto arrived = [&](const WindowPlan::Received& received) {
      return incoming[at(received.message)][at(received.part)];
    };
    const bool stays = sum.own >= 0 && std::none_of(step.sums.begin(), step.sums.begin() + static_cast<std::ptrdiff_t>(i),
                                                    [&](const WindowPlan::Sum& s) { return s.own == sum.own; });
    std::size_t next = 0;
    if (stays) {
      after[i] = sums[at(sum.own)];
      has_stayed[at(sum.own)] = true;
    } else {
      after[i] = scratch.take();
      comm.copy(after[i], sum.own >= 0 ? sums[at(sum.own)] : arrived(sum.received[next++]));
    }
    for (; next < sum.received.size(); ++next) comm.reduce_into(after[i], arrived(sum.received[next]), op);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!has_stayed[i]) scratch.give_back(sums[i]);
  }
  for (const Vectors& parts : incoming) {
    for (const VectorView& part : parts) scratch.give_back(part);
  }
  return after;
}

}  // namespace

void allreduce_by_windows(Communicator& comm, const WindowPlan& plan, VectorView inout, const ReduceOp& op,
                          const std::function<Rank(int place)>& rank_at) {
  Scratch scratch(inout);
  Vectors sums{inout};
  for (const WindowPlan::Step& step : plan.steps()) {
    const std::vector<Vectors> incoming = exchange(comm, plan, step, sums, scratch, rank_at);
    sums = added(comm, step, sums, incoming, scratch, op);
  }
}

void allreduce_by_windows(Communicator& comm, const std::string& name, const std::function<WindowPlan(int size)>& windows,
                          VectorView inout, const ReduceOp& op) {
  const Lattice lattice(comm.grid(), comm.size());
  on_ports(comm, lattice.dimensions(), inout, [&](int first, Communicator& task, VectorView slice) {
    for (int i = 0; i < lattice.dimensions(); ++i) {
      const int dimension = (first + i) % lattice.dimensions();
      const int size = lattice.size(dimension);
      const auto plan =
          task.shared_plan<WindowPlan>(fmt::format("{}, windows of {}", name, size), [&] { return windows(size); });
      const int mine = lattice.coordinate(task.rank(), dimension);
      allreduce_by_windows(task, *plan, slice, op, [&](int place) {
        return lattice.neighbor(task.rank(), dimension, ((mine + place) % size + size) % size);
      });
    }
  });
}

}  // namespace heddle::plans
