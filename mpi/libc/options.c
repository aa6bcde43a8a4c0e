/* SPDX-License-Identifier: Apache-2.0 */
/* getopt, getopt_long and getopt_long_only as the GNU C library documents them, with a state for each copy: a loop over options that
   another rank's loop interrupts goes on where it was. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

static char *next_letter;  /* in a word of short options; null or empty: at the next word */
static int first_skipped;  /* words that are no options were moved behind the options: these, */
static int behind_skipped; /* and those before this one */

enum order { kPermute, kStopAtFirst, kReturnAll };

struct request {
  int count;
  char **words;
  const char *letters; /* without the signs before them */
  const struct option *names;
  int *index;
  enum order order;
  int is_silent; /* a colon before the letters: a missing argument is ':' and nothing is printed */
};

static void complain(const struct request *request, const char *what, const char *dashes, const char *name, const char *behind) {
  if (opterr && !request->is_silent) fprintf(stderr, "%s: %s '%s%s'%s\n", request->words[0], what, dashes, name, behind);
}

static int is_option(const char *word) { return word[0] == '-' && word[1] != '\0'; }

/* Reverses words from `first` up to `end`. */
static void reverse(char **words, int first, int end) {
  for (; first < --end; ++first) {
    char *const word = words[first];
    words[first] = words[end];
    words[end] = word;
  }
}

/* Puts the options that were read since behind the words that were skipped before them, in front of these. */
static void move_skipped(char **words) {
  reverse(words, first_skipped, behind_skipped);
  reverse(words, behind_skipped, optind);
  reverse(words, first_skipped, optind);
  first_skipped += optind - behind_skipped;
  behind_skipped = optind;
}

/* The next word that holds options: 0, or -1 at the end, or 1 for a word that is none, in optarg. */
static int next_word(const struct request *request) {
  if (behind_skipped > optind) behind_skipped = optind;
  if (first_skipped > optind) first_skipped = optind;
  if (request->order == kPermute) {
    if (first_skipped != behind_skipped && behind_skipped != optind) {
      move_skipped(request->words);
    } else if (behind_skipped != optind) {
      first_skipped = optind;
    }
    while (optind < request->count && !is_option(request->words[optind])) ++optind;
    behind_skipped = optind;
  }
  if (optind < request->count && strcmp(request->words[optind], "--") == 0) {
    ++optind;
    if (first_skipped != behind_skipped && behind_skipped != optind) {
      move_skipped(request->words);
    } else if (first_skipped == behind_skipped) {
      first_skipped = optind;
    }
    behind_skipped = request->count;
    optind = request->count;
  }
  if (optind >= request->count) {
    if (first_skipped != behind_skipped) optind = first_skipped;
    return -1;
  }
  if (!is_option(request->words[optind])) {
    if (request->order == kStopAtFirst) return -1;
    optarg = request->words[optind++];
    return 1;
  }
  return 0;
}

/* The option that a name of this length means: the one with the name, or the only one that it begins. -1: none, -2: several. */
static int named(const struct option *names, const char *name, size_t length) {
  int found = -1;
  for (int i = 0; names[i].name; ++i) {
    if (strncmp(names[i].name, name, length) != 0) continue;
    if (strlen(names[i].name) == length) return i;
    if (found < 0) {
      found = i;
    } else if (names[i].has_arg != names[found].has_arg || names[i].flag != names[found].flag || names[i].val != names[found].val) {
      found = -2;
    }
    if (found == -2) {
      for (++i; names[i].name; ++i) {
        if (strlen(names[i].name) == length && strncmp(names[i].name, name, length) == 0) return i;
      }
      return -2;
    }
  }
  return found;
}

