"""One type table a release, each a delta on the one before."""
