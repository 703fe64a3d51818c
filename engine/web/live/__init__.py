"""The followed game in the browser: the page Live and the overlays."""
