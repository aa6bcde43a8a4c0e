#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/check_includes.py
Holds the arrows of docs/design.md: a file includes headers of its own room and of rooms above it in this list, never of one below. A
folder that is not in the list may include everything (tests, examples, benchmarks)."""
import pathlib
import re
import sys

# Lowest first. A room may include what stands before it. /*: every folder there is a room, and none knows another.
ROOMS = """
core
process
topo/fabric
topo/graph
topo/spec
topo/families/*
topo/files
topo/presets
topo/jobs
topo/placement
algorithms/registry
algorithms/executors
algorithms/families
algorithms/hierarchical
emu/record
emu/settings
emu/engine
emu/switches
emu/messages
emu/network
emu/run
emu/memory
emu/data
emu/explain
emu/check
emu/studies
schedules/program
schedules/run
schedules/files
lab/describe
lab/plugin
lab/run
lab/documents
lab/studies
lab/sweep
lab/results
show/document
show/terminal
show/drawing
show/reports
show/trace
show/page
show
fuzz/cases
fuzz
fuzz/reports
net/ranks
net/tcp
net/mpi
net/study
claims
claims/sources
cli/process
cli/flags
cli/commands
cli
""".split()
# Whose rooms do not know each other though one stands before the other.
STRANGERS = [("algorithms", "topo"), ("emu", "algorithms")]
# Folders whose rooms hold at most so many source files.
MOST_FILES = 32
COUNTED = ("algorithms", "claims", "cli", "emu", "fuzz", "lab", "net", "show", "topo")
# One file for each family, all of one kind: a reader opens one of them, and more folders would only hide it.
ANY_NUMBER = ("algorithms/families",)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def room_of(path):
    """The longest prefix that is a room; None for a folder that is none."""
    folders = path.split("/")[:-1]
    while folders:
        if "/".join(folders) in ROOMS:
            return "/".join(folders)
        if "/".join(folders[:-1] + ["*"]) in ROOMS:
            return "/".join(folders)
        folders.pop()
    return None


def level_of(room):
    return ROOMS.index(room if room in ROOMS else room.rpartition("/")[0] + "/*")


def main():
    findings = []
    for top in sorted({room.split("/")[0] for room in ROOMS}):
        for path in sorted(pathlib.Path(top).rglob("*.[ch]pp")):
            own = room_of(str(path))
            if own is None or (path.parent.as_posix() != own and top in COUNTED):
                findings.append(f"{path}: its folder is no room; tools/check_includes.py lists them")
            if own is None:
                continue
            for included in INCLUDE.findall(path.read_text()):
                other = room_of(included)
                if other is None:
                    findings.append(f"{path}: includes {included}, which is in no room")
                elif level_of(other) > level_of(own) or (level_of(other) == level_of(own) and other != own):
                    findings.append(f"{path}: includes {included}, which runs back up from {own}")
                elif (own.split("/")[0], other.split("/")[0]) in STRANGERS:
                    findings.append(f"{path}: includes {included}; {top} does not know {other}")
    for folder in sorted({path.parent for top in COUNTED for path in pathlib.Path(top).rglob("*.[ch]pp")}):
        files = list(folder.glob("*.[ch]pp"))
        if folder.as_posix() not in ANY_NUMBER and len(files) > MOST_FILES:
            findings.append(f"{folder}: {len(files)} source files, at most {MOST_FILES} to a folder")
    for finding in findings:
        print(finding, file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
