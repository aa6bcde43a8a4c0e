/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks and sleep in virtual time. C++'s clocks are functions of its library, which a header declares: their names and results are
   of the Itanium C++ ABI. A clock of CPU time says what the monotonic one does: a rank's computation takes the time that heddle says. */
#include <errno.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "mpi/libc/entry.h"

static const int64_t kSecond = 1000000000;

/* Of a clock; less than 0: there is no such clock. */
static int64_t now(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: return heddle_mpi_host->system.real_time();
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return heddle_mpi_host->system.monotonic_time();
    default: return -1;
  }
}

static struct timespec as_timespec(int64_t nanoseconds) {
  const struct timespec time = {.tv_sec = nanoseconds / kSecond, .tv_nsec = nanoseconds % kSecond};
  return time;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(clock_gettime)(clock, time);
  const int64_t at = now(clock);
  if (at < 0) {
    errno = EINVAL;
    return -1;
  }
  *time = as_timespec(at);
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(clock_getres)(clock, resolution);
  if (now(clock) < 0) {
    errno = EINVAL;
    return -1;
  }
  if (resolution) *resolution = as_timespec(1);
  return 0;
}

int timespec_get(struct timespec *time, int base) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(timespec_get)(time, base);
  if (base != TIME_UTC) return 0;
  *time = as_timespec(now(CLOCK_REALTIME));
  return base;
}

time_t time(time_t *seconds) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(time)(seconds);
  const time_t at = now(CLOCK_REALTIME) / kSecond;
  if (seconds) *seconds = at;
  return at;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(gettimeofday)(time, zone);
  const struct timespec at = as_timespec(now(CLOCK_REALTIME));
  time->tv_sec = at.tv_sec;
  time->tv_usec = at.tv_nsec / 1000;
  if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
  return 0;
}

clock_t clock(void) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(clock)();
  return now(CLOCK_PROCESS_CPUTIME_ID) / (kSecond / CLOCKS_PER_SEC);
}

/* std::chrono::system_clock::now() and std::chrono::steady_clock::now(): a duration in nanoseconds. */
int64_t _ZNSt6chrono3_V212system_clock3nowEv(void);
int64_t _ZNSt6chrono3_V212steady_clock3nowEv(void);

int64_t _ZNSt6chrono3_V212system_clock3nowEv(void) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  return at.tv_sec * kSecond + at.tv_nsec;
}

int64_t _ZNSt6chrono3_V212steady_clock3nowEv(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * kSecond + at.tv_nsec;
}

unsigned sleep(unsigned seconds) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(sleep)(seconds);
  heddle_mpi_host->system.sleep(seconds * kSecond);
  return 0;
}

int usleep(useconds_t microseconds) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(usleep)(microseconds);
  heddle_mpi_host->system.sleep((int64_t)microseconds * 1000);
  return 0;
}

/* Of a wish; less than 0: none that a sleep may have. More than a hundred years count as that: they do not fit. */
static int64_t nanoseconds_of(const struct timespec *time) {
  static const int64_t kMost = 100LL * 366 * 24 * 3600;
  if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= kSecond) return -1;
  return (time->tv_sec < kMost ? time->tv_sec : kMost) * kSecond + time->tv_nsec;
}

int nanosleep(const struct timespec *wish, struct timespec *rest) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(nanosleep)(wish, rest);
  const int64_t nanoseconds = nanoseconds_of(wish);
  if (nanoseconds < 0) {
    errno = EINVAL;
    return -1;
  }
  heddle_mpi_host->system.sleep(nanoseconds);
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wish, struct timespec *rest) {
  if (!heddle_mpi_host) return HEDDLE_LIBC(clock_nanosleep)(clock, flags, wish, rest);
  int64_t nanoseconds = nanoseconds_of(wish);
  const int64_t at = now(clock);
  if (nanoseconds < 0 || at < 0) return EINVAL;
  if (flags & TIMER_ABSTIME) nanoseconds = nanoseconds > at ? nanoseconds - at : 0;
  heddle_mpi_host->system.sleep(nanoseconds);
  return 0;
}
