(declare-fun X((_ BitVec 1)(_ BitVec 1))Int
check-sat