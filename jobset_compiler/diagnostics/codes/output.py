"""5xx: output and integrations."""

from __future__ import annotations
