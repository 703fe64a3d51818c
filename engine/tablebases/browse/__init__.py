"""A web page that shows the tables: served to a browser on this computer, or as a single file."""
