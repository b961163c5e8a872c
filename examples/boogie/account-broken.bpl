// The same with a fee that nobody checks: the balance may fall below 0.
// expected assert at line 26: unsafe

const fee : int;
axiom fee == 2;
var balance : int;

procedure withdraw(amount : int)
  requires amount >= 0;
  modifies balance;
{
  if (balance >= amount)
  {
    balance := balance - amount - fee;
  }
}

procedure ULTIMATE.start()
  modifies balance;
{
  var n : int;
  balance := 10;
  havoc n;
  assume n >= 0;
  call withdraw(n);
  assert balance >= 0;
}
// expected requires of withdraw at line 25: safe
