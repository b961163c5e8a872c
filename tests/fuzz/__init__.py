"""Fuzzing: files from the manuals' grammars against second readers, enumeration and peers; see ``docs/fuzzing.md``."""
