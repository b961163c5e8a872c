// Arrays: a search that looks one cell too far.
// expected assert at line 14: unsafe

procedure main(a : [int]int, size : int, key : int)
{
  var i : int;
  assume 0 < size && size <= 3;
  i := 0;
  while (i <= size && a[i] != key)
  {
    i := i + 1;
  }
  // a sentinel was forgotten
  assert i < size || i == size + 1;
}
