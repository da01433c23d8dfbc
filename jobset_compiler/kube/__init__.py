"""The type table of a release and what it drives; quantities; names; strategic merge."""
