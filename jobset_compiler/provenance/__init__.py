"""Where a value comes from and what it comes to."""
