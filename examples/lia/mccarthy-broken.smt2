; As mccarthy.smt2, but somebody subtracts 9 instead of 10: mc(101) is 92, and mc(100) = mc(102) is 93.
; expected: unsafe
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (> n 100) (= r (- n 9))) (mc n r))))
(assert (forall ((n Int) (m Int) (t Int) (r Int))
  (=> (and (<= n 100) (= m (+ n 11)) (mc m t) (mc t r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 101) (not (= r 92)) (> n 95)) false)))
(check-sat)
