"""Engine programs in processes of their own, driven by python-chess's engine clients."""
