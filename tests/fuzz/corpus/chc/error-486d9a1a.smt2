	(
declare-fun
v_2
( (	_  BitVec 1  )	) Bool
)	
(	% (	and
forall	( ( next  (  _ BitVec 2
X	(	_	BitVec	1
)	)  ) (
not
(	and
(	and
( = X
X  )  ( v_2	X
)
HORN	( = next  (	bvashr	(	_	bv2	2	)
next  )
) ) ( not
|; x| )
) )	)  ) 
  ( assert  (	not  (  exists  ( |
x	Int
( not	|; x| )  )	) ) )
