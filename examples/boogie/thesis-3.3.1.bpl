// The system of section 3.3.1 of Werner's thesis (2018): the error is reached on the only way there is.
// expected assert at line 9: unsafe

procedure main()
{
  var x : int;
  x := 0;
  x := x + 1;
  assert x != 1;
}
