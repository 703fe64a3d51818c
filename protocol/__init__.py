"""Text in, text out: the chess protocols and the command line. The only code that reads input or prints."""
