"""The page Tables: what R-Mobility tables prove about a position."""
