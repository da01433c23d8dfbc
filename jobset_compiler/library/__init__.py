"""The calls of the library: one text, Python objects, a stream of any length, an update."""
