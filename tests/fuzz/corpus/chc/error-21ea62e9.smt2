(declare-fun|(Bool) Bool)
(assert)(forall ((next (_ BitVec 1)) (=a Int)'(|| ()) (=> (<= 0 =a 2) (x!1 |