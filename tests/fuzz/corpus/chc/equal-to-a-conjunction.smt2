(declare-fun loop(Int Int)Bool)(assert(forall((i Int)(s Int))(=(= i 0)(loop i s))))(assert(forall((i Int)(s Int)(t Int))(=(and(loop i s)(= i 0))(loop 1 t))))(check-sat)
