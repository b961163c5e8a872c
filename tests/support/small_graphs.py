"""Small BTOR2 models with known answers, and how to read them."""

from __future__ import annotations

from lemmata.frontends.btor2 import parse_btor2
from lemmata.models.graph import Graph

# x starts at 0 and grows by 2: never 5 (safe), 6 after three steps (unsafe)
EVEN = """1 sort bitvec 8
2 sort bitvec 1
3 zero 1
4 state 1 x
5 init 1 4 3
6 constd 1 2
7 add 1 4 6
8 next 1 4 7
9 constd 1 5
10 eq 2 4 9
11 bad 10 five
12 constd 1 6
13 eq 2 4 12
14 bad 13 six
"""
# the input i is at most 3 by a constraint; y copies it: never above 3 after the first step, but y starts free
CAPPED = """1 sort bitvec 4
2 sort bitvec 1
3 input 1 i
4 state 1 y
5 next 1 4 3
6 constd 1 3
7 ulte 2 3 6
8 constraint 7
9 ulte 2 4 6
10 zero 2
11 state 2 ran
12 init 2 11 10
13 one 2
14 next 2 11 13
15 and 2 -9 11
16 bad 15 high-later
17 bad -9 high-at-once
"""
# a counter that stops at 10: y runs ahead of x by one, both inductive only together
PAIR = """1 sort bitvec 8
2 sort bitvec 1
3 zero 1
4 one 1
5 state 1 x
6 state 1 y
7 init 1 5 3
8 init 1 6 4
9 constd 1 10
10 ult 2 5 9
11 inc 1 5
12 inc 1 6
13 ite 1 10 11 5
14 ite 1 10 12 6
15 next 1 5 13
16 next 1 6 14
17 constd 1 11
18 ugt 2 6 17
19 bad 18 far
"""
# a memory that never holds more than 99 (safe), and holds 42 after one step (unsafe); the index has {bits} bits
MEMORY = """1 sort bitvec 1
2 sort bitvec {bits}
3 sort bitvec 8
4 sort array 2 3
5 input 2 addr
6 input 3 data
7 zero 3
8 state 4 mem
9 init 4 8 7
10 constd 3 100
11 ult 1 6 10
12 ite 3 11 6 7
13 write 4 8 5 12
14 next 4 8 13
15 read 3 8 5
16 ugte 1 15 10
17 bad 16 big
18 constd 3 42
19 eq 1 15 18
20 bad 19 answer
"""
# a large memory whose contents do not matter: whatever is read, x stays 0
BYSTANDER = """1 sort bitvec 1
2 sort bitvec 32
3 sort array 2 2
4 input 2 addr
5 state 3 mem
6 zero 2
7 state 2 x
8 init 2 7 6
9 read 2 5 4
10 one 2
11 eq 1 9 10
12 ite 2 11 6 7
13 next 2 7 12
14 write 3 5 4 10
15 next 3 5 14
16 redor 1 7
17 bad 16 moved
"""


def graph(text: str) -> Graph:
    return parse_btor2(text.encode(), "model.btor2")
