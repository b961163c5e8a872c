"""Verilog and SystemVerilog, read by Yosys (the library pyosys): designs in, transition systems over words out.

``child`` is the process in which Yosys works, ``yosys`` its commands and errors, ``netlist`` what it wrote, ``words`` how bits
become words with the names of the source, ``cells`` and ``memories`` what cells compute, ``reader`` the system.
"""

from lemmata.frontends.verilog.reader import parse_design

__all__ = ["parse_design"]
