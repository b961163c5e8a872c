(declare-fun	s.t((_  BitVec 1))Bool)(assert(forall((v_23  Bool)(b(_  BitVec	2))(|next2|(_
BitVec  1)))(let((|next2|  ( =	
1  )