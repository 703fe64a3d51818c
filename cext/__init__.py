"""The compiled core of Standstill: boards, evaluation, objective, search.

Modules are ordered in layers (docs/architecture.md); a module imports only from its own layer or below.
"""
