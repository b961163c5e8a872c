"""Evidence as text, written and read: AIGER and BTOR2 witnesses, derivations."""
