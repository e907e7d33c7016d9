"""The engine next to other tools: evaluation, fits, memory, compile time."""
