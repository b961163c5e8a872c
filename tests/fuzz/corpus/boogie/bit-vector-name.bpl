type bv8 = int;
procedure main() { var x: bv8; x := 1; assert x == 1; }
