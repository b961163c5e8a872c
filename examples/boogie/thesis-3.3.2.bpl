// The system of section 3.3.2 of Werner's thesis (2018): two counters that stay equal.
// expected assert at line 14: safe

procedure main()
{
  var x, y : int;
  x := 0;
  y := x;
  while (*)
  {
    x := x + 1;
    y := y + 1;
  }
  assert x == y;
}
