// SPDX-License-Identifier: Apache-2.0
// C++ that a copy must have for itself: static objects, static variables of inline functions and templates, thread-locals, exceptions.
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

struct Logged {
  explicit Logged(int value) : made(value) {}
  ~Logged() { ++ended; }
  int made;
  static int ended;
};
int Logged::ended = 0;

template <class T>
struct Counter {
  static T value;
};
template <class T>
T Counter<T>::value = 7;

inline int& count_of_calls() {
  static int calls = 0;
  return calls;
}

static Logged global(41);
thread_local std::vector<std::string> words = {"first"};

extern "C" int made() { return global.made; }
extern "C" int ended() { return Logged::ended; }
extern "C" int next_value() { return Counter<int>::value++; }
extern "C" int next_call() { return ++count_of_calls(); }
extern "C" int add_word() {
  words.push_back("another");
  return static_cast<int>(words.size());
}
extern "C" int thrown() {
  try {
    throw std::runtime_error("a rank's own");
  } catch (const std::exception& error) {
    return static_cast<int>(std::string(error.what()).size());
  }
}
extern "C" long steady() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
int main() {
  static Logged local(1);
  return local.made + made();
}
