"""The page Study: games of a file with their variations, comments and evaluations, and live analysis."""
