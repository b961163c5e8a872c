(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (! (and (= x 1)) :named a1) (P x))))
(assert (forall ((a1 Int)) (=> (and (P a1) (= a1 0)) false)))
