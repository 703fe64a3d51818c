"""The page Desk: correspondence games of a store, which other programs may use at the same time."""
