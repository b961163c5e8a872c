"""Engines that unroll a system over words and ask an SMT solver: memories stay arrays, nothing is turned into bits here."""
