// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle::net::tcp {

std::shared_ptr<Arrival> Matching::post(const Receive& receive) {
  const auto queues = queues_.try_emplace(receive.route).first;
  auto& arrivals = queues->second.arrivals;
  const auto found = std::ranges::find_if(
      arrivals, [&](const auto& arrival) { return receive.peer == kAnyPeer || receive.peer == arrival->peer; });
  if (found == arrivals.end()) {
    queues->second.receives.push_back(receive);
    return nullptr;
  }
  std::shared_ptr<Arrival> arrival = *found;
  arrivals.erase(found);
  if (arrivals.empty() && queues->second.receives.empty()) queues_.erase(queues);
  arrival->receive = receive;
  return arrival;
}

bool Matching::arrive(const std::shared_ptr<Arrival>& arrival) {
  const auto queues = queues_.try_emplace(arrival->route).first;
  auto& receives = queues->second.receives;
  const auto found = std::ranges::find_if(
      receives, [&](const Receive& receive) { return receive.peer == kAnyPeer || receive.peer == arrival->peer; });
  if (found == receives.end()) {
    queues->second.arrivals.push_back(arrival);
    return false;
  }
  arrival->receive = std::move(*found);
  receives.erase(found);
  if (receives.empty() && queues->second.arrivals.empty()) queues_.erase(queues);
  return true;
}

const Receive* Matching::waiting_for(int peer) const {
  for (const auto& [route, queues] : queues_)
    for (const Receive& receive : queues.receives)
      if (receive.peer == peer) return &receive;
  return nullptr;
}

namespace {

constexpr std::size_t kMostPiecesAtOnce = 1024;

/// Pieces into pieces, as far as the first ones go; the others have room.
void copy_pieces(std::span<const std::span<const std::byte>> from, std::span<const std::span<std::byte>> into) {
  std::size_t offset = 0;
  for (const auto piece : from) {
    const std::byte* source = piece.data();
    for (const auto target : pieces_within(into, offset, piece.size())) {
      std::memcpy(target.data(), source, target.size());
      source += target.size();
    }
    offset += piece.size();
  }
}

Frame message_frame(FrameKind kind, const Send& send, std::size_t payload, std::size_t length) {
  return {
      kind,           send.route.lane, send.route.stream.tag, static_cast<std::uint32_t>(payload), send.route.stream.context,
      send.operation, length};
}

}  // namespace

Traffic::Traffic(int rank, int size, std::size_t credit, FrameCarrier& carrier)
    : rank_(rank), credit_(credit), carrier_(carrier), peers_(index(size)) {}

OperationId Traffic::send(int peer, Route route, SendPieces pieces) {
  Send send = {++latest_, peer, route, {pieces.begin(), pieces.end()}, bytes_in(pieces)};
  if (peer == rank_) {
    send_to_self(std::move(send));
  } else {
    peers_[index(peer)].queue.push_back(std::move(send));
    carrier_.wake(peer);
  }
  return latest_;
}

OperationId Traffic::receive(int peer, Route route, ReceivePieces pieces) {
  const OperationId operation = ++latest_;
  const auto arrival = matching_.post({operation, peer, route, {pieces.begin(), pieces.end()}, bytes_in(pieces)});
  if (arrival) ask_or_deliver(arrival);
  return operation;
}

void Traffic::send_to_self(Send send) {
  auto arrival = std::make_shared<Arrival>();
  arrival->peer = rank_;
  arrival->route = send.route;
  arrival->length = send.length;
  arrival->is_whole = true;
  arrival->own = std::move(send);
  if (matching_.arrive(arrival)) return ask_or_deliver(arrival);
  // As to others: what is short is kept, and what is long waits for its receive.
  Peer& self = peers_[index(rank_)];
  const std::size_t cost = arrival->length + kMessageCost;
  if (arrival->length > kLongestUnasked || self.owed + cost > credit_) return;
  self.owed += cost;
  for (const auto piece : arrival->own->pieces) arrival->bytes.insert(arrival->bytes.end(), piece.begin(), piece.end());
  end_send(*arrival->own);
  arrival->own.reset();
}

