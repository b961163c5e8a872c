; y rises while x < 100, stays while x < 200, and falls until x = 300: then it is back at 0.
; Each phase has an equation of its own, and the proof has to find all three.
; expected: safe
(set-logic HORN)
(declare-fun rise (Int Int) Bool)
(declare-fun stay (Int Int) Bool)
(declare-fun fall (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (rise x y))))
(assert (forall ((x Int) (y Int)) (=> (and (rise x y) (< x 100)) (rise (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (rise x y) (>= x 100)) (stay x y))))
(assert (forall ((x Int) (y Int)) (=> (and (stay x y) (< x 200)) (stay (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (stay x y) (>= x 200)) (fall x y))))
(assert (forall ((x Int) (y Int)) (=> (and (fall x y) (< x 300)) (fall (+ x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (fall x y) (>= x 300) (not (= y 0))) false)))
(check-sat)
