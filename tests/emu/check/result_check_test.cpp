// SPDX-License-Identifier: Apache-2.0
#include "emu/check/result_check.hpp"

#include <cstring>
#include <vector>

#include "emu/data/element_text.hpp"
#include "tests/catch.hpp"

namespace heddle::emu {

namespace {

constexpr int kRanks = 6;
constexpr std::int64_t kCount = 40;

/// Two calls of one collective over six ranks, and vectors in which the second one has the right result until a test spoils
/// them.
class Results {
 public:
  explicit Results(Collective collective = Collective::allreduce, bool in_place = true, Datatype type = Datatype::i32())
      : calls_(two_calls(collective, type)), vectors_(calls_, in_place) {
    for (int r = 0; r < kRanks; ++r) {
      vectors_.prepare(Rank(r), calls_[1]);
      put_result(r, output(r), 0);
    }
  }

  VectorView input(int rank) const { return vectors_.views(Rank(rank), layout()).input; }
  /// The result alone, in place too.
  VectorView output(int rank) const {
    const CallVectors::Views views = vectors_.views(Rank(rank), layout());
    const Extent place = layout().output(Rank(rank));
    return views.shared ? views.output.slice(place.first, place.count) : views.output;
  }
  const CallLayout& layout() const { return calls_[1].layout(); }

  /// The right result of a rank from its element `first` on, or that of the call before.
  void put_result(int rank, VectorView into, std::int64_t first, int call = 1) const {
    const TestData data = reduces(layout().collective()) ? TestData(into.type(), ReduceOp::sum(), kRanks, 1, call)
                                                         : TestData(into.type(), kRanks, 1, call);
    const CallLayout& layout = calls_[static_cast<std::size_t>(call)].layout();
    const std::int64_t begin = this->layout().output(Rank(rank)).first + first;
    Buffer contribution(into.type(), 1);
    for (std::int64_t i = 0; i < into.count(); ++i) {
      const VectorView element = into.slice(i, 1);
      const int block = layout.block_at(Rank(rank), begin + i);
      switch (layout.collective()) {
        case Collective::broadcast:
        case Collective::scatter:
          data.fill(element, layout.root(), begin + i);
          break;
        case Collective::allgather:
        case Collective::gather:
          data.fill(element, Rank(block), begin + i);
          break;
        case Collective::alltoall:
          data.fill(element, Rank(block), layout.offset(Rank(block), rank) + begin + i - layout.offset(Rank(rank), block));
          break;
        default:
          data.fill(element, Rank(0), begin + i);
          for (int r = 1; r < kRanks; ++r) {
            data.fill(contribution.view(), Rank(r), begin + i);
            ReduceOp::sum().apply(element, contribution.view());
          }
      }
    }
  }
  void put_contribution(int rank, std::int64_t first, std::int64_t count) const {
    TestData(Datatype::i32(), ReduceOp::sum(), kRanks, 1, 1).fill(output(rank).slice(first, count), Rank(rank), first);
  }
  void spoil(int rank, std::int64_t element) const { output(rank).as<std::int32_t>()[static_cast<std::size_t>(element)] ^= 1; }

  std::string explanation() const {
    std::vector<VectorFailure> failures;
    for (int r = 0; r < kRanks; ++r) {
      if (auto failure = check_vectors(vectors_, Rank(r), nullptr, calls_[1], &calls_[0]))
        failures.push_back(*std::move(failure));
    }
    return failures.empty() ? "" : explain(failures, layout(), vectors_.in_place());
  }

 private:
  static std::vector<ExpectedCall> two_calls(Collective collective, Datatype type) {
    const std::int64_t count = collective == Collective::alltoall ? 42 : kCount;
    std::vector<ExpectedCall> calls;
    for (int c = 0; c < 2; ++c)
      calls.emplace_back(CallLayout(collective, kRanks, count, {}, Rank(c + 2)), type, ReduceOp::sum(), 1, c);
    return calls;
  }

