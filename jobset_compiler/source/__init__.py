"""Text to plain JSON values with positions, with the meaning that kubectl and the API server give to YAML and JSON."""
