"""Workers: each takes jobs, the short ones first, and gives back what came of them as it comes."""