/// The arrival has its receive now, and may have come before it.
void Traffic::ask_or_deliver(const std::shared_ptr<Arrival>& arrival) {
  if (arrival->is_announced) {
    Frame answer = {.kind = FrameKind::clear, .id = arrival->id};
    if (refuse_if_too_long(*arrival)) {
      answer.kind = FrameKind::drop;
    } else {
      peers_[index(arrival->peer)].transfers[arrival->id] = {arrival};
    }
    carrier_.carry(arrival->peer, answer);
  } else if (arrival->is_whole) {
    deliver_kept(*arrival);
  }
}

bool Traffic::refuse_if_too_long(const Arrival& arrival) {
  if (arrival.length <= arrival.receive->room) return false;
  misuses_.push_back(fmt::format("rank {}: a message of rank {} with tag {} has {} bytes, its receive room for {}", rank_,
                                 arrival.peer, arrival.route.stream.tag, arrival.length, arrival.receive->room));
  return true;
}

/// It came before its receive.
void Traffic::deliver_kept(const Arrival& arrival) {
  if (!refuse_if_too_long(arrival)) {
    const std::span<const std::byte> bytes = arrival.bytes;
    copy_pieces(arrival.own ? SendPieces(arrival.own->pieces) : SendPieces(&bytes, 1), arrival.receive->pieces);
    end_receive(arrival);
  }
  if (arrival.own) {
    end_send(*arrival.own);
  } else if (arrival.peer == rank_) {
    peers_[index(rank_)].owed -= arrival.length + kMessageCost;
  } else {
    give_back(arrival.peer, arrival.length + kMessageCost);
  }
}

void Traffic::end_receive(const Arrival& arrival) {
  ended(arrival.route.lane).push_back({arrival.receive->operation, arrival.peer, arrival.length});
}

void Traffic::end_send(const Send& send) { ended(send.route.lane).push_back({send.operation, send.peer, send.length}); }

/// Not for each message a frame.
void Traffic::give_back(int peer, std::size_t bytes) {
  Peer& of = peers_[index(peer)];
  of.owed += bytes;
  if (of.owed < credit_ / 4) return;
  carrier_.carry(peer, {.kind = FrameKind::credit, .length = std::exchange(of.owed, 0)});
}

Destination Traffic::destination(int peer, const Frame& frame) {
  Peer& from = peers_[index(peer)];
  if (is_stopped_) return {};
  if (frame.kind == FrameKind::part) {
    const auto transfer = from.transfers.find(frame.id);
    if (transfer == from.transfers.end()) throw FrameError("a part of a message that was not asked for");
    const std::size_t came = transfer->second.came;
    from.coming = transfer->second.arrival;
    if (frame.length != came || frame.payload > from.coming->length - came)
      throw FrameError("a part of a message that does not follow the others");
    return {pieces_within<std::byte>(from.coming->receive->pieces, came, frame.payload)};
  }
  if (frame.kind != FrameKind::message && frame.kind != FrameKind::announce) return {};
  from.coming = std::make_shared<Arrival>();
  from.coming->peer = peer;
  from.coming->route = {frame.lane, {frame.context, frame.tag}};
  from.coming->length = frame.length;
  from.coming->id = frame.id;
  from.coming->is_announced = frame.kind == FrameKind::announce;
  if (!matching_.arrive(from.coming)) return {{}, true};
  if (from.coming->length > from.coming->receive->room) return {};
  return {pieces_within<std::byte>(from.coming->receive->pieces, 0, frame.payload)};
}

