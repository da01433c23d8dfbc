"""A page to look at: the TrainJobs of an input as one HTML file that needs nothing else and asks nobody for anything.

`survey` gathers what the library says, `page` writes it down with Jinja2 (the extra `report`). On top of the library, like `explain`; nothing
of it is on the render path.
"""

from __future__ import annotations

from jobset_compiler.report.page import to_html
from jobset_compiler.report.survey import Survey, survey

__all__ = ["Survey", "survey", "to_html"]
