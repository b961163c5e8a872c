// McCarthy's function: recursion that needs a summary.
// expected ensures at line 6: safe
// expected assert at line 24: safe

procedure mc(n : int) returns (r : int)
  ensures n <= 101 ==> r == 91;
{
  var t : int;
  if (n > 100)
  {
    r := n - 10;
  }
  else
  {
    call t := mc(n + 11);
    call r := mc(t);
  }
}

procedure main(k : int)
{
  var m : int;
  call m := mc(k);
  assert k <= 100 ==> m == 91;
}
