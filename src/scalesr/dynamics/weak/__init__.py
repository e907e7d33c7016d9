"""Laws proposed by integrals of measured states against smooth test functions, without differentiating them."""
