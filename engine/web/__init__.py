"""The local web application: a board in the browser, served to this computer only (docs/web.md)."""
