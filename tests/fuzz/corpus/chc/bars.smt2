(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((|5| Int)) (=> (and (distinct |5| 2) (<= 0 |5| 2)) (P |5|))))
(assert (forall ((y Int)) (=> (and (P y) (= y 0)) false)))
