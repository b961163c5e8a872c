"""Designs read by slang, a complete front end of SystemVerilog: is what Yosys makes of a design what the language says?

``child`` is the process in which slang works, ``elaborate`` the compilation and its errors, ``findings`` what is reported,
``survey`` the walk through it; ``constructs``, ``membership``, ``processes`` (with ``flow``), ``drivers``, ``starts``,
``selections`` and ``spelling`` look for what Yosys reads in another way than IEEE 1800-2017. They refuse it with its place, or
report an edit of the text after which both read the same.
"""
