"""Correspondence servers that speak Xfcc: the connection, and what follows from their answers."""
