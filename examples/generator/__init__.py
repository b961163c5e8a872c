"""The shipped examples as programs: ``circuit`` to write them in, ``catalog`` to list them, one module per kind of design."""
