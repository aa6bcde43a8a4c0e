// SPDX-License-Identifier: Apache-2.0
// Probes, and requests that are looked at, cancelled and freed. Speeds: B = 1 byte/ns, α = 1 us, 400 ns a link: 4 bytes arrive at
// 1,404 ns.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/must.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

Request receive_taken(Communicator& comm, const TakenMessage& message, Numbers& into) {
  const VectorView view(into);
  return comm.imrecv(message, std::span(&view, 1), {});
}

Request send_labelled(Communicator& comm, int dest, const Numbers& values, Tag tag, std::uint64_t label) {
  const ConstVectorView view(values);
  return comm.isend(Rank(dest), std::span(&view, 1), tag, SendOptions{.label = label});
}

}  // namespace

TEST_CASE("probe: blocks until the message is there, and leaves it there") {
  Time found_at;
  Status found, received;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const Numbers values = {7};
          comm.wait(send_labelled(comm, 1, values, Tag(3), 9));
        } else {
          found = comm.probe(Rank(0), Tag(3));
          found_at = comm.now();
          Numbers into(1);
          received = comm.recv(Rank(0), into, Tag(3));
          must(into == Numbers{7}, "what was probed for is received");
        }
      },
      on(each_kind_of_threads()));
  CHECK(found_at == 1404_ns);
  for (const Status& status : {found, received}) {
    CHECK(status.peer == Rank(0));
    CHECK(status.tag == Tag(3));
    CHECK(status.count == 1);
    CHECK(status.label == 9);
  }
}

TEST_CASE("iprobe: sees a message from the timestamp at which it is there, and takes no memory") {
  std::vector<bool> seen;
  run_on(
      fabric_of("ring:3"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(1)) {
          send_numbers(comm, 0, {1, 2}, Tag(5));
        } else if (comm.rank() == Rank(0)) {
          seen.push_back(comm.iprobe(kAnySource, kAnyTag).has_value());
          comm.sleep(1_us);
          seen.push_back(comm.iprobe(kAnySource, kAnyTag).has_value());
          comm.sleep(407_ns);
          seen.push_back(comm.iprobe(kAnySource, kAnyTag).has_value());
          comm.sleep(1_ns);  // 1,408 ns: 8 bytes
          seen.push_back(comm.iprobe(kAnySource, kAnyTag).has_value());
          seen.push_back(comm.iprobe(Rank(2), kAnyTag).has_value());
          seen.push_back(comm.iprobe(Rank(1), Tag(4)).has_value());
          seen.push_back(comm.iprobe(kAnySource, Tag(5)).has_value());
          Numbers into(2);
          comm.recv(Rank(1), into, Tag(5));
          seen.push_back(comm.iprobe(Rank(1), Tag(5)).has_value());
        }
      },
      on(each_kind_of_threads()));
  CHECK(seen == std::vector<bool>{false, false, false, true, false, false, true, false});
}

TEST_CASE("iprobe: lets happen first what its own rank has sent") {
  bool seen = false;
  run_on(
      fabric_of("ring:1"),
      [&](Communicator& comm) {
        const Numbers values = {1};
        Numbers into(1);
        const Request send = comm.isend(Rank(0), values);
        seen = comm.iprobe(Rank(0), {}).has_value();
        comm.wait_all({send, comm.irecv(Rank(0), into)});
      },
      on(each_kind_of_threads()));
  CHECK(seen);
}

TEST_CASE("mprobe: the message that was taken is received by nobody else") {
  Numbers first(1), second(1);
  bool has_more = true;
  std::string again;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const Numbers one = {1}, two = {2};
          comm.wait_all({comm.isend(Rank(1), one), comm.isend(Rank(1), two)});
        } else {
          const TakenMessage taken = comm.mprobe(kAnySource, {});
          comm.recv(Rank(0), second);
          has_more = comm.improbe(Rank(0), {}).has_value();
          comm.wait(receive_taken(comm, taken, first));
          again = refusal_of([&] { comm.wait(receive_taken(comm, taken, first)); });
        }
      },
      on(each_kind_of_threads()));
  CHECK(first == Numbers{1});
  CHECK(second == Numbers{2});
  CHECK_FALSE(has_more);
  CHECK(again == "imrecv() of a message that this task has not taken, or has received already");
}

TEST_CASE("mprobe: a synchronous send goes on once its message is received, not when it is taken") {
  Time sent;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const Numbers values = {1};
          const ConstVectorView view(values);
          comm.wait(comm.isend(Rank(1), std::span(&view, 1), {}, SendOptions{.mode = SendMode::synchronous}));
          sent = comm.now();
        } else {
          const TakenMessage taken = comm.mprobe(Rank(0), {});
          comm.sleep(10_us);
          Numbers into(1);
          comm.wait(receive_taken(comm, taken, into));
        }
      },
      on(each_kind_of_threads()));
  CHECK(sent == 11'004_ns);
}

