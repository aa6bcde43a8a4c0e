#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/generate_mpi_abi.py [--check]
Writes, from mpi/abi/functions.list and mpi/abi/constants.list, what MPI programs are compiled with and what they are linked with:
mpi/abi/mpi.h, mpi/abi/mpi_functions.h (a table of functions) and mpi/abi/jumps.c (from each function to its place in the table).
--check writes nothing, and fails if a file differs."""
import pathlib
import re
import sys

ABI = pathlib.Path(__file__).resolve().parent.parent / "mpi" / "abi"
WRITTEN = "Written by tools/generate_mpi_abi.py from functions.list and constants.list."
# What a letter of functions.list stands for: in the usual form, and in the large-count form.
LETTERS = {"N": ("int", "MPI_Count"), "D": ("int", "MPI_Aint"), "A": ("MPI_Aint", "MPI_Count")}
FUNCTION = re.compile(r"(\w+) (\w+)\((.*?)\)(?: = (\w+)\((.*)\))?$")
PARAMETER = re.compile(r"(.*?)(\w+)((?:\[\d*\])*)$")


class Function:
    def __init__(self, result, name, parameters, served_by=None, arguments=None):
        self.result = result
        self.name = name  # without MPI_
        self.parameters = parameters  # a text: what stands between the brackets
        self.is_in_table = served_by is None
        self.served_by = served_by or name  # whose place in the table it has
        self.arguments = arguments if served_by else ", ".join(self.names())  # it is called with

    def names(self):
        """Of its parameters. Those that ... stands for are nobody's."""
        if self.parameters == "void":
            return []
        return [PARAMETER.match(parameter)[2] for parameter in self.parameters.split(", ") if parameter != "..."]

    def fixed_parameters(self):
        """Without the dots."""
        return self.parameters.removesuffix(", ...")

    def is_large(self):
        return self.name.endswith("_c")


def lines_of(name):
    return [line for line in (ABI / name).read_text().splitlines() if line and not line.startswith("#")]


def forms(line):
    """The functions that a line of functions.list gives."""
    found = FUNCTION.match(line)
    if not found:
        sys.exit(f"mpi/abi/functions.list: '{line}': not a function; try: int Send(const void *buf, N count, MPI_Comm comm)")
    result, name, parameters = found.groups()[:3]
    if not re.search(r"\b[NDA] ", parameters):
        return [Function(*found.groups())]
    widths = [re.sub(r"\b([NDA])(?= )", lambda letter, which=which: LETTERS[letter[1]][which], parameters) for which in (0, 1)]
    return [Function(result, name, widths[0]), Function(result, name + "_c", widths[1])]


def functions():
    return [function for line in lines_of("functions.list") for function in forms(line)]


def sections():
    """(kind, argument, lines) of constants.list, in order."""
    found = []
    for line in lines_of("constants.list"):
        if heading := re.match(r"\[(\w+) (.*)\]$", line):
            found.append((heading[1], heading[2], []))
        else:
            found[-1][2].append(line)
    return found


def handle(name, lines):
    yield f"typedef struct MPI_ABI_{name} *MPI_{name};"
    for line in lines:
        constant, value = line.split(" ", 1)
        yield f"#define {constant} " + (f"((MPI_{name}){value})" if value.startswith("0x") else value)


def values(title, lines):
    yield f"/* {title} */"
    yield "enum {"
    yield ",\n".join(f"  {constant} = {value}" for constant, value in (line.split(" ", 1) for line in lines))
    yield "};"


def macros(title, lines):
    yield f"/* {title} */"
    for line in lines:
        yield f"#define {line}"


def types(title, lines):
    yield f"/* {title} */"
    yield from lines


def header(all_functions):
    kinds = {"handle": handle, "values": values, "macros": macros, "types": types}
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */",
             f"/* {WRITTEN}",
             "   MPI 5.0 for C and C++, with the numbers and layouts of its standard ABI (MPI 5.0, chapter 20). It includes <stdint.h> alone. */",
             "#ifndef MPI_H_ABI", "#define MPI_H_ABI", "", "#include <stdint.h>", "", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    for kind, argument, section in sections():
        lines += [*kinds[kind](argument, section), ""]
    for prefix in ("MPI_", "PMPI_"):
        lines += [f"{function.result} {prefix}{function.name}({function.parameters});" for function in all_functions] + [""]
    return lines + ["#ifdef __cplusplus", "}", "#endif", "", "#endif"]


def table(all_functions):
    all_functions = [function for function in all_functions if function.is_in_table]
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */",
             f"/* {WRITTEN} */",
             "/* What each function of MPI does: pointers that the host fills in. `place` is the address that the call returns to. Null: not",
             "   served. */",
             "#ifndef HEDDLE_MPI_FUNCTIONS_H", "#define HEDDLE_MPI_FUNCTIONS_H", "", '#include "mpi.h"', "",
             f"#define HEDDLE_MPI_FUNCTION_COUNT {len(all_functions)}", "", "struct heddle_mpi_functions {"]
    for function in all_functions:
        parameters = function.fixed_parameters()
        behind = "" if parameters == "void" else ", " + parameters
        lines.append(f"  {function.result} (*{function.name})(const void *place{behind});")
    return lines + ["};", "", "#endif"]


def jumps(all_functions):
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */",
             f"/* {WRITTEN} */",
             "/* Every function of MPI jumps through the table that the host fills in. PMPI_X is the function, MPI_X a weak name for it: a program",
             "   or a tool may have an MPI_X of its own that calls PMPI_X. A row has the result, the name, the parameters, whose place in the table",
             "   it has, and what that is called with. */",
             '#include "mpi/libc/entry.h"', "",
             "#define PLACE __builtin_return_address(0)",
             "#define JUMP_OR(missing, result, name, parameters, served_by, arguments)                                   \\",
             "  result PMPI_##name parameters {                                                                          \\",
             "    if (!heddle_mpi_host || !heddle_mpi_host->mpi.served_by) { missing; }                                  \\",
             "    return heddle_mpi_host->mpi.served_by arguments;                                                       \\",
             "  }                                                                                                        \\",
             '  extern __typeof__(PMPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)))',
             '#define JUMP(name, ...) JUMP_OR(return heddle_mpi_missing("MPI_" #name, PLACE), int, name, __VA_ARGS__)',
             '#define JUMP_TO_VALUE(result, name, ...) JUMP_OR(heddle_mpi_missing("MPI_" #name, PLACE); return 0, result, name, __VA_ARGS__)', ""]
    for function in all_functions:
        call = "PLACE" + (function.arguments and ", " + function.arguments)
        macro = "JUMP(" if function.result == "int" else f"JUMP_TO_VALUE({function.result}, "
        lines.append(f"{macro}{function.name}, ({function.parameters}), {function.served_by}, ({call}));")
    return lines


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    all_functions = functions()
    differing = []
    for name, lines in (("mpi.h", header(all_functions)), ("mpi_functions.h", table(all_functions)), ("jumps.c", jumps(all_functions))):
        text = "\n".join(lines) + "\n"
        path = ABI / name
        if sys.argv[1:] != ["--check"]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            differing.append(name)
    for name in differing:
        print(f"mpi/abi/{name} is not what the lists say; run tools/generate_mpi_abi.py", file=sys.stderr)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
