"""What a position and an outcome are worth: the abstract evaluator and the objective."""
