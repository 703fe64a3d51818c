"""Other figures of an event: reasons for the order, groups, brackets, fair komis, results by opening or colour."""
