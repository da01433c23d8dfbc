"""What a compile returns: objects, diagnostics, and what queue controllers and reviewers ask of them."""
