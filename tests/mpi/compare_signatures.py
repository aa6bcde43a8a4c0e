#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: compare_signatures.py
Compares the types of mpi/abi/mpi.h's functions with those of the MPIs that are installed (Debian's libopenmpi-dev, libmpich-dev), for
the functions that both have. Exit status 77: none is installed."""
import glob
import pathlib
import re
import sys

OURS = pathlib.Path(__file__).resolve().parents[2] / "mpi" / "abi" / "mpi.h"
OTHERS = ["/usr/lib/*/openmpi/include/mpi.h", "/usr/include/*/mpich/mpi_proto.h", "/usr/include/*/mpich/mpio.h"]
# Where MPI 5.0 has other types than the versions that those serve: partitions were counted in MPI_Count at first.
CHANGED = {"Psend_init", "Precv_init"}


def type_of(parameter):
    """Of a parameter, without its name: arrays are pointers, and const is wherever it is."""
    parameter = re.sub(r"\s+", " ", parameter.strip())
    if parameter in ("void", "..."):
        return parameter
    found = re.match(r"(.*?)(\w+)?((?:\[\d*\])*)$", parameter)
    kind, name, brackets = found[1].strip(), found[2], found[3]
    if not kind:  # a type without a name
        kind = name
    elif kind in ("const", "struct"):
        kind += " " + name
    # The first of several dimensions alone is a pointer.
    pointer = "*" if brackets else ""
    kind = kind.replace("MPIO_Request", "MPI_Request").replace("MPI_Handler_function", "MPI_Comm_errhandler_function")
    is_constant = re.search(r"\bconst\b", kind) is not None
    return re.sub(r"\s|\bconst\b", "", kind) + pointer + re.sub(r"^\[\d*\]", "", brackets) + (" const" if is_constant else "")


def prototypes(path):
    text = re.sub(r"/\*.*?\*/", "", pathlib.Path(path).read_text(errors="replace"), flags=re.S)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    text = re.sub(r"MPICH_ATTR_POINTER_WITH_TYPE_TAG\([^)]*\)|MPICH_\w+|ROMIO\w*|OMPI_DECLSPEC|__mpi_interface_(?:deprecated|removed)__\([^)]*\)", "", text)
    found = {}
    for result, name, parameters in re.findall(r"\b(int|double|MPI_\w+) +MPI_(\w+)\(([^;]*?)\)\s*;", text):
        # As an argument, const before a number means nothing to the caller.
        found[name] = (result, [type_of(parameter) for parameter in parameters.split(",")])
    return found


def same(ours, theirs):
    def shape(parameter):
        return parameter.removesuffix(" const") if "*" not in parameter else parameter
    return ours[0] == theirs[0] and [shape(p) for p in ours[1]] == [shape(p) for p in theirs[1]]


def main():
    ours = prototypes(OURS)
    compared = different = 0
    for path in sorted(path for pattern in OTHERS for path in glob.glob(pattern)):
        for name, theirs in prototypes(path).items():
            if name not in ours or name.removesuffix("_c") in CHANGED:
                continue
            if path.endswith("mpio.h") and not name.startswith("File_"):  # declarations that the preprocessor takes out
                continue
            compared += 1
            if not same(ours[name], theirs):
                different += 1
                print(f"MPI_{name}: {ours[name]} in heddle, {theirs} in {path}", file=sys.stderr)
    if compared == 0:
        print("no other MPI is installed")
        return 77
    print(f"{compared} functions compared")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
