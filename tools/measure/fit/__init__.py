"""Scripts that fit the evaluation and the reported win rates to games."""
