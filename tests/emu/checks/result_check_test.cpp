// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/result_check.hpp"

#include <cstring>
#include <vector>

#include "emu/checks/element_text.hpp"
#include "tests/catch.hpp"

namespace heddle::emu {

namespace {

constexpr int kRanks = 6;
constexpr std::int64_t kCount = 40;

/// Two calls of a sum over six ranks, and vectors that hold the right result of the second until a test spoils them.
struct Results {
  TestData first_data{Datatype::i32(), ReduceOp::sum(), kRanks, 1, 0};
  TestData data{Datatype::i32(), ReduceOp::sum(), kRanks, 1, 1};
  Reference first_result{first_data, ReduceOp::sum(), kCount};
  Reference result{data, ReduceOp::sum(), kCount};
  VectorArena arena{kRanks, Datatype::i32(), kCount};

  Results() {
    for (int r = 0; r < kRanks; ++r) put_sum(data, r, 0, kCount);
  }
  void put_sum(const TestData& of, int rank, std::int64_t first, std::int64_t count) const {
    const VectorView part = arena.vector(Rank(rank)).slice(first, count);
    Buffer contribution(part.type(), count);
    of.fill(part, Rank(0), first);
    for (int r = 1; r < kRanks; ++r) {
      of.fill(contribution.view(), Rank(r), first);
      ReduceOp::sum().apply(part, contribution.view());
    }
  }
  void put_contribution(int rank, std::int64_t first, std::int64_t count) const {
    data.fill(arena.vector(Rank(rank)).slice(first, count), Rank(rank), first);
  }
  void spoil(int rank, std::int64_t element) const {
    arena.vector(Rank(rank)).as<std::int32_t>()[static_cast<std::size_t>(element)] ^= 1;
  }

  std::string explanation() const {
    std::vector<VectorFault> faults;
    for (int r = 0; r < kRanks; ++r) {
      if (auto fault = check_vector(arena, Rank(r), {data, result, &first_result})) faults.push_back(*std::move(fault));
    }
    return faults.empty() ? "" : explain(faults, kRanks, kCount);
  }
};

}  // namespace

TEST_CASE("result check: right is right") { CHECK(Results().explanation().empty()); }

TEST_CASE("result check: which elements on which ranks, and the first one's values") {
  const Results results;
  for (const int rank : {1, 2, 3, 5}) {
    for (const std::int64_t element : {12, 13, 14, 15, 20}) results.spoil(rank, element);
  }
  const std::int32_t got = results.arena.vector(Rank(1)).as<std::int32_t>()[12];
  CHECK(results.explanation() ==
        "  20 of 240 elements are wrong, on 4 of 6 ranks\n"
        "  elements 12-15, 20 on ranks 1-3, 5\n"
        "  first: rank 1, element 12: got " +
            std::to_string(got) + ", expected " + std::to_string(got ^ 1));
}

TEST_CASE("result check: ranks that are wrong in different ways stand apart") {
  const Results results;
  results.put_contribution(0, 4, 4);
  results.put_sum(results.first_data, 2, 30, 2);
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

  std::vector<VectorFault> faults(20);
  for (int r = 0; r < 20; ++r) {
    faults[static_cast<std::size_t>(r)].rank = Rank(r);
    faults[static_cast<std::size_t>(r)].wrong = 1;
    faults[static_cast<std::size_t>(r)].runs = {{r, r}};
  }
  CHECK_THAT(explain(faults, 20, kCount), Catch::Contains("element 7 on rank 7\n  … and others on 12 more ranks\n"));
}

TEST_CASE("result check: a fault between the seventh run and the end is still counted") {
  const Results results;
  for (std::int64_t element = 0; element < 18; element += 2) results.spoil(3, element);
  results.spoil(3, 17);
  CHECK_THAT(results.explanation(), Catch::Contains("10 of 240 elements are wrong"));
}

TEST_CASE("result check: who wrote outside of a vector") {
  const Results results;
  const VectorView vector = results.arena.vector(Rank(3));
  vector.data()[vector.size_bytes()] = std::byte{1};
  results.arena.vector(Rank(4)).data()[-1] = std::byte{1};
  results.arena.vector(Rank(5)).data()[-1] = std::byte{1};
  CHECK(results.explanation() ==
        "  written before the beginning of the vector of ranks 4-5\n  written beyond the end of the vector of rank 3");
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
