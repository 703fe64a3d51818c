"""Scripts that count from R-Mobility tables what the documentation says about endings."""
