implementation {:x 1} q#(x': int) returns ($: int) { $ := x' + 1; }
procedure main() { var \old, ~b: int; \old := 1; call ~b := q#(\old);
  assert {:msg "// no comment"} ~b == 2; /* assert false; */
  L.1: while (*) invariant ~b > 1; { ~b := ~b + 1; if (~b > 3) { break L.1; } }
  assert ~b <= 3; }
procedure q#(x': int) returns ($: int); requires x' > 0; ensures $ > x';
