"""Mutation tests: `make mutants` applies likely mistakes one by one, and checks that their tests fail."""
