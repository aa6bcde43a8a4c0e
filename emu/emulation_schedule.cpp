// SPDX-License-Identifier: Apache-2.0
// A run in another order than the usual one: what is due may be held back until nothing else can happen.
#include "emu/emulation.hpp"
#include "emu/schedule_director.hpp"

namespace heddle::emu {

// What comes after the measured part of a checked run has no points of its own: what goes wrong there in some order does so
// because of the order before.

bool Emulation::holds_back(StrandId id) {
  const StrandState& strand = strands_[id];
  if (in_rehearsal(strand.rank) || !director_->delays_step(strand.rank, strand.number)) return false;
  director_->hold({true, id, engine_->now()});
  return true;
}

void Emulation::comes(MessageId id) {
  Message& message = messages_[id];
  if (crosses_network(message)) {
    const Time later = director_->jitter(message.number, network_->crossing(id).alone_arrived);
    if (later > Time()) {
      message.path.parts.waiting += later;
      message.contention_free += later;
      return ring_at(engine_->now() + later, Ring::arrive, id);
    }
  }
  due(id);
}

void Emulation::due(MessageId id) {
  const Message& message = messages_[id];
  if (crosses_network(message) && director_->delays_arrival(message.source, message.dest))
    director_->hold({false, id, engine_->now()});
  else
    arrive(id);
}

bool Emulation::release() {
  if (!director_->is_holding()) return false;
  const ScheduleDirector::Held held = director_->release();
  const Time waited = engine_->now() - held.since;
  if (held.is_strand) {
    StrandState& strand = strands_[held.id];
    strand.path.parts.waiting += waited;
    strand.contention_free += waited;
    engine_->wake(held.id);
  } else {
    Message& message = messages_[held.id];
    message.path.parts.waiting += waited;
    message.contention_free += waited;
    arrive(held.id);
  }
  return true;
}

std::size_t Emulation::choose(ReceiveId receive, std::size_t messages) {
  const StrandState& strand = strands_[receive.strand()];
  return in_rehearsal(strand.rank) ? 0 : director_->pick(strand.rank, messages);
}

}  // namespace heddle::emu
