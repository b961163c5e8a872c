; A loop runs two thousand times before anything goes wrong: too deep to unroll, quick to execute.
; expected: unsafe
(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(assert (forall ((i Int) (s Int)) (=> (and (= i 0) (= s 0)) (loop i s))))
(assert (forall ((i Int) (s Int) (t Int))
  (=> (and (loop i s) (< i 2000) (= t (+ s (ite (= (mod i 3) 0) 2 1)))) (loop (+ i 1) t))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (>= i 2000) (= s 2667)) false)))
(check-sat)
