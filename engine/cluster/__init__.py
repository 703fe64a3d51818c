"""Runs work on other processes and machines with Dask."""
