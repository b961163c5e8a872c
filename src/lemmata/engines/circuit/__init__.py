"""Engines that unroll a circuit: bounded model checking and k-induction on bits."""
