"""Options of the engine and engine.ini."""
