; x counts steps and y grows by two per step; somebody stops the loop whenever they like. Then y = 2x.
; Written with a flag for the stop, so that one predicate is enough.
; expected: safe
(set-logic HORN)
(declare-fun loop (Int Int Bool) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (loop x y true))))
(assert (forall ((x Int) (y Int) (go Bool) (more Bool))
  (=> (and (loop x y go) go) (loop (+ x 1) (+ y 2) more))))
(assert (forall ((x Int) (y Int) (go Bool))
  (=> (and (loop x y go) (not go) (>= x 0) (or (< y (+ x x)) (> y (+ x x)))) false)))
(check-sat)
