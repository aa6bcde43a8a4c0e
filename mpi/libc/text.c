/* SPDX-License-Identifier: Apache-2.0 */
/* strtok with a place for each copy. */
#include <string.h>

char *strtok(char *restrict text, const char *restrict separators) {
  static char *rest;
  return strtok_r(text, separators, &rest);
}
