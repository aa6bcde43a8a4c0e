// SPDX-License-Identifier: Apache-2.0
#include "emu/record/memory_estimate.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "core/sanitizers.hpp"

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

std::int64_t machine_bytes() { return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE); }

/// Page faults of writing to 64 blocks of 1 MiB.
long faults_of_blocks() {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  const long before = faults();
  std::vector<void*> blocks;
  for (int i = 0; i < 64; ++i) {
    blocks.push_back(std::malloc(kBlock));
    if (blocks.back() != nullptr) std::memset(blocks.back(), i, kBlock);
  }
  const long after = faults();
  for (void* const block : blocks) std::free(block);
  return after - before;
}

}  // namespace

TEST_CASE("a heap that was grown for a run is touched in large pages") {
  // 64 MiB are 16,384 pages of 4 KiB.
  std::string pages;
  std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), pages);
  const bool has_large_pages = !pages.empty() && pages.find("[never]") == std::string::npos;
  if (!has_large_pages || HEDDLE_ADDRESS_SANITIZER || HEDDLE_THREAD_SANITIZER) return;  // those have a malloc() of their own
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
  grow_heap(64_MiB);
  CHECK(faults_of_blocks() < 4'000);
}

TEST_CASE("the estimate grows with ranks, links and what each rank holds") {
  const Bytes few = estimate_memory(1'000, 4'000, Bytes(0));
  CHECK(estimate_memory(2'000, 4'000, Bytes(0)) > few);
  CHECK(estimate_memory(1'000, 8'000, Bytes(0)) > few);
  // What ranks hold counts in full: 1,000·1 MiB more
  CHECK(estimate_memory(1'000, 4'000, 1_MiB) == few + 1'000 * 1_MiB);
  CHECK(estimate_memory(0, 0, Bytes(0)) == Bytes(0));
}

TEST_CASE("an estimate beyond all numbers stays one") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(estimate_memory(kMost, kMost, Bytes(kMost)) > Bytes(kMost / 2));
}

TEST_CASE("what fits the machine may begin, what does not is refused with both amounts") {
  CHECK_NOTHROW(require_memory(Bytes(0), [] { return "nothing"; }));
  CHECK_NOTHROW(require_memory(Bytes(machine_bytes()), [] { return "all of it"; }));
  CHECK_THROWS_AS(require_memory(Bytes(machine_bytes() + 1), [] { return "ring:1000000000"; }), InputError);
  CHECK_THROWS_WITH(require_memory(Bytes(std::int64_t{1} << 50), [] { return "ring:1000000000"; }),
                    Catch::Contains("ring:1000000000 needs about 1PiB of memory") &&
                        Catch::Contains("this machine has " + to_string(Bytes(machine_bytes()))) &&
                        Catch::Contains("use fewer ranks"));
}

TEST_CASE("a run of more ranks than fit is refused before it begins") {
  const Fabric fabric = fabric_of("ring:4");
  // Refused by their number alone, so it does not matter that all sit on one endpoint.
  const Placement crowd(static_cast<std::size_t>(machine_bytes() / 8192), 0);
  const RankFunction never = [](Communicator&) { throw std::logic_error("it began"); };
  CHECK_THROWS_AS(emulate(fabric, crowd, never), InputError);
  CHECK_THROWS_WITH(emulate(fabric, crowd, never), Catch::Contains("ring:4 needs about"));
}

}  // namespace heddle
