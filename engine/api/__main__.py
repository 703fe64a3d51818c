"""Makes `python -m standstill` the command `standstill`."""

import sys

from .protocol.main import main

sys.exit(main())
