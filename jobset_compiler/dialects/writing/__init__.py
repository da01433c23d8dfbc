"""Converted documents as text: the old text with what changes changed, so that it reads as if somebody had edited it by hand."""
