"""Games that measure strength, defence and clocks, and their first positions."""
