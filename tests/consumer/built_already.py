#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: HEDDLE_BUILT=<build folder of heddle> built_already.py <compiler> <flags>... -o <object> -c <source>
A compiler launcher for a project that has heddle as its subdirectory heddle/. A file of heddle that the build folder has compiled by the
same command is not compiled again: its object is copied. The same is: all words but where the build lies, and but those that change no
object. Whatever differs is compiled, so that a flag that the project gave to heddle, or a path that only heddle alone has, shows as ever."""
import json
import os
import pathlib
import shlex
import shutil
import sys

CHANGE_NOTHING = {"-Werror", "-MD"}
CHANGE_NOTHING_WITH_NEXT = {"--param", "-MT", "-MF"}  # how often g++ clears up its memory; the list of headers


def essence(words, build):
    """The words that matter, with paths as if heddle were built in `build`."""
    left = iter(words)
    for word in left:
        if word in CHANGE_NOTHING_WITH_NEXT:
            next(left)
        elif word not in CHANGE_NOTHING:
            yield word.replace(f"{os.getcwd()}/heddle/", f"{build}/").removeprefix("heddle/")


def object_of(words, build):
    """The object that the same command made of the same text, or none."""
    wanted = list(essence(words, build))
    name = wanted[wanted.index("-o") + 1]
    for entry in json.loads((build / "compile_commands.json").read_text()):
        made = shlex.split(entry["command"]) if f"-o {name} " in entry["command"] else []
        if words[0] in made and list(essence(made[made.index(words[0]):], build)) == wanted:
            text = pathlib.Path(words[-1]).read_text().replace(f"{os.getcwd()}/heddle/", f"{build}/")
            return build / name if pathlib.Path(wanted[-1]).read_text() == text and (build / name).exists() else None
    return None


def main(words):
    found = object_of(words, pathlib.Path(os.environ["HEDDLE_BUILT"])) if words[-2] == "-c" and "-o" in words else None
    if found is None:
        os.execvp(words[0], words)
    shutil.copyfile(found, words[words.index("-o") + 1])


main(sys.argv[1:])
