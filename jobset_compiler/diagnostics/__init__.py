"""Where the program says what is wrong: codes, diagnostics, reports and their writers."""
