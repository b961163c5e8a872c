(assert(forall((y 	 Bool);|
(
|| Bool)) (=> (= ( ; (
or 0not |