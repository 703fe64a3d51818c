"""Everything that differs between operating systems: files, locks, processes, signals, consoles, hardware.

Only this package asks which system it runs on, and uses functions that some systems lack (`make lint` enforces both).
It imports nothing of the engine. Its compiled counterpart is ``cext/base/system.h``.
"""
