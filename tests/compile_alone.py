#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does every source and every header of heddle compile alone?

Files are usually compiled several as one (CMAKE_UNITY_BUILD), which hides what one of them forgets to include. This compiles, without
writing anything, each .cpp of the folders that are libraries and each header that no .cpp of its name includes first.

Usage: compile_alone.py <source directory> <compile_commands.json of a build without CMAKE_UNITY_BUILD>
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

FOLDERS = ("core", "topo", "algorithms", "emu", "fuzz", "cli")


def commands(root: pathlib.Path, database: pathlib.Path):
    """(name, command) of all that is to be compiled."""
    by_folder = {}
    sources = set()
    for entry in json.loads(database.read_text()):
        path = pathlib.Path(entry["file"]).relative_to(root) if entry["file"].startswith(str(root)) else None
        if path is None or path.parts[0] not in FOLDERS:
            continue
        words = shlex.split(entry["command"])
        words = [word for word in words if not word.endswith("ccache")]
        del words[words.index("-o") : words.index("-o") + 2]
        words = words[: words.index("-c")]
        by_folder[path.parts[0]] = words
        sources.add(path)
        yield str(path), words + ["-fsyntax-only", str(root / path)]
    for folder in FOLDERS:
        for header in sorted((root / folder).rglob("*.hpp")):
            name = header.relative_to(root)
            if name.with_suffix(".cpp") not in sources:
                yield str(name), by_folder[folder] + ["-fsyntax-only", "-x", "c++", "-include", str(header), "/dev/null"]


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    todo = dict(commands(root, pathlib.Path(sys.argv[2])))
    if len(todo) < 100:
        print(f"only {len(todo)} files in {sys.argv[2]}: is it a build without CMAKE_UNITY_BUILD?")
        return 1

    def compile_one(item):
        name, command = item
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return name, done.returncode, done.stderr

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, status, errors in pool.map(compile_one, todo.items()):
            if status != 0:
                failed += 1
                print(f"{name} does not compile alone:\n{errors}")
    print(f"{len(todo) - failed} of {len(todo)} files compile alone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
