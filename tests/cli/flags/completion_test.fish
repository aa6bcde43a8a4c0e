# SPDX-License-Identifier: Apache-2.0
# Usage: completion_test.fish <folder of the command> <heddle.fish>
set -x PATH $argv[1] $PATH
source $argv[2]; or exit 1
set failures 0

# at <line> <expected>: the expected word is among those offered, without its meaning.
function at
    set words (complete -C "$argv[1]" | string replace -r '\t.*' '')
    if not contains -- $argv[2] $words
        echo "at '$argv[1]': $argv[2] is not offered; got: $words" >&2
        set -g failures 1
    end
end

at 'heddle sw' sweep
at 'heddle run all' allreduce
at 'heddle run allreduce --al' --algo
at 'heddle run allreduce --algo ring,swing_b' ring,swing_bandwidth
at 'heddle run allreduce --algo=swing_b' --algo=swing_bandwidth
at 'heddle run allreduce --preset swing' swing-nsdi24
at 'heddle run allreduce --topo to' torus:
set folder (mktemp -d)
touch $folder/report.json
at "heddle run allreduce --json $folder/re" $folder/report.json
at "heddle run allreduce --json=$folder/re" --json=$folder/report.json
rm -r $folder
test $failures = 0; and echo "fish completes as expected"
exit $failures
