"""Templates: laws with holes, what the rows say of each hole, and laws with every hole filled."""
