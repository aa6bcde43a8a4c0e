// SPDX-License-Identifier: Apache-2.0
// Loaded before a program (LD_PRELOAD), it hangs up as soon as the program has opened a file whose name ends with HEDDLE_HANG_UP_AT.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <string_view>

extern "C" int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  const char* name = std::getenv("HEDDLE_HANG_UP_AT");
  if (name != nullptr && std::string_view(path).ends_with(name)) raise(SIGHUP);
  return file;
}
