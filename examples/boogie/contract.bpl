// A procedure without body is what its contract says: an even number between two others.
// expected requires of between at line 19: safe
// expected assert at line 20: safe
// expected requires of between at line 21: unsafe

function {:inline} even(n : int) returns (bool) { n mod 2 == 0 }

procedure between(low : int, high : int) returns (n : int);
  requires low < high;
  modifies calls;
  ensures low <= n && n <= high && even(n);
  ensures calls == old(calls) + 1;

var calls : int;

procedure main(a : int) returns (n : int)
  modifies calls;
{
  call n := between(a, a + 1);
  assert n == a || (n == a + 1 && !even(a));
  call n := between(n, n mod 3);
}