TEST_CASE("mprobe: a message that was taken and never received is left over") {
  const CheckError error = check_error_of(fabric_of("ring:2"), [](Communicator& comm) {
    if (comm.rank() == Rank(0)) send_numbers(comm, 1, {1}, Tag(2));
    if (comm.rank() == Rank(1)) static_cast<void>(comm.mprobe(Rank(0), Tag(2)));
  });
  CHECK(error.kind() == CheckError::Kind::hygiene);
  CHECK_THAT(error.what(), Catch::Contains("the message of 1 x i32 from rank 0 to rank 1 (tag 2)"));
}

TEST_CASE("probe: a deadlock says what is probed for, and a cycle goes through it") {
  const CheckError error = check_error_of(fabric_of("ring:2"), [](Communicator& comm) {
    if (comm.rank() == Rank(0)) comm.probe(Rank(1), kAnyTag);
    Numbers into(1);
    if (comm.rank() == Rank(1)) comm.recv(Rank(0), into);
  });
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("rank 0 waits for a message from rank 1 (any tag)"));
  CHECK_THAT(error.what(), Catch::Contains("cycle: rank 0 -> 1 -> 0"));
}

TEST_CASE("is_complete: does not end the request") {
  std::vector<bool> complete;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          send_numbers(comm, 1, {1});
        } else {
          Numbers into(1);
          const Request receive = comm.irecv(Rank(0), into);
          complete.push_back(comm.is_complete(receive));
          comm.sleep(1404_ns);
          complete.push_back(comm.is_complete(receive));
          complete.push_back(comm.is_complete(receive));
          comm.wait(receive);
          complete.push_back(refusal_of([&] { static_cast<void>(comm.is_complete(receive)); }).empty());
        }
      },
      on(each_kind_of_threads()));
  CHECK(complete == std::vector<bool>{false, true, true, false});
}

TEST_CASE("wait_any: each request ends once, when it completes") {
  std::vector<std::size_t> order;
  std::vector<Time> at;
  std::string none;
  run_on(
      fabric_of("ring:3"),
      [&](Communicator& comm) {
        if (comm.rank() != Rank(0)) {
          comm.sleep(comm.rank() == Rank(1) ? 20_us : 10_us);
          send_numbers(comm, 0, {1});
        } else {
          Numbers one(1), two(1);
          std::vector<Request> requests = {comm.irecv(Rank(1), one), comm.irecv(Rank(2), two)};
          Status status;
          while (!requests.empty()) {
            order.push_back(comm.wait_any(requests, &status));
            at.push_back(comm.now());
            requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(order.back()));
          }
          must(status.peer == Rank(1), "the status is that of the request that ended");
          none = refusal_of([&] { comm.wait_any(requests); });
        }
      },
      on(each_kind_of_threads()));
  CHECK(order == std::vector<std::size_t>{1, 0});
  CHECK(at == std::vector<Time>{11'404_ns, 21'404_ns});
  CHECK(none == "wait_any() of no requests: it would wait for ever");
}

TEST_CASE("wait_any: of several that have completed, the first in the list; the others can be waited for") {
  std::size_t index = 9;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const Numbers one = {1}, two = {2};
          comm.wait_all({comm.isend(Rank(1), one, Tag(1)), comm.isend(Rank(1), two, Tag(2))});
        } else {
          Numbers one(1), two(1);
          const std::array requests = {comm.irecv(Rank(0), two, Tag(2)), comm.irecv(Rank(0), one, Tag(1))};
          comm.sleep(10_us);
          index = comm.wait_any(requests);
          comm.wait(requests[1]);
          must(one == Numbers{1}, "the other receive is still a request");
        }
      },
      on(each_kind_of_threads()));
  CHECK(index == 0);
}

TEST_CASE("cancel: a receive that is not paired is over, and its memory is as before") {
  std::array<std::vector<bool>, 2> cancelled;
  Numbers memory = {4, 5};
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          Numbers values = {7};
          const Request send = comm.isend(Rank(1), values, Tag(1));
          cancelled[0].push_back(comm.cancel(send));
          comm.wait(send);
        } else {
          const VectorView view(memory);
          const Request never = comm.irecv(Rank(0), view, Tag(9));
          must(memory != Numbers{4, 5}, "an open receive shows poison");
          cancelled[1].push_back(comm.cancel(never));
          must(memory == Numbers{4, 5}, "one that is over shows what was there");
          const Request receive = comm.irecv(Rank(0), view, Tag(1));  // may use the memory again
          comm.sleep(5_us);
          cancelled[1].push_back(comm.cancel(receive));
          comm.wait(receive);
        }
      },
      on(each_kind_of_threads()));
  CHECK(cancelled[0] == std::vector<bool>{false});
  CHECK(cancelled[1] == std::vector<bool>{true, false});
  CHECK(memory == Numbers{7, 5});
}

