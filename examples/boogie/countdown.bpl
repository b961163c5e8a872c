// An error behind many turns of a loop.
// expected assert at line 14: unsafe

procedure main()
{
  var i, sum : int;
  i, sum := 2000, 0;
  outer:
  while (true)
  {
    if (i == 0) { break outer; }
    i, sum := i - 1, sum + 2;
  }
  assert sum != 4000;
}
