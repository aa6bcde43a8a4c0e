#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does every header of heddle compile alone, or every source?

Files are usually compiled several as one (CMAKE_UNITY_BUILD), which hides what one of them forgets to include.

Included headers take most of the time, and the same ones again and again. Some sets of them, the system's and heddle's, are precompiled;
a file gets a set only if it reaches every header of it by its own includes, so that it sees nothing that it would not see anyway. Clang,
where it is installed, takes half of g++'s time. For the same reason headers that include one another are compiled as one chain: A, then
B, which includes A, then C, which includes B.

Usage: compile_alone.py headers|sources <source directory> <compile_commands.json of a build without CMAKE_UNITY_BUILD>
"""
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

FOLDERS = ("include", "core", "process", "topo", "algorithms", "emu", "schedules", "mpi", "lab", "show", "fuzz", "net", "claims", "cli")
PRECOMPILED_SETS = 16
# Built alone anyway, with the flags of each MPI that is installed.
NEED_AN_MPI = {"net/mpi/mpi_transport.cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def sources_and_headers(root: pathlib.Path, database: pathlib.Path):
    """The names of heddle's sources, those of its headers, and the flags that all of them have in common."""
    sources, definitions, flags = set(), set(), []
    for entry in json.loads(database.read_text()):
        if not entry["file"].startswith(str(root)):
            continue
        path = pathlib.Path(entry["file"]).relative_to(root)
        if path.parts[0] not in FOLDERS or path.suffix != ".cpp":
            continue
        sources.add(str(path))
        words = [word for word in shlex.split(entry["command"]) if not word.endswith("ccache")]
        definitions.update(word for word in words if word.startswith("-D"))
        flags = flags or [shutil.which("clang++") or words[0]] + [word for word in words if word.startswith(("-I", "-std"))]
    headers = {str(path.relative_to(root)).removeprefix("include/") for folder in FOLDERS for path in (root / folder).rglob("*.hpp")}
    return sorted(sources - NEED_AN_MPI), sorted(headers - NEED_AN_MPI), flags + sorted(definitions)


def place_of(root: pathlib.Path, name: str) -> pathlib.Path:
    """Where an include of this name leads: public ones are in include/."""
    return root / ("include" if name.startswith("heddle/") else "") / name


def headers_by_name(root: pathlib.Path):
    """A function: the headers, the system's and heddle's, that a file reaches by its own includes and those of heddle's headers."""

    @functools.lru_cache(None)
    def reached(name: str) -> frozenset:
        found = set()
        for kind, included in INCLUDE.findall(place_of(root, name).read_text()):
            if kind == "<":
                found.add(included)
            elif place_of(root, included).exists():
                found |= {included} | reached(included)
        return frozenset(found)

    return reached


def chains(names, included_by):
    """The names in as few lists as can be, in each of which every name is in included_by(the next): a matching of names with their next."""
    previous = {}

    def find_next(name, tried):
        for candidate in names:
            if candidate not in tried and name in included_by(candidate):
                tried.add(candidate)
                if candidate not in previous or find_next(previous[candidate], tried):
                    previous[candidate] = name
                    return True
        return False

    for name in names:
        find_next(name, set())
    following = {name: candidate for candidate, name in previous.items()}
    lists = []
    for name in names:
        if name not in previous:
            chain = [name]
            while chain[-1] in following:
                chain.append(following[chain[-1]])
            lists.append(chain)
    return lists


def sets_worth_compiling(sets):
    """Those that spare most headers, chosen one by one."""
    chosen, spared = [], [0] * len(sets)
    candidates = sorted(set(sets), key=sorted)
    for _ in range(PRECOMPILED_SETS):
        best = max(candidates, key=lambda c: sum(max(0, len(c) - known) for s, known in zip(sets, spared) if c <= s))
        chosen.append(best)
        spared = [max(known, len(best)) if best <= s else known for s, known in zip(sets, spared)]
    return chosen


def main() -> int:
    root = pathlib.Path(sys.argv[2]).resolve()
    sources, headers, flags = sources_and_headers(root, pathlib.Path(sys.argv[3]))
    if len(sources) < 100:
        print(f"only {len(sources)} sources in {sys.argv[3]}: is it a build without CMAKE_UNITY_BUILD?")
        return 1
    names = {"headers": headers, "sources": sources}[sys.argv[1]]
    reached = headers_by_name(root)
    lists = chains(names, reached) if sys.argv[1] == "headers" else [[name] for name in names]
    # What the first of a list reaches, all others reach too.
    sets = sets_worth_compiling([reached(chain[0]) for chain in lists])

    def run(words):
        return subprocess.run(words, capture_output=True, text=True, check=False, cwd=root)

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:

        def precompile(number: int):
            header = pathlib.Path(folder) / f"set_{number}.hpp"
            header.write_text("".join(f'#include "{name}"\n' for name in sorted(sets[number])))
            done = run(flags + ["-x", "c++-header", str(header), "-o", f"{header}.gch"])
            return header if done.returncode == 0 else None

        precompiled = list(pool.map(precompile, range(len(sets))))

        def compile_list(chain):
            fitting = [i for i, header in enumerate(precompiled) if header and sets[i] <= reached(chain[0])]
            words = flags + ["-fsyntax-only"]
            if fitting:
                words += ["-include", str(precompiled[max(fitting, key=lambda i: len(sets[i]))])]
            if chain[0].endswith(".hpp"):
                words += ["-x", "c++"] + [word for name in chain for word in ("-include", name)] + [os.devnull]
            else:
                words += chain
            return chain, run(words)

        failed = 0
        for chain, done in pool.map(compile_list, lists):
            # Of a list that does not compile each file is tried alone: the faulty one may be any, or several.
            for (name,), result in pool.map(compile_list, [[name] for name in chain]) if done.returncode != 0 else ():
                if result.returncode != 0:
                    failed += 1
                    print(f"{name} does not compile alone:\n{result.stderr}")
    print(f"{len(names) - failed} of {len(names)} {sys.argv[1]} compile alone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
