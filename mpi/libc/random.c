/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers with a state for each copy: the numbers are glibc's, as glibc's functions with an explicit state make them. */
#include <errno.h>
#include <stdlib.h>

static char first_state[128]; /* as large as glibc's own, which gives the same kind of generator */
static struct random_data generator;
static int has_generator;

static void prepare(void) {
  if (has_generator) return;
  has_generator = 1;
  initstate_r(1, first_state, sizeof first_state, &generator);
}

long random(void) {
  prepare();
  int32_t number = 0;
  random_r(&generator, &number);
  return number;
}

void srandom(unsigned seed) {
  prepare();
  srandom_r(seed, &generator);
}

int rand(void) { return (int)random(); }
void srand(unsigned seed) { srandom(seed); }

char *initstate(unsigned seed, char *state, size_t size) {
  prepare();
  char *const before = (char *)generator.state - sizeof(int32_t); /* glibc keeps the kind of generator in the word before */
  return initstate_r(seed, state, size, &generator) == 0 ? before : NULL;
}

char *setstate(char *state) {
  prepare();
  char *const before = (char *)generator.state - sizeof(int32_t);
  return setstate_r(state, &generator) == 0 ? before : NULL;
}

static struct drand48_data numbers48;
static unsigned short numbers48_before[3];

double drand48(void) {
  double number = 0;
  drand48_r(&numbers48, &number);
  return number;
}

double erand48(unsigned short state[3]) {
  double number = 0;
  erand48_r(state, &numbers48, &number);
  return number;
}

long lrand48(void) {
  long number = 0;
  lrand48_r(&numbers48, &number);
  return number;
}

long nrand48(unsigned short state[3]) {
  long number = 0;
  nrand48_r(state, &numbers48, &number);
  return number;
}

long mrand48(void) {
  long number = 0;
  mrand48_r(&numbers48, &number);
  return number;
}

long jrand48(unsigned short state[3]) {
  long number = 0;
  jrand48_r(state, &numbers48, &number);
  return number;
}

void srand48(long seed) { srand48_r(seed, &numbers48); }

unsigned short *seed48(unsigned short state[3]) {
  for (int i = 0; i < 3; ++i) numbers48_before[i] = numbers48.__x[i];
  seed48_r(state, &numbers48);
  return numbers48_before;
}

void lcong48(unsigned short parameters[7]) { lcong48_r(parameters, &numbers48); }
