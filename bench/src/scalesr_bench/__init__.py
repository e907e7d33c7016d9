"""Problems with known answers, and measurements against other tools."""
