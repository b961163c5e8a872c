(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 1))
