"""The value of positions and outcomes: the abstract evaluator and the objective."""
