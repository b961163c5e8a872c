(declare-fun|forall|((_	BitVec 2))Bool)(declare-fun
z()Bool)(assert|lambda|