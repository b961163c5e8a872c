(declare-fun|two
lines|(Int Int)Bool)(assert(not(exists((|#b1|Int))(|two
lines||#b1||#b1|))))(assert(forall((|forall|Bool)(|0x|Int))|forall|))(assert(forall((|x'|Int))(forall((|let|Int))(>|let|'