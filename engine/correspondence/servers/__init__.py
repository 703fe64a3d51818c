"""Correspondence servers that use Xfcc: the connection, and the conclusions from their answers."""
