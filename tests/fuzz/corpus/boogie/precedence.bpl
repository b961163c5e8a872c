procedure main()
{
  var a, b: int; var p: bool;
  havoc p; a := -7; b := 2;
  assert a div b == -4 && a mod b == 1 && a div -b == 4 && -a mod -b == 1;
  assert a - b - 1 == -10 && 1 - 2 * 3 == -5 && -a * b == 14;
  assert p ==> !p ==> false <==> true;
  assert p <== !p <== p || p == p;
  assert (if p then a else b) + 1 == if p then -6 else 3;
  assert 5bv3[3:1] ++ 1bv1 == 5bv3;
  assert p;
}
