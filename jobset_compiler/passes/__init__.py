"""Passes: one policy each, a frozen Plan in, edits and diagnostics out; the driver applies them."""
