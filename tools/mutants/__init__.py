"""Likely mistakes, each with the tests that have to notice it; `make mutants` makes them one by one."""
