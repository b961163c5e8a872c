; Two counters go up together, as long as they like, then down together until the first is 0: so is the second.
; The proof is x = y, an equation that no bad state mentions.
; expected: safe
(set-logic HORN)
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int) Bool)
(assert (up 0 0))
(assert (forall ((x Int) (y Int)) (=> (up x y) (up (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (up x y) (down x y))))
(assert (forall ((x Int) (y Int)) (=> (and (down x y) (> x 0)) (down (- x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (down x y) (= x 0) (not (= y 0))) false)))
(check-sat)
