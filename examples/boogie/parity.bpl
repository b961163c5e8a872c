// Mutual recursion with preconditions: 3 is not even.
// expected requires of odd at line 17: safe
// expected requires of even at line 30: safe
// expected requires of even at line 37: safe
// expected assert at line 38: unsafe

procedure even(n : int) returns (yes : bool)
  requires n >= 0;
{
  if (n == 0)
  {
    yes := true;
  }
  else
  {
    // one less is still no less than 0
    call yes := odd(n - 1);
  }
}

procedure odd(n : int) returns (yes : bool)
  requires n >= 0;
{
  if (n == 0)
  {
    yes := false;
  }
  else
  {
    call yes := even(n - 1);
  }
}

procedure ULTIMATE.start()
{
  var yes : bool;
  call yes := even(3);
  assert yes;
}