  std::vector<ExpectedCall> calls_;
  CallVectors vectors_;
};

}  // namespace

TEST_CASE("while large vectors are made and checked, right or wrong, their rank can be stopped every few milliseconds") {
  constexpr std::int64_t kElements = 4 << 20;
  const CallLayout layout(Collective::broadcast, 2, kElements, {}, Rank(0));
  std::vector<ExpectedCall> calls;
  calls.emplace_back(layout, Datatype::u32(), ReduceOp::sum(), 1, 0);
  CallVectors vectors(calls, false);
  int asked = 0;
  const StopPoint stop_point = [&] { ++asked; };
  const CallVectors::Views views = vectors.prepare(Rank(1), calls[0], stop_point);
  CHECK(asked >= 4);
  vectors.prepare(Rank(0), calls[0], stop_point);
  CHECK(asked >= 8);
  std::memcpy(views.output.data(), vectors.views(Rank(0), layout).input.data(), views.output.size_bytes());
  asked = 0;
  CHECK(!check_vectors(vectors, Rank(1), nullptr, calls[0], nullptr, stop_point));
  CHECK(asked >= 4);
  views.output.data()[views.output.size_bytes() - 1] ^= std::byte{1};
  CHECK(check_vectors(vectors, Rank(1), nullptr, calls[0], nullptr, stop_point));
  CHECK(asked >= kElements / 4096);
}

TEST_CASE("result check: right is right, of every collective, in place and out of place") {
  for (const Collective collective : all_collectives()) {
    if (collective == Collective::barrier) continue;
    for (const bool in_place : {true, false}) {
      for (const Datatype type : {Datatype::i32(), Datatype::bf16(), Datatype::f64()}) {
        if (reduces(collective) && type.is_floating()) continue;  // reference_test has them
        INFO(to_string(collective) << (in_place ? " in place, " : " out of place, ") << to_string(type));
        CHECK(Results(collective, in_place, type).explanation() == "");
      }
    }
  }
}

TEST_CASE("result check: which elements on which ranks, and the first one's values") {
  const Results results;
  for (const int rank : {1, 2, 3, 5}) {
    for (const std::int64_t element : {12, 13, 14, 15, 20}) results.spoil(rank, element);
  }
  const std::int32_t got = results.output(1).as<std::int32_t>()[12];
  CHECK(results.explanation() ==
        "  20 of 240 elements are wrong, on 4 of 6 ranks\n"
        "  elements 12-15, 20 on ranks 1-3, 5\n"
        "  first: rank 1, element 12: got " +
            std::to_string(got) + ", expected " + std::to_string(got ^ 1) + ": bit 0 alone differs, of 32 bits");
}

TEST_CASE("result check: ranks that are wrong in different ways stand apart") {
  const Results results;
  results.put_contribution(0, 4, 4);
  results.put_result(2, results.output(2).slice(30, 2), 30, 0);
  results.spoil(4, 39);
  const std::string text = results.explanation();
  CHECK_THAT(text, Catch::Contains("\n  elements 4-7 on rank 0: still each rank's own contribution"));
  CHECK_THAT(text, Catch::Contains("\n  elements 30-31 on rank 2: the result of the call before"));
  CHECK_THAT(text, Catch::Contains("\n  element 39 on rank 4\n"));
}

TEST_CASE("result check: long lists are cut") {
  const Results results;
  for (std::int64_t element = 0; element < kCount; element += 2) results.spoil(3, element);
  CHECK_THAT(results.explanation(), Catch::Contains("  elements 0, 2, 4, 6, 8, 10, 12, 14, … on rank 3"));

  std::vector<VectorFailure> failures(20);
  for (int r = 0; r < 20; ++r) {
    failures[static_cast<std::size_t>(r)].rank = Rank(r);
    failures[static_cast<std::size_t>(r)].output.add(r, r);
  }
  CHECK_THAT(explain(failures, CallLayout(Collective::allreduce, 20, kCount, {}, Rank(0)), true),
             Catch::Contains("element 7 on rank 7\n  … and others on 12 more ranks\n"));
}

TEST_CASE("result check: a wrong element between the seventh run and the end is still counted") {
  const Results results;
  for (std::int64_t element = 0; element < 18; element += 2) results.spoil(3, element);
  results.spoil(3, 17);
  CHECK_THAT(results.explanation(), Catch::Contains("10 of 240 elements are wrong"));
}

TEST_CASE("result check: who wrote outside of a vector") {
  const Results results;
  results.output(3).data()[results.output(3).size_bytes()] = std::byte{1};
  results.output(4).data()[-1] = std::byte{1};
  results.output(5).data()[-1] = std::byte{1};
  CHECK(results.explanation() ==
        "  written before the beginning of the vector of ranks 4-5\n  written beyond the end of the vector of rank 3; in the "
        "call before it lay "
        "elsewhere: a pointer kept from that call may lead there");
}

TEST_CASE("result check: elements are shown as their type is read") {
  const std::vector<std::int32_t> integers = {-7};
  CHECK(element_text(integers, 0) == "-7");
  const std::vector<double> reals = {0, 0.25};
  CHECK(element_text(reals, 1) == "0.25");
  const std::uint16_t half = 0x3C00;  // 1.0 as binary16
  std::vector<std::byte> memory(sizeof half);
  std::memcpy(memory.data(), &half, sizeof half);
  CHECK(element_text(ConstVectorView(memory.data(), 1, Datatype::f16()), 0) == "1");
  std::vector<std::byte> bytes(20, std::byte{0xAB});
  CHECK(element_text(ConstVectorView(bytes.data(), 2, Datatype::user(2)), 1) == "0xabab");
  CHECK(element_text(ConstVectorView(bytes.data(), 1, Datatype::user(20)), 0) == "0x" + [] {
    std::string text;
    for (int i = 0; i < 16; ++i) text += "ab";
    return text + "…";
  }());
}

}  // namespace heddle::emu
