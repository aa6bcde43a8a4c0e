// SPDX-License-Identifier: Apache-2.0
// What C++ allocates: by the program and freed by the C++ library, and the other way, on a rank's thread and on another. Without a word it
// prints "ok" on rank 0, and each rank how its thread-local and static objects end; with one it is wrong in the way that it names.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <locale>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

struct alignas(128) Wide {
  double values[16];
};
struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {
  std::string text = std::string(100, 'd');
};
struct Ends {
  std::string name;
  ~Ends() {
    if (!name.empty()) std::printf("%s\n", name.c_str());
  }
};
thread_local Ends local;
static Ends global;
thread_local std::vector<std::string> words;

static bool is_right(int rank) {
  std::string text(100, 'x');
  std::istringstream in(std::string(3000, 'y') + "\nsecond");
  std::getline(in, text);  // grows in the library
  bool right = text.size() == 3000;
  text.insert(5, std::string(500, 'i')).replace(3, 4, std::string(20000, 'r'));
  text.shrink_to_fit();
  std::ostream* const file = new std::ofstream("/dev/null");
  *file << text;
  delete file;
  const std::locale facets(std::locale::classic(), new std::numpunct<char>);
  std::ostringstream out;
  out.imbue(facets);
  out << 1234567;
  right = right && out.str() == "1234567";
  const std::function<std::size_t(int)> sum = [text, rank](int more) { return text.size() + rank + more; };
  right = right && std::function<std::size_t(int)>(sum)(1) == text.size() + rank + 1;
  std::shared_ptr<Base> shared(new Derived);
  shared = std::make_shared<Derived>();
  std::unique_ptr<Wide> wide(new Wide);
  std::vector<Wide> all(3);
  right =
      right && reinterpret_cast<std::uintptr_t>(wide.get()) % 128 == 0 && reinterpret_cast<std::uintptr_t>(&all[1]) % 128 == 0;
  delete[] new Wide[3];
  delete[] new (std::nothrow) int[50];
  delete new (std::nothrow) Wide;
  std::vector<int> numbers(5000);
  for (int i = 0; i < 5000; ++i) numbers[i] = i * 7919 % 5000;
  std::stable_sort(numbers.begin(), numbers.end());
  right = right && numbers[17] == 17;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 2000; ++i) words.push_back(std::string(i % 100, 't'));
    });
  for (int i = 0; i < 2000; ++i) words.push_back(std::string(i % 100, 'k'));
  for (std::thread& thread : threads) thread.join();
  const volatile std::size_t huge = PTRDIFF_MAX;
  static char* volatile block = new (std::nothrow) char[huge];
  try {
    block = new char[huge];
    right = false;
  } catch (const std::bad_alloc&) {
  }
  return right && block == nullptr;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string how = argc > 1 ? argv[1] : "";
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> vector(10);
  double* volatile values = vector.data();
  if (how == "vector") values[10] = 1;
  if (how == "grown") {
    std::vector<int> grown;
    for (int i = 0; i < 3; ++i) grown.push_back(i);
    int* volatile ends = grown.data();
    ends[4] = 1;
  }
  if (how == "array") {
    int* const array = new int[5];
    int* volatile beside = array;
    beside[-1] = 1;
    delete[] array;
  }
  if (how == "receive" && rank == 0) MPI_Send(vector.data(), 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (how == "receive" && rank == 1) {
    std::vector<double> short_one(4);
    MPI_Recv(short_one.data(), 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (how.empty()) {
    local.name = "thread-local of rank " + std::to_string(rank);
    global.name = "static of rank " + std::to_string(rank);
    int all = 0, right = is_right(rank) && is_right(rank);
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
    if (all != 0) std::puts("ok");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
