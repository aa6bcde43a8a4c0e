#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if two files define types of one name in one namespace: no compiler sees both, the linker keeps what it likes of either, and
the program goes wrong somewhere else. Anonymous namespaces are a file's own. Relies on clang-format: what a namespace defines stands at
the start of a line."""
import pathlib
import re
import subprocess
import sys

TYPE = re.compile(r"(?:template <[^;]*> )?(?:struct|class|enum class|enum|union) (?:alignas\(\w+\) )?(?:\[\[\w+\]\] )?([A-Za-z]\w*)(?: final)?(?: :[^:].*)? \{")


def namespaces_and_types(text):
    """(namespace, type) of each that the text defines; namespace is None in an anonymous one."""
    spaces = []
    for line in text.splitlines():
        if found := re.match(r"(?:inline )?namespace(?: ([\w:]+))? \{$", line):
            spaces.append(found[1])
        elif re.match(r"\}  // namespace", line):
            spaces.pop()
        elif found := TYPE.match(line):
            if None not in spaces:
                yield "::".join(spaces), found[1]


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.cpp", "*.hpp"], cwd=root,
                            capture_output=True, text=True, check=True).stdout.split()
    homes = {}
    for name in sorted(set(listed)):
        path = root / name
        # Tests and examples are programs of their own.
        if not path.exists() or name.startswith(("tests/", "examples/", "bench/")):
            continue
        for space, kind in namespaces_and_types(path.read_text()):
            homes.setdefault(f"{space}::{kind}", set()).add(name)
    twice = {kind: files for kind, files in homes.items() if len(files) > 1}
    for kind, files in twice.items():
        print(f"{kind} is defined in {' and '.join(sorted(files))}", file=sys.stderr)
    sys.exit(1 if twice else 0)


if __name__ == "__main__":
    main()
