"""JobSet -> what the JobSet controller creates for it: Jobs, the headless Service, claims. Not on the render path."""

from __future__ import annotations

from jobset_compiler.expand.children import Child, expand

__all__ = ["Child", "expand"]
