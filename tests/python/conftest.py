# SPDX-License-Identifier: Apache-2.0
"""Tests that interrupt themselves: Python leaves SIGINT ignored where its parent did, as a shell does in the background."""
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
