(declare-fun x!1()Bool)(assert(forall((b0 Int))(forall((|#b1|(_ BitVec 1;|
))) (=> (
and x!1 (>= (+ b0 5 |b0|)2))false))))(assert)