// SPDX-License-Identifier: Apache-2.0
// The memory's bandwidth as STREAM takes it (McCalpin, Memory Bandwidth and Machine Balance in Current High Performance
// Computers): a[i] = b[i] + 3 c[i], three arrays for each thread. usage: triad <threads> <bytes of an array> <repetitions>.
// Prints, a line each, the seconds of each repetition, from when all begin together until the last has ended.
#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  using Clock = std::chrono::steady_clock;
  const auto threads = static_cast<std::size_t>(std::atoi(argv[1]));
  const auto elements = static_cast<std::size_t>(std::atoll(argv[2])) / sizeof(std::int32_t);
  const auto repetitions = static_cast<std::size_t>(std::atoi(argv[3]));
  using Times = std::vector<Clock::time_point>;
  std::vector<Times> begins(repetitions, Times(threads)), ends = begins;
  std::barrier together(static_cast<std::ptrdiff_t>(threads));
  const auto work = [&](std::size_t self) {
    std::vector<std::int32_t> a(elements, 1), b(elements, 2), c(elements, 3);
    for (std::size_t run = 0; run < repetitions; ++run) {
      together.arrive_and_wait();
      begins[run][self] = Clock::now();
      for (std::size_t i = 0; i < elements; ++i) a[i] = b[i] + 3 * c[i];
      ends[run][self] = Clock::now();
    }
    return a[elements / 2];
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 0; i < threads; ++i) others.emplace_back(work, i);
  }
  for (std::size_t run = 0; run < repetitions; ++run) {
    const std::chrono::duration<double> taken = *std::ranges::max_element(ends[run]) - *std::ranges::min_element(begins[run]);
    std::printf("%.9f\n", taken.count());
  }
  return 0;
}
