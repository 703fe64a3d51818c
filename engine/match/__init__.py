"""Engine matches under the rules of R-Mobility: games with bare kings go on, and records are kept."""
