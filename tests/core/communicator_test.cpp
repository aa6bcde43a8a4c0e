// SPDX-License-Identifier: Apache-2.0
#include "heddle/communicator.hpp"

#include <map>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

/// Rank 1 of 4: writes down what reaches the virtual members, and completes everything at once.
class Recorder : public Communicator {
 public:
  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;

  std::vector<std::string> calls;

  Rank rank() const override { return Rank(1); }
  int size() const override { return 4; }

  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override {
    return request("isend to", dest, pieces.size(), total(pieces), tag);
  }
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override {
    return request("irecv from", source, pieces.size(), total(pieces), tag);
  }
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override {
    std::string call = "wait";
    for (const Request request : requests) call += " " + std::to_string(request.id());
    calls.push_back(call);
    for (std::size_t i = 0; i < statuses.size(); ++i) statuses[i] = requested_.at(requests[i].id() - 1);
  }

  void concurrently(int n, const std::function<void(int, Communicator&)>& body) override {
    for (int i = 0; i < n; ++i) body(i, *this);
  }
  std::unique_ptr<Communicator> split(int, int) override { return nullptr; }
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override {
    calls.push_back("reduce " + std::to_string(from.count()) + " elements");
    op.apply(into, from, side);
  }
  void copy(VectorView, ConstVectorView) override { calls.emplace_back("copy"); }
  const Grid* grid() const override { return nullptr; }
  const Tiers& tiers() const override { return tiers_; }

 protected:
  std::shared_ptr<const void> shared_plan_erased(const std::string& key,
                                                 const std::function<std::shared_ptr<const void>()>& make) override {
    std::shared_ptr<const void>& plan = plans_[key];
    if (!plan) plan = make();
    return plan;
  }

 private:
  template <class View>
  static std::int64_t total(std::span<const View> pieces) {
    std::int64_t count = 0;
    for (const View& piece : pieces) count += piece.count();
    return count;
  }

  Request request(const std::string& what, Rank peer, std::size_t pieces, std::int64_t count, Tag tag) {
    calls.push_back(what + " " + std::to_string(peer.value()) + ", " + std::to_string(pieces) + " pieces, " +
                    std::to_string(count) + " elements, tag " + std::to_string(tag.value()));
    requested_.push_back({peer, tag, count});
    return Request(requested_.size());
  }

  Tiers tiers_;
  std::vector<Status> requested_;
  std::map<std::string, std::shared_ptr<const void>> plans_;
};

using Calls = std::vector<std::string>;

}  // namespace

TEST_CASE("a send is posted and waited for") {
  Recorder recorder;
  const std::vector<float> data(3);
  recorder.send(Rank(2), data, Tag(7));
  CHECK(recorder.calls == Calls{"isend to 2, 1 pieces, 3 elements, tag 7", "wait 1"});
}

TEST_CASE("a receive is posted, waited for, and says what it received") {
  Recorder recorder;
  std::vector<float> into(5);
  const Status status = recorder.recv(Rank(3), into);
  CHECK(recorder.calls == Calls{"irecv from 3, 1 pieces, 5 elements, tag 0", "wait 1"});
  CHECK(status.peer == Rank(3));
  CHECK(status.count == 5);
}

TEST_CASE("sendrecv posts its receive first, waits for both, and says what it received") {
  Recorder recorder;
  const std::vector<float> data(2);
  std::vector<float> into(4);
  Status status;
  SECTION("of one piece each") {
    status = recorder.sendrecv(Rank(0), data, Rank(2), into, Tag(1));
    CHECK(recorder.calls ==
          Calls{"irecv from 2, 1 pieces, 4 elements, tag 1", "isend to 0, 1 pieces, 2 elements, tag 1", "wait 1 2"});
  }
  SECTION("of several pieces") {
    const std::vector<ConstVectorView> gathered = {data, data, data};
    const std::vector<VectorView> scattered = {VectorView(into).slice(0, 1), VectorView(into).slice(1, 3)};
    status = recorder.sendrecv(Rank(0), gathered, Rank(2), scattered, Tag(1));
    CHECK(recorder.calls ==
          Calls{"irecv from 2, 2 pieces, 4 elements, tag 1", "isend to 0, 3 pieces, 6 elements, tag 1", "wait 1 2"});
  }
  CHECK(status.peer == Rank(2));
  CHECK(status.tag == Tag(1));
  CHECK(status.count == 4);
}

