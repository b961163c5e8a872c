"""An AIGER file with every section."""

from __future__ import annotations

FULL = b"""aag 9 2 3 1 4 1 2 2 1
2
4
6 12 1
8 14 8
10 16 13
12
18
3
1
2
1
6
8
10
5
12 2 4
14 12 7
16 15 11
18 16 8
i1 request
l0 busy
b0 never both
j1 again
f0 fair
c
made by hand

end
"""
