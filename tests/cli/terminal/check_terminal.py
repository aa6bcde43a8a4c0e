#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_terminal.py HEDDLE COLUMNS -- ARGUMENTS...: runs the command on a pseudo-terminal of so many columns and fails if a line
that is left on it is longer. With "help all" it looks at the help of every command."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

COLORS = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(command, columns, environment):
    """What is on the terminal when the command has ended: its lines, each with all that a carriage return overwrote."""
    terminal, own_end = pty.openpty()
    fcntl.ioctl(own_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=own_end, stderr=own_end, close_fds=True, env={**os.environ, **environment}
    )
    os.close(own_end)
    read = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # EIO: nobody has the other end any more
            break
        if not part:
            break
        read += part
    os.close(terminal)
    return process.wait(), read.decode("utf-8")


def lines_of(text):
    """Each stretch between line feeds and carriage returns."""
    return re.split(r"\r?\n|\r", text)


def check_width(command, text, columns):
    for line in lines_of(text):
        plain = COLORS.sub("", line).replace("\x1b[K", "")
        if plain.startswith("heddle: "):  # an error is one line, whatever the terminal
            continue
        assert len(plain) <= columns, f"{' '.join(command)}: {len(plain)} columns: {plain}"
        assert "\x1b" not in plain, f"{' '.join(command)}: an escape sequence that is no colour: {plain!r}"


def check(command, columns, expected_status=(0,)):
    status, text = on_terminal(command, columns, {"TERM": "xterm", "NO_COLOR": ""})
    assert status in expected_status, f"{' '.join(command)}: exit status {status}\n{text}"
    assert text.strip(), f"{' '.join(command)}: says nothing"
    check_width(command, text, columns)
    bare_status, bare = on_terminal(command, columns, {"TERM": "xterm", "NO_COLOR": "1"})
    assert bare_status == status
    assert not COLORS.search(bare), f"{' '.join(command)}: colours though NO_COLOR is set"
    # A terminal without columns, as Open MPI's mpirun gives its processes, is as good as a pipe.
    _, without_width = on_terminal(command, 0, {"TERM": "xterm", "NO_COLOR": ""})
    assert not COLORS.search(without_width), f"{' '.join(command)}: colours on a terminal without a width"
    piped = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert "\x1b" not in piped.stdout + piped.stderr, f"{' '.join(command)}: escape sequences in a pipe"
    return text


def commands_of(heddle):
    text = subprocess.run([heddle, "help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z]+) {2,}", text, re.MULTILINE)


def main():
    heddle, columns = sys.argv[1], int(sys.argv[2])
    arguments = sys.argv[4:]
    if arguments == ["help", "all"]:
        commands = commands_of(heddle)
        assert len(commands) >= 12, commands
        for name in commands:
            check([heddle, "help", name], columns)
            if name not in ("mpicc", "mpicxx"):  # which hand it to the compiler
                check([heddle, name, "--help"], columns)
        for formats in ("goal", "msccl"):
            check([heddle, "export", formats, "--help"], columns, expected_status=(0, 2))
        print(f"{len(commands)} commands")
        return
    text = check([heddle, *arguments], columns, expected_status=(0, 1))
    print(f"{len(lines_of(text))} lines")


if __name__ == "__main__":
    main()
