"""What a TrainJob will really run, and where each value comes from: one tree for programs, and the same as text for people.

`explanation` gathers it, `text` words it. On top of the library, like `diff`; nothing of it is on the render path.
"""

from __future__ import annotations

from jobset_compiler.explain.story import FORMAT, explanation

__all__ = ["FORMAT", "explanation"]