/* A long option at `name`. Of one dash that is none: -1, for a short one. */
static int long_option(const struct request *request, char *name, const char *dashes) {
  const size_t length = strcspn(name, "=");
  const int found = named(request->names, name, length);
  if (found < 0) {
    if (found == -1 && dashes[1] == '\0' && strchr(request->letters, name[0])) return -1;
    complain(request, found == -1 ? "unrecognized option" : "option", dashes, name, found == -1 ? "" : " is ambiguous");
    next_letter = NULL;
    ++optind;
    optopt = 0;
    return '?';
  }
  const struct option *const option = &request->names[found];
  next_letter = NULL;
  ++optind;
  if (name[length] == '=') {
    if (option->has_arg == no_argument) {
      complain(request, "option", dashes, option->name, " doesn't allow an argument");
      optopt = option->val;
      return '?';
    }
    optarg = name + length + 1;
  } else if (option->has_arg == required_argument) {
    if (optind >= request->count) {
      complain(request, "option", dashes, option->name, " requires an argument");
      optopt = option->val;
      return request->is_silent ? ':' : '?';
    }
    optarg = request->words[optind++];
  }
  if (request->index) *request->index = found;
  if (!option->flag) return option->val;
  *option->flag = option->val;
  return 0;
}

static int short_option(const struct request *request) {
  const char letter = *next_letter++;
  const char text[] = {letter, '\0'};
  const char *const known = letter == ':' || letter == ';' ? NULL : strchr(request->letters, letter);
  if (*next_letter == '\0') ++optind;
  if (!known) {
    if (opterr && !request->is_silent) fprintf(stderr, "%s: invalid option -- '%s'\n", request->words[0], text);
    optopt = letter;
    return '?';
  }
  if (known[1] != ':') return letter;
  if (*next_letter != '\0') {
    optarg = next_letter;
    ++optind;
  } else if (known[2] != ':') {
    if (optind >= request->count) {
      if (opterr && !request->is_silent) fprintf(stderr, "%s: option requires an argument -- '%s'\n", request->words[0], text);
      optopt = letter;
      next_letter = NULL;
      return request->is_silent ? ':' : '?';
    }
    optarg = request->words[optind++];
  }
  next_letter = NULL;
  return letter;
}

static int next_option(int count, char *const *words, const char *letters, const struct option *names, int *index, int names_by_one_dash,
                       int is_posix) {
  struct request request = {count, (char **)words, letters, names, index, kPermute, 0};
  if (count < 1) return -1;
  optarg = NULL;
  if (optind == 0) { /* from the start again */
    optind = 1;
    next_letter = NULL;
  }
  if (optind == 1 && !(next_letter && *next_letter)) first_skipped = behind_skipped = 1;
  if (*letters == '-' || *letters == '+') {
    request.order = *letters == '-' ? kReturnAll : kStopAtFirst;
    ++request.letters;
  } else if (is_posix || getenv("POSIXLY_CORRECT")) {
    request.order = kStopAtFirst;
  }
  request.is_silent = *request.letters == ':';
  if (!(next_letter && *next_letter)) {
    const int kind = next_word(&request);
    if (kind != 0) return kind;
    char *const word = words[optind];
    if (names && word[1] == '-') return long_option(&request, word + 2, "--");
    /* One letter that is an option is that option, though a name may begin with it. */
    if (names && names_by_one_dash && (word[2] != '\0' || !strchr(request.letters, word[1]))) {
      const int result = long_option(&request, word + 1, "-");
      if (result != -1) return result;
    }
    next_letter = word + 1;
  }
  return short_option(&request);
}

int getopt(int count, char *const words[], const char *letters) { return next_option(count, words, letters, NULL, NULL, 0, 0); }

int getopt_long(int count, char *const words[], const char *letters, const struct option *names, int *index) {
  return next_option(count, words, letters, names, index, 0, 0);
}

int getopt_long_only(int count, char *const words[], const char *letters, const struct option *names, int *index) {
  return next_option(count, words, letters, names, index, 1, 0);
}

/* The name that <unistd.h> gives to getopt where a program asks for POSIX alone. */
int __posix_getopt(int count, char *const words[], const char *letters);
int __posix_getopt(int count, char *const words[], const char *letters) { return next_option(count, words, letters, NULL, NULL, 0, 1); }
