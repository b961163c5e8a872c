(declare-fun|two
lines|(Int Int)Bool)(assert(not(exists((|#b1|Int))(|two
lines||#b1||#b1|))))(assert(forall((|0x|Int))(|two
lines||0x||0x|)))(a'sert)