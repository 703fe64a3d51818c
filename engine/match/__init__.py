"""Engine matches under the rules of R-Mobility: games with bare kings continue, and records are kept."""
