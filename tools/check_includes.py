#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/check_includes.py [--table]
Holds docs/design.md to the tree. A file includes headers of its own room and of rooms above it in this list, never of one below. A
folder that is not in the list may include everything (tests, examples, benchmarks). A source does not include again what its own
header does. The page has the list as a table, which --table prints, and every path that it names is there."""
import pathlib
import re
import sys

# Lowest first, with its subject. A room may include what stands before it. /*: every folder there is a room, and none knows another.
SUBJECTS = dict(line.split(maxsplit=1) for line in """
heddle                 what users include, `include/heddle`: `Communicator`, types, operations, units, registry
core                   what everyone shares beside that: checks of arguments, hashes, names, files
core/files             text files and XML of other tools, read with complaints that name the line
process                processes of this machine, and messages to them
topo/fabric            `Topology`, routes, names of links; `Fabric`: a topology with speeds
topo/graph             what is computed on links: flows, cuts, aggregation trees
topo/spec              topologies as text, and the table of families
topo/families/*        a file for each family of topologies
topo/files             fabrics from JSON files
topo/readers           fabrics from files of other tools
topo/presets           speeds by name, or from files
topo/jobs              where the nodes of real jobs were
topo/placement         where ranks sit
algorithms/registry    one entry for each algorithm, options, shared formulas
algorithms/executors   what carries out blocks, skips, windows, trees and pipelines
algorithms/families    a file for each family of algorithms
algorithms/hierarchical algorithms composed of phases, by tiers
emu/record             what a run measures and tells its sinks: report, critical path, timeline, sample, failures
emu/settings           what a run is told: settings, faults, orders of events
emu/engine             clocks, the event queue, threads of ranks
emu/switches           operations of switches
emu/messages           communicators of ranks, mailbox, channels, groups
emu/network            the network models, and max-min fair rates
emu/packets            the network model of packets: queues, credits, arbiters, channels
emu/run                one run: the life of a message, tasks, the wiring
emu/memory             the runtime without limits
emu/data               test data, and what must come out
emu/explain            where a wrong element came from
emu/check              checked runs, the least time, positions of elements
emu/studies            many runs of one program: orders, repeatability, credits, contention
schedules/program      a schedule as a value, and what follows from it without a run
schedules/build        schedules written by hand: chunks copied and reduced, made into threads
schedules/run          a schedule run on a `Communicator`; a run recorded as a schedule
schedules/files        MSCCL XML read and written, GOAL written
mpi/compiler           what `heddle mpicc` makes of its arguments
mpi/abi                MPI's standard ABI: `mpi.h`, jumps to the host and their table, all generated
mpi/libc               C that is linked into each MPI program: its entry, and libc's functions with a state for each rank
mpi/image              copies of an MPI program, one for each rank; places in its source
mpi/types              MPI's datatypes and operations: type maps, signatures, packing
mpi/objects            a rank of an MPI run: its handles, communicators, requests, errors
mpi/collectives        MPI's collectives over heddle's algorithms, and those that heddle has no algorithm for
mpi/calls              what each function of MPI does
mpi/run                whole programs on ranks, functions as algorithms, which algorithms collectives run
lab/describe           what is run, as values: `MachineSpec`, `CallSpec`, `SettingsSpec`; the flag table; values as text
lab/decisions          which algorithm Open MPI, MPICH or NCCL takes, as their files and their own tables say
lab/plugin             algorithms from shared libraries and schedule files
lab/run                `run()` of a machine, a workload and settings: `Testbed`, `Setup`, `Outcome`
lab/documents          results as JSON
lab/studies            credits, traffic and links, over many algorithms
lab/sweep              sweeps, journals, shards, and who makes which run
lab/measurements       runs over real networks, as heddle and other programs write them
lab/results            what is made of results: fits, decisions, comparisons
show/document          tables, marked-up text, output files
show/terminal          lines, colours and progress on a terminal
show/drawing           fabrics laid out on a plane, heat maps, charts, SVG
show/reports           what came out, as text
show/trace             traces for Perfetto
show/page              pages for a browser
show                   where results of a run and of a sweep go
fuzz/cases             one case: drawn, run, checked, judged
fuzz                   the search, and the shrinking of what fails
fuzz/reports           findings as text
net/ranks              the `Communicator` over a network
net/tcp                ranks over TCP
net/mpi                ranks over MPI
net/study              checked calls over a network
library                the public headers, done by what stands before
python/core            `heddle._core`: runs, results and ranks of the Python module
claims                 what a claim is, and how it is compared with runs
claims/sources         what is computed for the claims of one source
cli/process            exit status, signals, memory of the process
cli/flags              flags and their values; help, manual and completion
cli/commands           a file for each command
cli                    the `heddle` program
""".strip().splitlines())
ROOMS = list(SUBJECTS)
# Whose rooms do not know each other though one stands before the other.
STRANGERS = [("algorithms", "topo"), ("emu", "algorithms"), ("mpi", "topo"), ("mpi", "emu"), ("mpi", "schedules")]
# Folders whose rooms hold at most so many source files.
MOST_FILES = 32
COUNTED = ("algorithms", "claims", "cli", "emu", "fuzz", "lab", "mpi", "net", "show", "topo")
# One file for each family, all of one kind: a reader opens one of them, and more folders would only hide it.
ANY_NUMBER = ("algorithms/families",)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
ANY_INCLUDE = re.compile(r'^#include ([<"].*[>"])', re.MULTILINE)


def room_of(path):
    """The longest prefix that is a room; None for a folder that is none."""
    folders = path.removeprefix("include/").split("/")[:-1]
    while folders:
        if "/".join(folders) in ROOMS:
            return "/".join(folders)
        if "/".join(folders[:-1] + ["*"]) in ROOMS:
            return "/".join(folders)
        folders.pop()
    return None


def level_of(room):
    return ROOMS.index(room if room in ROOMS else room.rpartition("/")[0] + "/*")


def table():
    """The rooms, as docs/design.md has them."""
    return "\n".join(["| room | subject |", "|---|---|", *(f"| `{room}` | {subject} |" for room, subject in SUBJECTS.items())])


def page_findings():
    page = pathlib.Path("docs/design.md").read_text()
    if table() not in page:
        yield "docs/design.md: not the table of rooms that tools/check_includes.py --table prints"
    tops = {room.split("/")[0] for room in ROOMS} | {"docs", "include", "tests", "tools"}
    for path in sorted(set(re.findall(r"`(\w+/[\w./-]*)`", page))):
        there = pathlib.Path(path).exists() or any(pathlib.Path(path + ending).exists() for ending in (".cpp", ".hpp"))
        if path.split("/")[0] in tops and not there:
            yield f"docs/design.md: names {path}, which is not there"


def repeated_includes():
    for top in sorted({room.split("/")[0] for room in ROOMS} | {"tests"}):
        for header in sorted(pathlib.Path(top).rglob("*.hpp")):
            source = header.with_suffix(".cpp")
            included = ANY_INCLUDE.findall(source.read_text()) if source.exists() else []
            if f'"{header.as_posix()}"' in included:
                for again in sorted(set(included) & set(ANY_INCLUDE.findall(header.read_text()))):
                    yield f"{source}: includes {again}, which its own header does already"


def main():
    if sys.argv[1:] == ["--table"]:
        print(table())
        return 0
    findings = [*page_findings(), *repeated_includes()]
    for top in sorted({room.split("/")[0] for room in ROOMS}):
        for path in sorted(pathlib.Path("include" if top == "heddle" else top).rglob("*.[ch]pp")):
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
