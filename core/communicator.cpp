// SPDX-License-Identifier: Apache-2.0
#include "heddle/communicator.hpp"

#include <array>
#include <memory>
#include <string>

#include "core/argument_checks.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

template <class View>
std::int64_t elements(std::span<const View> pieces) {
  std::int64_t count = 0;
  for (const View& piece : pieces) count += piece.count();
  return count;
}

void reduce_pieces(Communicator& comm, std::span<const VectorView> sums, ConstVectorView incoming, const ReduceOp& op,
                   Side side) {
  // Nearly always: no slice of a slice.
  if (sums.size() == 1) return comm.reduce_into(sums[0], incoming, op, side);
  std::int64_t used = 0;
  for (const VectorView& sum : sums) {
    comm.reduce_into(sum, incoming.slice(used, sum.count()), op, side);
    used += sum.count();
  }
}

}  // namespace

// ---- what not every communicator serves ----

namespace {

[[noreturn]] void refuse_call(const char* call) { throw UsageError(std::string(call) + ": not served by this communicator"); }

}  // namespace

void Communicator::concurrently_shared(int, const std::function<void(int, Communicator&)>&) {
  refuse_call("concurrently_shared");
}

Request Communicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag, const SendOptions& options) {
  if (options.mode != SendMode::standard) refuse_call("isend of another mode than standard");
  return isend(dest, pieces, tag);
}

Request Communicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag, const ReceiveOptions& options) {
  if (tag == kAnyTag) refuse_call("irecv of any tag");
  if (options.takes_longer) refuse_call("irecv that cuts a longer message");
  return irecv(source, pieces, tag);
}

bool Communicator::is_complete(Request) { refuse_call("is_complete"); }
std::size_t Communicator::wait_any(std::span<const Request>, Status*) { refuse_call("wait_any"); }
bool Communicator::cancel(Request) { refuse_call("cancel"); }
void Communicator::free_request(Request) { refuse_call("free_request"); }
std::optional<Status> Communicator::iprobe(Rank, Tag) { refuse_call("iprobe"); }
Status Communicator::probe(Rank, Tag) { refuse_call("probe"); }
std::optional<TakenMessage> Communicator::improbe(Rank, Tag) { refuse_call("improbe"); }
TakenMessage Communicator::mprobe(Rank, Tag) { refuse_call("mprobe"); }
Request Communicator::imrecv(const TakenMessage&, std::span<const VectorView>, const ReceiveOptions&) { refuse_call("imrecv"); }
bool Communicator::doze(const Polling&, Time) { refuse_call("doze"); }
Time Communicator::now() const { refuse_call("now"); }
void Communicator::sleep(Time) { refuse_call("sleep"); }
void Communicator::call_from(const void*) {}
void Communicator::let_describe(const PlaceDescriber*) {}
Request Communicator::start(const std::function<void(Communicator&)>&) { refuse_call("start"); }
std::unique_ptr<Communicator> Communicator::form(std::span<const Rank>, int) { refuse_call("form"); }
void Communicator::leave() { refuse_call("leave"); }

void Communicator::phase(std::string_view) {}

Status Communicator::wait(Request request) {
  Status status;
  wait_all(std::span(&request, 1), std::span(&status, 1));
  return status;
}

Status Communicator::sendrecv(Rank dest, ConstVectorView data, Rank source, VectorView into, Tag tag) {
  return sendrecv(dest, std::span(&data, 1), source, std::span(&into, 1), tag);
}

Status Communicator::sendrecv(Rank dest, std::span<const ConstVectorView> data, Rank source, std::span<const VectorView> into,
                              Tag tag) {
  // The receive first: the peer's message finds its place on arrival.
  const Request receive = irecv(source, into, tag);
  const Request send = isend(dest, data, tag);
  const std::array requests = {receive, send};
  std::array<Status, 2> statuses;
  wait_all(requests, statuses);
  return statuses[0];
}

void Communicator::sendrecv_reduce(Rank dest, std::span<const ConstVectorView> data, Rank source,
                                   std::span<const VectorView> sums, VectorView scratch, const ReduceOp& op, Side side) {
  const std::int64_t count = elements(sums);
  require_reducible(data, sums, count, scratch, memory_names());
  const VectorView incoming = scratch.slice(0, count);
  const Status came = sendrecv(dest, data, source, std::span(&incoming, 1));
  require_whole_message(came.count, count, came.peer);
  reduce_pieces(*this, sums, incoming, op, side);
}

void Communicator::exchange(ExchangePlan& plan) {
  if (!plan.phase().empty()) phase(plan.phase());
  const Reduction& reduction = plan.reduction();
  std::unique_ptr<Buffer> own;
  // Where a message lies until it is combined.
  const auto room_for = [&](std::int64_t count, Datatype type) {
    if (!reduction.scratch.empty()) return reduction.scratch;
    if (!own || own->view().count() < count || own->view().type() != type) own = std::make_unique<Buffer>(type, count);
    return own->view();
  };
  for (int i = 0; i < plan.steps(); ++i) {
    const Exchange step = plan.at(i);
    const std::int64_t given = elements(step.data);
    const std::int64_t gotten = elements(step.into);
    if (reduction.op && gotten > 0) {
      const VectorView scratch = room_for(gotten, step.into[0].type());
      if (given > 0 && !reduction.after_sending) {
        sendrecv_reduce(step.dest, step.data, step.source, step.into, scratch, *reduction.op, step.side);
        continue;
      }
      if (!reduction.after_sending) require_reducible({}, step.into, gotten, scratch, memory_names());
      const VectorView incoming = scratch.slice(0, gotten);
      const Status came =
          given > 0 ? sendrecv(step.dest, step.data, step.source, std::span(&incoming, 1)) : wait(irecv(step.source, incoming));
      require_whole_message(came.count, gotten, came.peer);
      reduce_pieces(*this, step.into, incoming, *reduction.op, step.side);
    } else if (given > 0 && gotten > 0) {
      sendrecv(step.dest, step.data, step.source, step.into);
    } else if (given > 0) {
      wait(isend(step.dest, step.data));
    } else if (gotten > 0) {
      wait(irecv(step.source, step.into));
    }
  }
}

void Communicator::exchange_concurrently(int n, const std::function<ExchangePlans(int, Communicator&)>& plans_of) {
  concurrently(n, [&plans_of](int i, Communicator& task) {
    for (const std::unique_ptr<ExchangePlan>& plan : plans_of(i, task)) task.exchange(*plan);
  });
}

}  // namespace heddle
