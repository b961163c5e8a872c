procedure #x();implementation #x(){var x:int;var a:int;if(a>x){
  }
  assert 3bv3 ++ 3bv2 == x[1:0]+ 0bv2;
}