/* A library whose functions use what libc keeps for a program. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

void seed(unsigned value) {
  srand(value);
  srand48(value);
}
/* Of the generators' states that a program has: another number of state, then the first one's again. */
long other_random(void) {
  static char other[64];
  char* const before = initstate(77, other, sizeof other);
  const long number = random();
  char* const there = setstate(before);
  return there == other ? number : -1;
}
long other_rand48(void) {
  unsigned short state[3] = {1, 2, 3}, parameters[7] = {1, 2, 3, 4, 5, 6, 7};
  const unsigned short* const before = seed48(state);
  long sum = before[0];
  sum += lrand48();
  sum += nrand48(state);
  sum += jrand48(state);
  sum += (long)(erand48(state) * 1000);
  lcong48(parameters);
  return sum + mrand48();
}
int next_rand(void) { return rand(); }
long next_random(void) { return random(); }
double next_double(void) { return drand48(); }
long next_long(void) { return lrand48() ^ mrand48(); }
char* next_word(char* text) { return strtok(text, " ,"); }
/* The text of an option as getopt_long gives it: "b=value", "?", "" at the end. */
const char* next_option(int argc, char** argv) {
  static const struct option names[] = {{"alpha", no_argument, 0, 'a'}, {"beta", required_argument, 0, 'b'}, {"gamma", optional_argument, 0, 'g'}, {0, 0, 0, 0}};
  static char text[100];
  opterr = 0;
  const int found = getopt_long(argc, argv, "ab:g::", names, NULL);
  if (found < 0) return "";
  snprintf(text, sizeof text, "%c%s%s", found, optarg ? "=" : "", optarg ? optarg : "");
  return text;
}
int next_index(void) { return optind; }
long seconds_of_time(void) { return (long)time(NULL); }
long microseconds_of_day(void) {
  struct timeval at;
  gettimeofday(&at, NULL);
  return (long)at.tv_sec * 1000000 + at.tv_usec;
}
long nanoseconds(int clock) {
  struct timespec at;
  return clock_gettime(clock, &at) == 0 ? (long)at.tv_sec * 1000000000 + at.tv_nsec : -errno;
}
void sleep_all_ways(void) {
  const struct timespec wish = {0, 7}, until = {5, 0};
  sleep(1);
  usleep(20);
  nanosleep(&wish, NULL);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}
