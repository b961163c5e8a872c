"""In which order C evaluates (C11 5.1.2.3, 6.5p2, 6.5p3): what is unsequenced, and operands in every order that matters."""
