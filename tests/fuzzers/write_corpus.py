#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""write_corpus.py SEEDS.txt DIRECTORY: a file for each line, as libFuzzer takes them; \\n in a line is a line feed."""
import pathlib
import sys

seeds, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
directory.mkdir(parents=True, exist_ok=True)
for number, line in enumerate(seeds.read_text().splitlines()):
    (directory / f"seed{number}").write_text(line.replace("\\n", "\n"))
