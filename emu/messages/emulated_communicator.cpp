// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/emulated_communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/argument_checks.hpp"
#include "emu/messages/exchange_steps.hpp"
#include "emu/messages/payload.hpp"
#include "emu/switches/in_network_call.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

template <class View>
bool is_empty(std::span<const View> pieces) {
  return std::ranges::all_of(pieces, [](const View& piece) { return piece.empty(); });
}

}  // namespace

EmulatedCommunicator::EmulatedCommunicator(Host& host, TaskId task, std::shared_ptr<const Group> group, int rank,
                                           std::uint32_t context)
    : endpoint_{host, task, rank, context, std::move(group)},
      identity_(host.task(task).identity),
      switches_(*this),
      depth_(host.task(task).depth) {}

/// Apart from is_refused: a comparison is all that a right call pays.
bool EmulatedCommunicator::refuse(const char* function) const {
  const std::string text = wrong_caller_text(identity_, calling_task, function);
  if (calling_task != nullptr) throw UsageError(text);
  host().note_misuse(text);
  return true;
}

Request EmulatedCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  if (is_refused("isend")) return {};
  return endpoint_.isend(dest, pieces, tag);
}

Request EmulatedCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  if (is_refused("irecv")) return {};
  return endpoint_.irecv(source, pieces, tag);
}

void EmulatedCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  if (is_refused("wait_all")) return;
  require_places_for_statuses(statuses.size(), requests.size());
  const int receives = endpoint_.begin_wait(requests);
  if (host().task(task()).pending > 0) host().block(task(), TaskState::Blocked::requests);
  endpoint_.end_wait(requests, statuses);
  if (host().costs().charges_overhead())
    host().work(task(), host().costs().recv_overhead() * receives, PendingWork::Kind::overhead);
}

void EmulatedCommunicator::wait_for_room(Rank dest, Tag tag) {
  if (is_refused("wait_for_room")) return;
  if (!host().minds_room()) return require_rank(dest, size(), "wait_for_room of rank");
  const Request request = endpoint_.ask_for_room(dest, tag);
  endpoint_.begin_wait(std::span(&request, 1));
  if (host().task(task()).pending > 0) host().block(task(), TaskState::Blocked::requests);
  endpoint_.end_wait(std::span(&request, 1), {});
}

void EmulatedCommunicator::take_steps(ExchangeSteps& steps) {
  if (steps.look_up()) host().block(task(), TaskState::Blocked::requests);
  steps.rethrow();
}

/// The engine takes the steps, but where a rank's own work takes time.
void EmulatedCommunicator::exchange(ExchangePlan& plan) {
  if (is_refused("exchange")) return;
  if (!host().costs().are_none()) return Communicator::exchange(plan);
  if (!plan.phase().empty()) phase(plan.phase());
  const auto steps = std::make_unique<ExchangeSteps>(endpoint_, plan);
  take_steps(*steps);
}

/// A plan has no tag, and leaves out what is empty.
Status EmulatedCommunicator::sendrecv(Rank dest, std::span<const ConstVectorView> data, Rank source,
                                      std::span<const VectorView> into, Tag tag) {
  const bool is_step = host().costs().are_none() && tag == Tag() && source != kAnySource && !is_empty(data) && !is_empty(into);
  if (!is_step) return Communicator::sendrecv(dest, data, source, into, tag);
  if (is_refused("irecv")) return {};
  OneExchange plan({dest, data, source, into}, {});
  ExchangeSteps steps(endpoint_, plan);
  take_steps(steps);
  return steps.came();
}

void EmulatedCommunicator::sendrecv_reduce(Rank dest, std::span<const ConstVectorView> data, Rank source,
                                           std::span<const VectorView> sums, VectorView scratch, const ReduceOp& op,
                                           Side side) {
  const bool is_step =
      host().costs().are_none() && source != kAnySource && !is_empty(data) && !is_empty(sums) && !scratch.empty();
  if (!is_step) return Communicator::sendrecv_reduce(dest, data, source, sums, scratch, op, side);
  if (is_refused("irecv")) return;
  OneExchange plan({dest, data, source, sums, side}, {&op, scratch});
  ExchangeSteps steps(endpoint_, plan);
  take_steps(steps);
}

void EmulatedCommunicator::measure_concurrently(int n, MessageSpace space,
                                                const std::function<void(int, MeasuredCommunicator&)>& body) {
  if (is_refused("concurrently")) return;
  if (n < 0) throw UsageError(fmt::format("concurrently({}, …): the number of tasks must not be negative", n));
  require_own_messages(host().task(task()).shares_messages, "concurrently()");
  if (n == 0) return;
  const std::uint32_t call = space == MessageSpace::own ? concurrently_calls_++ : 0;
  host().task(task()).operations.emplace_back(std::make_unique<PendingBranches>(
      PendingBranches{n, space, &body, endpoint_.group, endpoint_.rank, depth_, endpoint_.context, call}));
  host().block(task(), TaskState::Blocked::children);
}

/// What a task returns is all that is left of it: its stack serves the next.
void EmulatedCommunicator::exchange_concurrently(int n, const std::function<ExchangePlans(int, Communicator&)>& plans_of) {
  if (!host().may_end_with_steps()) return Communicator::exchange_concurrently(n, plans_of);
  measure_concurrently(n, MessageSpace::own, [&plans_of](int i, MeasuredCommunicator& communicator) {
    ExchangePlans plans = plans_of(i, communicator);
    if (plans.empty()) return;
    const auto& own = static_cast<EmulatedCommunicator&>(communicator);
    own.host().task(own.task()).last = std::make_shared<ExchangeSteps>(own.endpoint_, std::move(plans));
  });
}

