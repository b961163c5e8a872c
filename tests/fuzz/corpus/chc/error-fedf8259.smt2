(declare-fun|match|()Bool)(declare-fun|<>|((_	BitVec
2)(_ BitVec	1))Bool)(assert(_)