# SPDX-License-Identifier: Apache-2.0
# Usage: zsh -f completion_test.zsh <heddle> <heddle.zsh>
# zsh's own functions for offering words, which work in its line editor only, note here what they are given.
heddle=$1
offered=()
compdef() { : }
compadd() {
  local names=$@[-1]
  offered+=("${(@P)names}")
}
compset() { PREFIX=${PREFIX#$~2}; offered+=("from $2") }
_files() { offered+=("files at $PREFIX") }
source $2 || exit 1
failures=0

# at <expected> <word>…: the expected word is among those offered where the cursor stands behind the last word.
at() {
  local expected=$1
  words=("$heddle" "${@:2}") CURRENT=$# PREFIX=${@[-1]} offered=()
  _heddle
  if ((! $offered[(Ie)$expected])); then
    print -u2 "at '$words[2,-1]': $expected is not offered; got: $offered"
    failures=1
  fi
}

at sweep sw
at allreduce run all
at --algo run allreduce --al
at ring,swing_bandwidth run allreduce --algo ring,swing_b
at --algo=swing_bandwidth run allreduce --algo=swing_b
at swing-nsdi24 run allreduce --preset swing
at torus: run allreduce --topo to
at 'files at re' run allreduce --json re
at 'files at re' run allreduce --json=re
((failures)) || print "zsh completes as expected"
exit $failures
