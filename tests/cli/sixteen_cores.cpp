// SPDX-License-Identifier: Apache-2.0
// Loaded before a program (LD_PRELOAD), it shows it a machine of 16 cores, and says at the end if it took its memory in small pages.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>

extern "C" int get_nprocs() { return 16; }

namespace {

[[gnu::destructor]] void tell_faults() {
  constexpr long kMost = 10'000;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::string pages;
  std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), pages);
  const bool has_large_pages = !pages.empty() && pages.find("[never]") == std::string::npos;
  if (!has_large_pages || usage.ru_minflt <= kMost) return;
  constexpr std::string_view kLine = "more than 10,000 page faults\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kLine.data(), kLine.size());
}

}  // namespace
