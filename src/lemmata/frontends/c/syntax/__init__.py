"""Syntax of C: from preprocessing tokens to those of the parser, and to its tree (C11 5.1.1.2, phases 5 to 7)."""
