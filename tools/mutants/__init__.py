"""Mutation tests: likely mistakes, each with the tests that must fail; `make mutants` applies them one by one."""
