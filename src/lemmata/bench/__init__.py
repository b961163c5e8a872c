"""Benchmarks: Lemmata against itself and against its peers, on the same files, in the same run.

The idea is a small competition at home. A *case* is a file with an expected verdict (``suites``). A *contestant* is Lemmata
with some options or a peer (``contestants``, ``peers``). Each run is a process of its own under limits that hold for its whole
family (``processes``, ``runners``). Contestants take turns on each file, so that a noisy machine disturbs them alike
(``campaign``). What a run showed is one ``Record`` in ``results.csv`` (``records``), and everything else, scores, tables and
plots, is computed from records (``scores``, ``tables``, ``plots``).

Left out: control groups and core pinning as in BenchExec (Beyer, Löwe, Wendler 2019), which need rights that a user of a
laptop does not have. Ratios within one run are trustworthy here; absolute seconds less so.
"""
