"""A web page that shows what tables say: served to a browser of this computer, or as one file by itself."""
