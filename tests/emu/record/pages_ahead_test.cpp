// SPDX-License-Identifier: Apache-2.0
#include "emu/record/run_sample.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "tests/catch.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kPage = 4096;

/// Fresh memory, which nothing has written to.
class Mapping {
 public:
  explicit Mapping(std::size_t bytes)
      : bytes_(bytes), memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Mapping() { munmap(memory_, bytes_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::byte* at(std::size_t offset) const { return static_cast<std::byte*>(memory_) + offset; }
  bool has_page(std::size_t offset) const {
    unsigned char resident = 0;
    REQUIRE(mincore(at(offset / kPage * kPage), kPage, &resident) == 0);
    return (resident & 1U) != 0;
  }

 private:
  std::size_t bytes_;
  void* memory_;
};

bool can_populate() {
  const Mapping page(kPage);
  return madvise(page.at(0), kPage, MADV_POPULATE_WRITE) == 0;
}

/// Whether that page is there within ten seconds.
bool comes(const Mapping& memory, std::size_t offset) {
  for (int i = 0; i < 10'000 && !memory.has_page(offset); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return memory.has_page(offset);
}

}  // namespace

TEST_CASE("pages behind what was written come by themselves, and no others") {
  if (!can_populate()) {
    WARN("needs Linux 5.14");
    return;
  }
  const Mapping memory(128 * kMiB);
  PagesAhead pages(memory.at(0), 128 * kMiB);
  pages.reached(4 * kMiB);  // not worth a thread
  pages.reached(20 * kMiB);
  CHECK(comes(memory, 24 * kMiB));
  CHECK_FALSE(memory.has_page(0));
  CHECK_FALSE(memory.has_page(64 * kMiB));
  pages.reached(64 * kMiB);
  CHECK(comes(memory, 64 * kMiB));
  CHECK_FALSE(memory.has_page(120 * kMiB));
}

TEST_CASE("what is written stays as it is, from any begin to any end of memory") {
  const std::size_t skipped = GENERATE(0U, 1U, 4097U), bytes = GENERATE(0U, 100U, 3 * kMiB + 5, 40 * kMiB + 77);
  const Mapping memory(48 * kMiB);
  {
    PagesAhead pages(memory.at(skipped), bytes);
    for (std::size_t i = 0; i < bytes; i += kPage / 2) {
      *memory.at(skipped + i) = static_cast<std::byte>(i / 7);
      if (i % (kMiB / 2) == 0) pages.reached(i);
    }
    pages.reached(bytes);
  }
  bool is_kept = true;
  for (std::size_t i = 0; i < bytes; i += kPage / 2) is_kept &= *memory.at(skipped + i) == static_cast<std::byte>(i / 7);
  CHECK(is_kept);
  CHECK_FALSE(memory.has_page(47 * kMiB));  // behind its end
}

}  // namespace heddle::emu