TEST_CASE("sendrecv_reduce receives into its scratch, then combines piece by piece") {
  Recorder recorder;
  const std::vector<float> data(2);
  std::vector<float> sums = {1, 2, 3, 4}, scratch = {10, 20, 30, 40};
  const std::vector<ConstVectorView> gathered = {data};
  const std::vector<VectorView> pieces = {VectorView(sums).slice(2, 1), VectorView(sums).slice(0, 2)};
  recorder.sendrecv_reduce(Rank(0), gathered, Rank(2), pieces, scratch, ReduceOp::sum());
  CHECK(recorder.calls == Calls{"irecv from 2, 1 pieces, 3 elements, tag 0", "isend to 0, 1 pieces, 2 elements, tag 0",
                                "wait 1 2", "reduce 1 elements", "reduce 2 elements"});
  CHECK(sums == std::vector<float>{21, 32, 13, 4});
}

TEST_CASE("exchange makes the steps of a schedule one after the other, and leaves out what has no elements") {
  /// Step k sends k elements, and receives three less it.
  class Steps final : public ExchangePlan {
   public:
    Steps(VectorView vector, const Reduction& reduction) : ExchangePlan(4, reduction), vector_(vector) {}
    Exchange at(int step) override {
      sent_ = vector_.slice(3, step);
      into_ = vector_.slice(0, 3 - step);
      return {.dest = Rank(0), .data = std::span(&sent_, 1), .source = Rank(2), .into = std::span(&into_, 1)};
    }

   private:
    VectorView vector_;
    ConstVectorView sent_;
    VectorView into_;
  };
  Recorder recorder;
  std::vector<float> data(6), scratch(3);
  SECTION("received") {
    Steps steps(data, {});
    recorder.exchange(steps);
    CHECK(recorder.calls ==
          Calls{"irecv from 2, 1 pieces, 3 elements, tag 0", "wait 1", "irecv from 2, 1 pieces, 2 elements, tag 0",
                "isend to 0, 1 pieces, 1 elements, tag 0", "wait 2 3", "irecv from 2, 1 pieces, 1 elements, tag 0",
                "isend to 0, 1 pieces, 2 elements, tag 0", "wait 4 5", "isend to 0, 1 pieces, 3 elements, tag 0", "wait 6"});
  }
  SECTION("combined") {
    const ReduceOp sum = ReduceOp::sum();
    Steps steps(data, {.op = &sum, .scratch = scratch});
    SECTION("in the plan's scratch") { recorder.exchange(steps); }
    SECTION("in room that is found") {
      Steps without(data, {.op = &sum});
      recorder.exchange(without);
    }
    SECTION("after sending") {
      Steps late(data, {.op = &sum, .after_sending = true});
      recorder.exchange(late);
    }
    CHECK(recorder.calls == Calls{"irecv from 2, 1 pieces, 3 elements, tag 0", "wait 1", "reduce 3 elements",
                                  "irecv from 2, 1 pieces, 2 elements, tag 0", "isend to 0, 1 pieces, 1 elements, tag 0",
                                  "wait 2 3", "reduce 2 elements", "irecv from 2, 1 pieces, 1 elements, tag 0",
                                  "isend to 0, 1 pieces, 2 elements, tag 0", "wait 4 5", "reduce 1 elements",
                                  "isend to 0, 1 pieces, 3 elements, tag 0", "wait 6"});
  }
}

TEST_CASE("exchange takes a function of the round") {
  Recorder recorder;
  std::vector<float> data(6), scratch(3);
  const VectorView vector = data;
  const auto round_of = [=](int round) { return Round{Rank(0), vector.slice(3, round), Rank(2), vector.slice(0, 1)}; };
  recorder.exchange(2, round_of);
  CHECK(recorder.calls == Calls{"irecv from 2, 1 pieces, 1 elements, tag 0", "wait 1",
                                "irecv from 2, 1 pieces, 1 elements, tag 0", "isend to 0, 1 pieces, 1 elements, tag 0",
                                "wait 2 3"});
  recorder.calls.clear();
  const ReduceOp sum = ReduceOp::sum();
  recorder.exchange(1, {.op = &sum, .scratch = scratch}, round_of);
  CHECK(recorder.calls == Calls{"irecv from 2, 1 pieces, 1 elements, tag 0", "wait 4", "reduce 1 elements"});
}

