"""Tests send Ctrl-C. A shell that starts something in the background has it ignored, here and in all processes that follow."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