void Traffic::take(int peer, const Frame& frame, std::vector<std::byte> kept) {
  Peer& from = peers_[index(peer)];
  if (is_stopped_) return;
  switch (frame.kind) {
    case FrameKind::message: {
      const std::shared_ptr<Arrival> arrival = std::exchange(from.coming, nullptr);
      arrival->is_whole = true;
      arrival->bytes = std::move(kept);
      if (!arrival->receive) return;
      if (!arrival->bytes.empty()) return deliver_kept(*arrival);  // its receive came while it came
      if (!refuse_if_too_long(*arrival)) end_receive(*arrival);
      return give_back(peer, arrival->length + kMessageCost);
    }
    case FrameKind::announce: {
      const std::shared_ptr<Arrival> arrival = std::exchange(from.coming, nullptr);
      if (arrival->receive) ask_or_deliver(arrival);
      return;
    }
    case FrameKind::part: {
      const auto transfer = from.transfers.find(frame.id);
      transfer->second.came += frame.payload;
      const std::shared_ptr<Arrival> arrival = std::exchange(from.coming, nullptr);
      if (transfer->second.came < arrival->length) return;
      end_receive(*arrival);
      from.transfers.erase(transfer);
      return;
    }
    case FrameKind::clear:
    case FrameKind::drop: {
      const auto send = from.announced.find(frame.id);
      if (send == from.announced.end()) throw FrameError("an answer to a message that was not announced");
      if (frame.kind == FrameKind::drop) {
        end_send(send->second);
      } else {
        from.cleared.push_back({std::move(send->second)});
        carrier_.wake(peer);
      }
      from.announced.erase(send);
      return;
    }
    case FrameKind::credit:
      from.credit += frame.length;
      return;
    default:
      throw FrameError(fmt::format("a frame '{}' where none belongs", to_string(frame.kind)));
  }
}

void Traffic::fill(int peer, Batch& batch, std::size_t most) {
  Peer& to = peers_[index(peer)];
  const auto has_room = [&] { return batch.bytes() < most && batch.pieces().size() < kMostPiecesAtOnce; };
  while (!is_stopped_ && !to.queue.empty() && has_room()) fill_from_queue(to, batch);
  while (!is_stopped_ && !to.cleared.empty() && has_room()) fill_part(to, batch, most);
}

void Traffic::fill_from_queue(Peer& peer, Batch& batch) {
  Send send = std::move(peer.queue.front());
  peer.queue.pop_front();
  const std::size_t cost = send.length + kMessageCost;
  if (send.length > kLongestUnasked || peer.credit < cost) {
    batch.add(message_frame(FrameKind::announce, send, 0, send.length));
    peer.announced.emplace(send.operation, std::move(send));
    return;
  }
  peer.credit -= cost;
  batch.add(message_frame(FrameKind::message, send, send.length, send.length));
  for (const auto piece : send.pieces) batch.add(piece);
  batch.add(EndingSend{{send.operation, send.peer, send.length}, send.route.lane});
}

void Traffic::fill_part(Peer& peer, Batch& batch, std::size_t most) {
  Part& part = peer.cleared.front();
  const std::size_t bytes = std::min({part.send.length - part.sent, most, std::size_t{kLongestPart}});
  batch.add(message_frame(FrameKind::part, part.send, bytes, part.sent));
  for (const auto piece : pieces_within<const std::byte>(part.send.pieces, part.sent, bytes)) batch.add(piece);
  part.sent += bytes;
  if (part.sent < part.send.length) return;
  batch.add(EndingSend{{part.send.operation, part.send.peer, part.send.length}, part.send.route.lane});
  peer.cleared.pop_front();
}

void Traffic::written(const Batch& batch) {
  for (const EndingSend& send : batch.ending()) ended(send.lane).push_back(send.completion);
}

std::optional<std::string> Traffic::waits_for(int peer) const {
  const Peer& of = peers_[index(peer)];
  if (const Receive* receive = matching_.waiting_for(peer))
    return fmt::format("a receive with tag {} waits for a message of it", receive->route.stream.tag);
  if (!of.transfers.empty() || of.coming) return "a message of it has come in part";
  if (!of.queue.empty()) return fmt::format("a message to it with tag {} is not sent", of.queue.front().route.stream.tag);
  if (!of.announced.empty())
    return fmt::format("a message to it with tag {} has no receive", of.announced.begin()->second.route.stream.tag);
  if (!of.cleared.empty()) return "a message to it is sent in part";
  return std::nullopt;
}

}  // namespace heddle::net::tcp
