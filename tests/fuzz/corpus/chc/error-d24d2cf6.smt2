(declare-fun|0x|()Bool)(declare-fun
=a(Int)Bool)(assert false)(assert(forall(($3 	 Bool))(forall
((y	(_ BitVec 1));
(|"s"| Int   )) (= ((_ extract 3 3) #b01111
) (=a |"s"|))