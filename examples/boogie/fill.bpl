// Arrays in a loop: one cell is watched while all are written.
// expected assert at line 17: safe

procedure main(size : int, watched : int)
{
  var a : [int]int;
  var i : int;
  assume 0 <= watched && watched < size;
  i := 0;
  while (i < size)
    invariant i >= 0;
    invariant i > watched ==> a[watched] == 7;
  {
    a[i] := 7;
    i := i + 1;
  }
  assert a[watched] == 7;
}
// expected invariant at line 11: safe
// expected invariant at line 12: safe
