(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((|2| Int)) (=> (and (distinct |2| 2) (<= 0 |2| 2)) (P |2|))))
(assert (forall ((y Int)) (=> (and (P y) (= y 2)) false)))