std::unique_ptr<MeasuredCommunicator> EmulatedCommunicator::split_measured(int color, int key) {
  if (is_refused("split")) return nullptr;
  const std::optional<Part> part = split_part(color, key);
  if (!part) return nullptr;
  return make_like(part->group, part->rank, part->context);
}

std::unique_ptr<EmulatedCommunicator> EmulatedCommunicator::make_like(std::shared_ptr<const Group> its_group, int rank,
                                                                      std::uint32_t context) {
  auto made = std::make_unique<EmulatedCommunicator>(host(), task(), std::move(its_group), rank, context);
  note_below(*made);
  return made;
}

std::optional<EmulatedCommunicator::Part> EmulatedCommunicator::split_part(int color, int key) {
  TaskState& state = host().task(task());
  require_own_messages(state.shares_messages, "split()");
  state.split_group = nullptr;
  state.operations.emplace_back(
      std::make_unique<SplitCall>(SplitCall{endpoint_.group, endpoint_.rank, endpoint_.context, split_calls_++, color, key}));
  host().block(task(), TaskState::Blocked::split);
  if (!state.split_group) return std::nullopt;
  return Part{std::move(state.split_group), state.split_rank, state.split_context};
}

void EmulatedCommunicator::reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) {
  if (is_refused("reduce_into")) return;
  require_usable("reduce_into", into, from);
  op.apply(into, from, side);
  charge(into.size_bytes());
}

void EmulatedCommunicator::charge(std::size_t bytes) {
  const Time work = host().costs().local_work(bytes);
  if (work > Time()) host().work(task(), work, PendingWork::Kind::local_work);
}

MessageCost EmulatedCommunicator::message_cost() const { return endpoint_.group->message_cost; }

double EmulatedCommunicator::byte_scale() const { return endpoint_.group->byte_scale; }

void EmulatedCommunicator::copy(VectorView into, ConstVectorView from) {
  if (is_refused("copy")) return;
  if (into.data() != from.data()) require_usable("copy", into, from);
  if (const std::size_t copied = copy_vector(into, from, memory_names()); copied > 0) charge(copied);
}

void EmulatedCommunicator::phase(std::string_view name) {
  if (!host().sees_phases() || is_refused("phase")) return;
  host().task(task()).operations.emplace_back(std::make_unique<PendingPhase>(PendingPhase{depth_, std::string(name)}));
}

std::string EmulatedCommunicator::Switches::why_not(Collective collective, Datatype type, std::int64_t count,
                                                    const ReduceOp* op) const {
  return communicator_.endpoint_.group->in_network->why_not(collective, type, count, op,
                                                            communicator_.host().costs().byte_scale());
}

void EmulatedCommunicator::Switches::perform(Collective collective, const CollectiveArguments& arguments) {
  if (communicator_.is_refused("in_network()->perform")) return;
  require_own_messages(communicator_.host().task(communicator_.task()).shares_messages, "in_network()->perform");
  const Datatype type = type_of(collective, arguments);
  const std::int64_t count = whole_count(collective, arguments);
  if (const std::string reason = why_not(collective, type, count, arguments.op); !reason.empty())
    throw UsageError(fmt::format("in-network {}: {}", to_string(collective), reason));
  Host& host = communicator_.host();
  host.task(communicator_.task())
      .operations.emplace_back(std::make_unique<PendingSwitchCall>(
          PendingSwitchCall{communicator_.endpoint_.group, communicator_.endpoint_.rank, communicator_.endpoint_.context,
                            calls_++, collective, &arguments}));
  host.block(communicator_.task(), TaskState::Blocked::in_network);
  if (host.costs().charges_overhead())
    host.work(communicator_.task(), host.costs().recv_overhead(), PendingWork::Kind::overhead);
}

Time EmulatedCommunicator::now() const { return host().now(); }

std::optional<Datatype> EmulatedCommunicator::switch_precision() const { return host().switch_precision(); }

void EmulatedCommunicator::let_watch(BlockingWatch* watch) {
  if (host().costs().is_real_time()) return;
  host().task(task()).watch = watch;
  host().task(task()).unseen = 0;
}

void EmulatedCommunicator::name_memory(const MemoryNames* names) { host().task(task()).names = names; }

void EmulatedCommunicator::require_all_waited_for() { host().require_all_waited_for(task()); }

const MemoryNames* EmulatedCommunicator::memory_names() const { return host().task(task()).names; }

void EmulatedCommunicator::begin_second_call() { host().begin_second_call(task()); }

void EmulatedCommunicator::stop_if_asked() { host().stop_if_asked(task()); }
void EmulatedCommunicator::delay() { host().delay(task()); }

void EmulatedCommunicator::start_line() { host().start_line(task()); }

Time EmulatedCommunicator::finish_line() { return host().finish_line(task()); }

std::shared_ptr<const void> EmulatedCommunicator::shared_plan_erased(const std::string& key,
                                                                     const std::function<std::shared_ptr<const void>()>& make) {
  return host().shared_plan(endpoint_.group->id, key, make);
}

}  // namespace heddle::emu
