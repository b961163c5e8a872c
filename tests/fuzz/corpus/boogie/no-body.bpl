// nothing to execute
procedure p();
