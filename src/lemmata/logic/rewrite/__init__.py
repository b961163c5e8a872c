"""Rules that ``logic.build`` and the transforms simplify terms by."""
