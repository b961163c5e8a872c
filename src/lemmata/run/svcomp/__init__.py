"""The competition on software verification, SV-COMP: witnesses in its format 2.0, and its task definitions."""
