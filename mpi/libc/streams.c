/* SPDX-License-Identifier: Apache-2.0 */
/* std::ios_base::sync_with_stdio of C++. The streams stay as they are: what ranks print then has one order, by whichever way they print. An
   executable has streams of its own, which write to where the library's did when it was loaded. Weak: a program that is linked with a static
   C++ library has that one's. */
#include <stdbool.h>

bool heddle_sync_with_stdio(bool is_synchronised) __asm__("_ZNSt8ios_base15sync_with_stdioEb") __attribute__((weak));

bool heddle_sync_with_stdio(bool is_synchronised) {
  static bool before = true;
  const bool answer = before;
  before = is_synchronised;
  return answer;
}
