"""`python -m standstill` is the command `standstill`."""

import sys

from .protocol.main import main

sys.exit(main())
