// The program of figure 3.4 of Werner's thesis (2018): without interpolation PDR blocks x = 1, x = 0, x = -1, ... for ever.
// expected assert at line 12: safe

procedure main()
{
  var x : int;
  x := 2;
  while (*)
  {
    x := x + 1;
  }
  assert x != 1;
}
