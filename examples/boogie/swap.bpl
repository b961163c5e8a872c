// Arrays: two cells change places, whatever they are; a table with two indices keeps its other rows.
// expected assert at line 15: safe
// expected assert at line 17: safe

var a : [int]int;
var table : [int, int]bool;

procedure main(i : int, j : int)
  modifies a, table;
{
  var x, y, t : int;
  x, y := a[i], a[j];
  t := a[i];
  a[i] := a[j]; a[j] := t;
  assert a[i] == y && a[j] == x;
  table[i, j] := true;
  assert table[i, j] && (table[j, i] ==> i == j || old(table)[j, i]);
}
