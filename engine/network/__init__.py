"""Networks that evaluate positions: their files, and which one is in force."""
