#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_look_ahead.py <objdump> <program or library>
The compiler kept the functions that fetch memory into the cache ahead of its use: Emulation's expect_*. g++ once took them for functions
without effects and left nothing of them but their return; no result tells that, only time."""
import re
import subprocess
import sys

EXPECTED = {"expect_effect", "expect_turn", "expect_drained", "expect_arrived"}
FUNCTION = re.compile(r"^[0-9a-f]+ <heddle::emu::Emulation::(expect_\w+)\(.*\)>:$")
NOTHING = {"endbr64", "nop", "ret", "retq"}

objdump, program = sys.argv[1:]
disassembly = subprocess.run([objdump, "--disassemble", "--demangle", "--no-show-raw-insn", program], capture_output=True, text=True, check=True)
instructions = {}
function = None
for line in disassembly.stdout.splitlines():
    if line.endswith(">:"):
        start = FUNCTION.match(line)
        function = start and instructions.setdefault(start[1], [])
    elif function is not None and "\t" in line:
        function.append(line.split("\t")[1].split()[0])

if instructions.keys() != EXPECTED:
    sys.exit(f"{program} has {sorted(instructions)}, not {sorted(EXPECTED)}")
dropped = [name for name, body in instructions.items() if body[body[0] == "endbr64"] in NOTHING]
if dropped:
    sys.exit(f"the compiler left nothing of {', '.join(dropped)}")