TEST_CASE("tasks that end with plans exchange them one after the other, each with its phase") {
  class Phases final : public Recorder {
   public:
    void phase(std::string_view name) override { calls.push_back("phase " + std::string(name)); }
  };
  class Step final : public ExchangePlan {
   public:
    Step(VectorView sent, std::string_view phase) : ExchangePlan(1, {}, phase), sent_(sent) {}
    Exchange at(int) override { return {.dest = Rank(2), .data = std::span(&sent_, 1), .source = Rank(0), .into = {}}; }

   private:
    ConstVectorView sent_;
  };
  Phases recorder;
  std::vector<float> data(3);
  recorder.exchange_concurrently(2, [&](int i, Communicator&) {
    ExchangePlans plans;
    for (int n = 1; n <= 2 * i; ++n)
      plans.push_back(std::make_unique<Step>(VectorView(data).slice(0, n), n == 1 ? "first" : ""));
    return plans;
  });
  CHECK(recorder.calls == Calls{"phase first", "isend to 2, 1 pieces, 1 elements, tag 0", "wait 1",
                                "isend to 2, 1 pieces, 2 elements, tag 0", "wait 2"});
}

TEST_CASE("requests are waited for together") {
  Recorder recorder;
  std::vector<float> data(1);
  const Request receive = recorder.irecv(kAnySource, data);
  const Request send = recorder.isend(Rank(0), data);
  recorder.wait_all({send, receive});
  CHECK(recorder.calls.back() == "wait 2 1");
}

TEST_CASE("a plan is made once for a key and a type") {
  Recorder recorder;
  int made = 0;
  const auto plan = [&] {
    return recorder.shared_plan<std::vector<int>>("ring", [&] {
      ++made;
      return std::vector<int>{1, 2, 3};
    });
  };
  const auto first = plan();
  CHECK(*first == std::vector<int>{1, 2, 3});
  CHECK(plan() == first);
  CHECK(made == 1);
  CHECK(*recorder.shared_plan<int>("ring", [] { return 5; }) == 5);
}

TEST_CASE("a communicator that serves plain messages alone takes options that ask for no more, and refuses others") {
  Recorder comm;
  std::vector<std::int32_t> memory(3);
  const ConstVectorView from(memory);
  const VectorView into(memory);
  static_cast<void>(comm.isend(Rank(2), std::span(&from, 1), Tag(5), SendOptions{.label = 7}));
  static_cast<void>(comm.irecv(Rank(0), std::span(&into, 1), Tag(6), ReceiveOptions{.label = 8}));
  comm.call_from(&memory);
  comm.let_describe(nullptr);
  CHECK(comm.calls ==
        std::vector<std::string>{"isend to 2, 1 pieces, 3 elements, tag 5", "irecv from 0, 1 pieces, 3 elements, tag 6"});

  const auto refusal = [](const auto& call) {
    try {
      call();
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal([&] { static_cast<void>(comm.isend(Rank(2), std::span(&from, 1), {}, {.mode = SendMode::buffered})); }) ==
        "isend of another mode than standard: not served by this communicator");
  CHECK(refusal([&] { static_cast<void>(comm.irecv(Rank(0), std::span(&into, 1), kAnyTag, {})); }) ==
        "irecv of any tag: not served by this communicator");
  CHECK(refusal([&] { static_cast<void>(comm.irecv(Rank(0), std::span(&into, 1), {}, {.takes_longer = true})); }) ==
        "irecv that cuts a longer message: not served by this communicator");
  const Request request(1);
  CHECK_FALSE(refusal([&] { static_cast<void>(comm.is_complete(request)); }).empty());
  CHECK_FALSE(refusal([&] { comm.wait_any(std::span(&request, 1)); }).empty());
  CHECK_FALSE(refusal([&] { static_cast<void>(comm.cancel(request)); }).empty());
  CHECK_FALSE(refusal([&] { comm.free_request(request); }).empty());
  CHECK_FALSE(refusal([&] { static_cast<void>(comm.iprobe(Rank(0), {})); }).empty());
  CHECK_FALSE(refusal([&] { static_cast<void>(comm.improbe(Rank(0), {})); }).empty());
  CHECK_FALSE(refusal([&] { comm.doze({}, Time::ps(1)); }).empty());
  CHECK_FALSE(refusal([&] { static_cast<void>(comm.start([](Communicator&) {})); }).empty());
  CHECK_FALSE(refusal([&] { static_cast<void>(comm.form({}, 0)); }).empty());
  CHECK(refusal([&] { comm.leave(); }) == "leave: not served by this communicator");
}

}  // namespace heddle
