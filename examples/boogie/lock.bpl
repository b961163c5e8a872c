// Code with goto, as compilers write it: a lock that is taken and freed in turns.
// expected assert at line 15: safe
// expected assert at line 21: safe

procedure main()
{
  var lock, old_work, new_work : int;
  entry:
    lock := 0;
    havoc new_work;
    old_work := new_work + 1;
    goto head;
  head:
    assume new_work != old_work;
    assert lock == 0;
    lock := 1;
    old_work := new_work;
    goto busy, idle;
  busy:
    // somebody works in between
    assert lock == 1;
    lock := 0;
    new_work := new_work + 1;
    goto idle;
  idle:
    goto head, leave;
  leave:
    return;
}
