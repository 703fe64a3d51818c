"""What the games of an event say beside the standings: reasons, groups, brackets, and figures of parts of the games."""
