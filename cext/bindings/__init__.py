"""Python bindings of the core: the only modules that release and acquire the GIL."""
