"""Parts of `standstill standings`: reading the games of an event, and its page."""
