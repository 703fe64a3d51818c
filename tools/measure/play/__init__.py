"""Scripts that play games to measure strength, defence and time use, or make openings for such games."""
