// Globals that procedures change, and their old values.
// expected ensures at line 12: safe
// expected ensures at line 20: safe
// expected requires of withdraw at line 36: safe
// expected assert at line 37: safe

var balance : int;
var moves : int;

procedure deposit(amount : int)
  modifies balance, moves;
  ensures balance == old(balance) + amount && moves == old(moves) + 1;
{
  balance, moves := balance + amount, moves + 1;
}

procedure withdraw(amount : int) returns (ok : bool)
  requires amount >= 0;
  modifies balance, moves;
  ensures (ok ==> old(balance) >= amount) && balance >= old(balance) - amount;
{
  ok := balance >= amount;
  if (ok)
  {
    call deposit(-amount);
  }
}

procedure main(n : int)
  modifies balance, moves;
{
  var ok : bool;
  assume balance >= 0 && n >= 0;
  while (*)
  {
    call ok := withdraw(n);
    assert balance >= 0;
  }
}
