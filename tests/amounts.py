"""How often random tests repeat. `make test-long` repeats them as often as docs/measurements.md states."""

import os

LONG = bool(os.environ.get("STANDSTILL_LONG"))
