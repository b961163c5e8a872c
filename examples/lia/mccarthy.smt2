; McCarthy's function: mc(n) = n - 10 above 100, otherwise mc(mc(n + 11)). It is 91 wherever n is at most 101.
; The clause of the recursion has two premises.
; expected: safe
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (> n 100) (= r (- n 10))) (mc n r))))
(assert (forall ((n Int) (m Int) (t Int) (r Int))
  (=> (and (<= n 100) (= m (+ n 11)) (mc m t) (mc t r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 101) (not (= r 91))) false)))
(check-sat)
