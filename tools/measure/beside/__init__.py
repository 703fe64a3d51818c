"""Measurements that compare Standstill with other engines and libraries: `make bench-peers` prints the tables."""
