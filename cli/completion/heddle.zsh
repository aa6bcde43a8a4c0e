#compdef heddle
# SPDX-License-Identifier: Apache-2.0
# Completion of heddle's command line in zsh: the command itself says how a line goes on.
_heddle() {
  local command=${(Q)words[1]} line word
  local -a lines whole whole_texts open open_texts
  # Called as it was typed, so that a command that is not installed completes its own line.
  lines=("${(@f)$(${~command} complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  if [[ $lines[1] == ":files "* ]]; then
    compset -P "${(b)lines[1]#:files }"
    _files
    return
  fi
  for line in $lines; do
    word=${line%%$'\t'*}
    # A word that goes on gets no space.
    if [[ $word == *[:=] ]]; then
      open+=("$word") open_texts+=("$word  ${line#*$'\t'}")
    else
      whole+=("$word") whole_texts+=("$word  ${line#*$'\t'}")
    fi
  done
  local status_of_open=1 status_of_whole=1
  if (($#open)); then compadd -l -S '' -d open_texts -a open && status_of_open=0; fi
  if (($#whole)); then compadd -l -d whole_texts -a whole && status_of_whole=0; fi
  ((status_of_open == 0 || status_of_whole == 0))
}
# Loaded from a folder of functions it is called at once, sourced it registers itself.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _heddle "$@"; else compdef _heddle heddle; fi
