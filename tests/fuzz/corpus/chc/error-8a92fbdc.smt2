(assert(forall
_