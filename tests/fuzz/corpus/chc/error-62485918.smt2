(declare-fun|lambda|()Bool)(assert(forall((y(_ BitVec 2))(|x'4|(_ BitVec 2))(|(6|Int))(=(forall((|a b|(_	BitVec 1))(y Int))(=(=|a b|(ite false(
_ bv1
1) |a b|)) y	))