TEST_CASE("cancel: a send whose message nobody has received is over, and nobody receives it") {
  // α is 1 us and a link takes 400 ns: at 0 s the first message has not left, at 1.2 us it is on its way, at 5 us it is there.
  for (const SendMode mode : {SendMode::standard, SendMode::synchronous}) {
    for (const Time late : {Time(), 1200_ns, 5_us}) {
      bool was_cancelled = false;
      Numbers got(1);
      run_on(
          fabric_of("ring:2"),
          [&](Communicator& comm) {
            if (comm.rank() == Rank(0)) {
              const Numbers withdrawn = {7}, wanted = {8};
              const ConstVectorView first(withdrawn), second(wanted);
              const Request none = comm.isend(Rank(1), std::span(&first, 1), Tag(1), {.mode = mode});
              const Request one = comm.isend(Rank(1), std::span(&second, 1), Tag(1), {.mode = mode});
              if (late > Time()) comm.sleep(late);
              was_cancelled = comm.cancel(none);
              comm.wait(one);
            } else {
              comm.sleep(10_us);
              const VectorView view(got);
              comm.wait(comm.irecv(Rank(0), std::span(&view, 1), kAnyTag, ReceiveOptions{}));
            }
          },
          on(each_kind_of_threads()));
      CHECK(was_cancelled);
      CHECK(got == Numbers{8});
    }
  }
}

TEST_CASE("cancel: receives from any source and of any tag leave, too, and do not take what comes") {
  run_on(
      fabric_of("ring:2"),
      [](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          send_numbers(comm, 1, {3}, Tag(2));
        } else {
          Numbers a(1), b(1), c(1);
          const VectorView of_a(a), of_b(b);
          const Request any = comm.irecv(kAnySource, std::span(&of_a, 1), kAnyTag, ReceiveOptions{});
          const Request tagged = comm.irecv(Rank(0), std::span(&of_b, 1), kAnyTag, ReceiveOptions{});
          must(comm.cancel(any), "from any source");
          must(comm.cancel(tagged), "of any tag");
          comm.recv(Rank(0), c, Tag(2));
          must(c == Numbers{3}, "the message is left for others");
        }
      },
      on(each_kind_of_threads()));
}

TEST_CASE("free_request: completes unseen; its memory is its own until then") {
  std::string refused_use, refused_wait;
  Numbers into(1), later(1);
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const Numbers values = {1}, more = {2};
          comm.free_request(comm.isend(Rank(1), values));
          comm.send(Rank(1), more, Tag(1));
        } else {
          const Request receive = comm.irecv(Rank(0), into);
          comm.free_request(receive);
          refused_wait = refusal_of([&] { comm.wait(receive); });
          const VectorView view(into);
          refused_use = refusal_of([&] { comm.copy(view, later); });
          comm.recv(Rank(0), later, Tag(1));  // behind the first
          comm.copy(later, into);
        }
      },
      on(each_kind_of_threads()));
  CHECK(into == Numbers{1});
  CHECK(later == Numbers{1});
  CHECK(refused_wait == "wait for a request that this task has not posted, or has waited for already");
  CHECK_THAT(refused_use, Catch::Contains("copy writes to the buffer of a receive that is still open"));
}

TEST_CASE("free_request: a send outlives its rank's function, a receive must not") {
  Numbers got(1'000);
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const Numbers values(1'000, 6);
          comm.free_request(comm.isend(Rank(1), values));
        } else {
          comm.recv(Rank(0), got);
        }
      },
      on(each_kind_of_threads()));
  CHECK(got == Numbers(1'000, 6));
  const CheckError error = check_error_of(fabric_of("ring:2"), [&](Communicator& comm) {
    if (comm.rank() == Rank(1)) comm.free_request(comm.irecv(Rank(0), got, Tag(3)));
  });
  CHECK(error.kind() == CheckError::Kind::hygiene);
  CHECK_THAT(error.what(),
             Catch::Contains("rank 1 returned without waiting for 1 of its requests, one of them to receive 1000 x i32"));
}

}  // namespace heddle
