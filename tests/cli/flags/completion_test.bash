#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: completion_test.bash <heddle> <heddle.bash>
# Calls the completion function as bash does at a Tab, on lines that end where the cursor is.
set -uo pipefail
heddle=$1
# shellcheck disable=SC1090  # cli/completion/heddle.bash
source "$2" || exit
failures=0

# Outside a completion there are no options to set: what the function asked for.
compopt() { asked=$2; }

# words_of <line>: COMP_WORDS as bash cuts it, at blanks and, into words of their own, at the characters of COMP_WORDBREAKS.
words_of() {
  local rest=$1 word
  local breaks=${COMP_WORDBREAKS//[^:=]/}
  COMP_WORDS=()
  while [[ -n $rest ]]; do
    rest=${rest#"${rest%%[! ]*}"}
    if [[ -n $breaks && $rest == ["$breaks"]* ]]; then word=${rest%%[!"$breaks"]*}; else word=${rest%%[ "$breaks"]*}; fi
    COMP_WORDS+=("$word")
    rest=${rest#"$word"}
  done
  # Behind a blank a new word begins.
  if [[ $1 == *' ' && ${COMP_WORDS[-1]} != "" ]]; then COMP_WORDS+=(""); fi
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
}

# at <arguments> [<behind the cursor>]: completes `heddle <arguments>`.
at() {
  local line="$heddle $1"
  words_of "$line"
  COMP_LINE=$line${2-} COMP_POINT=${#line} asked=
  _heddle heddle "${COMP_WORDS[COMP_CWORD]}" ""
  given=$1
}

fail() {
  echo "at 'heddle $given': $1; got: ${COMPREPLY[*]-nothing}" >&2
  failures=$((failures + 1))
}
offers() {
  local word
  for word in "$@"; do [[ " ${COMPREPLY[*]-} " == *" $word "* ]] || fail "$word is not offered"; done
}
offers_only() { [[ ${COMPREPLY[*]-} == "$*" ]] || fail "expected only: $*"; }
offers_no() { [[ " ${COMPREPLY[*]-} " != *" $1 "* ]] || fail "$1 is offered"; }
asks_for() { [[ $asked == "$1" ]] || fail "compopt is asked for '$asked', expected '$1'"; }

for COMP_WORDBREAKS in $' \t\n"\'><=;|&(:' $' \t\n"\'><;|&('; do
  # Without : and = among the characters that break words, bash replaces the whole word.
  if [[ $COMP_WORDBREAKS == *:* ]]; then topo='' algo='' json=''; else topo=torus: algo=--algo= json=--json=; fi

  at ''
  offers run sweep merge list topo traffic credits claims fuzz export launch fit help
  offers_no manual
  at 'sw'
  offers_only sweep
  asks_for ''
  at 'help ru'
  offers_only run

  at 'run '
  offers allreduce alltoall barrier
  at 'run allreduce --al'
  offers --algo --alpha
  at 'run allreduce --algo ring --al'
  offers_no --algo
  at 'run allreduce '
  offers --topo --size
  at 'run allreduce --no-such-flag --alg'
  offers_only --algo

  at 'run allreduce --algo '
  offers all ring swing_bandwidth recursive_doubling
  at 'run broadcast --algo '
  offers binomial_halving
  offers_no swing_bandwidth
  at 'run allreduce --algo ring,swing_b'
  offers_only ring,swing_bandwidth
  at 'run allreduce --algo ring,'
  offers_no ring,ring
  at 'run allreduce --algo=swing_b'
  offers_only "${algo}swing_bandwidth"
  at 'run allreduce --algo=' ' --topo ring:8'
  offers "${algo}ring"
  at 'run --algo ring --topo ring:8 allred'
  offers_only allreduce

  at 'run allreduce --preset swing'
  offers_only swing-nsdi24
  at 'sweep allreduce --preset trivance,swing'
  offers_only trivance,swing-nsdi24
  at 'run allreduce --topo '
  offers ring: torus: dragonfly+: file:
  at 'run allreduce --topo to'
  offers_only torus:
  asks_for nospace
  at 'run allreduce --topo torus:'
  offers_only "${topo}8x8x4"
  at 'topo fattr'
  offers_only fattree:
  at 'sweep allreduce --topo torus:8x8,ri'
  offers_only "${topo}8x8,ring:"
  at 'run allreduce --datatype b'
  offers_only bf16
  at 'run allreduce -o affi'
  offers_only affine
  at 'run allreduce --clock w'
  offers_only wall

  folder=$(mktemp -d)
  touch "$folder/report.json" "$folder/a b.json"
  at "run allreduce --json $folder/re"
  offers_only "$folder/report.json"
  asks_for filenames
  at "run allreduce --json=$folder/re"
  offers_only "$json$folder/report.json"
  at "topo file:$folder/a"
  offers_only "${topo:+file:}$folder/a b.json"
  at 'export op'
  offers_only openmpi
  at "merge one.json $folder/re"
  offers_only "$folder/report.json"
  rm -r "$folder"

  at 'no-such-command '
  offers_only
  at 'run allreduce --size '
  offers_only
done

if ((failures > 0)); then exit 1; fi
echo "bash completes as expected"
