"""The nouns: frozen records that know nothing of how they were made."""
