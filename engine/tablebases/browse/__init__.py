"""A web page that shows the tables: a server for a browser on this computer, or a single file."""
