type k = int;
procedure X8() returns	();
implementation X8() // /*
{
}
var X: int;
implementation b0(x_in: int) returns(y_out:
int)
{
  var b8: k;
  while (y_out + 0 >= // "
7)
  {
    b8 := y_out mod 3;
  }
  assert {:a}{:b}	b(X) >=
3 * x_in ||  X || 3bv2;
}
procedure /* c */b0(x_in: int) returns (y_out: int);
