# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Completion of heddle's command line in bash: the command itself says how a line goes on. Needs no bash-completion package; without
# it: source this file.
_heddle() {
  # Of the line up to the cursor, each word whole: bash cuts words at ':' and '=' too, and only there nothing stands between two.
  local rest=${COMP_LINE:0:COMP_POINT} trimmed word words=() i
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    trimmed=${rest#"${rest%%[![:space:]]*}"}
    word=${COMP_WORDS[i]}
    if ((i == COMP_CWORD)); then word=$trimmed; fi
    if ((i > 0)) && [[ $trimmed == "$rest" ]]; then words[${#words[@]} - 1]+=$word; else words+=("$word"); fi
    rest=${trimmed#"$word"}
  done
  local current=${words[${#words[@]} - 1]} breaks=${COMP_WORDBREAKS//[^:=]/} before=
  # What bash replaces begins behind the last of these.
  if [[ -n $breaks ]]; then before=${current%"${current##*["$breaks"]}"}; fi

  # Called as it was typed, so that a command that is not installed completes its own line.
  local lines=() line
  while IFS= read -r line; do lines+=("$line"); done < <("${words[0]/#\~/$HOME}" complete "${words[@]:1}" 2>/dev/null)

  COMPREPLY=()
  if [[ ${lines[0]-} == ":files "* ]]; then
    local file_after=${lines[0]#:files }
    while IFS= read -r line; do
      line=$file_after$line
      COMPREPLY+=("${line#"$before"}")
    done < <(compgen -f -- "${current#"$file_after"}")
    compopt -o filenames 2>/dev/null
    return 0
  fi
  for line in "${lines[@]}"; do
    line=${line%%$'\t'*}
    COMPREPLY+=("${line#"$before"}")
  done
  # A word that goes on gets no space.
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=] ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -F _heddle heddle
