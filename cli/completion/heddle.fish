# SPDX-License-Identifier: Apache-2.0
# Completion of heddle's command line in fish: the command itself says how a line goes on.
function __heddle_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # Called as it was typed, so that a command that is not installed completes its own line.
    set -l lines ($words[1] complete $words[2..-1] $current 2>/dev/null)
    if not string match -q ':files *' -- $lines[1]
        printf '%s\n' $lines
        return
    end
    set -l file_after (string replace ':files ' '' -- $lines[1])
    set -l path (string sub -s (math (string length -- "$file_after") + 1) -- $current)
    for file in (__fish_complete_path "$path")
        echo -- $file_after$file
    end
end
complete -c heddle -f -a '(__heddle_complete)'
