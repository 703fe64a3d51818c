"""Where Python enters the core to make and read games for training networks, and to train them."""
