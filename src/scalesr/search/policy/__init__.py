"""A recurrent network that writes skeletons token by token and learns from the best of them (DSR)."""
