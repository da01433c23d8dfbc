"""What each field of the API is for, in our own words; read by the JSON Schemas and by the generator of the models.

Keys are struct names of the type table ("trainer.TrainJobSpec"), then JSON field names; "" describes the struct itself.
A text holds for every release unless it names one. Complete for Trainer and JobSet (a test says so), the most used fields
for the Kubernetes types below them.
"""

from __future__ import annotations

from typing import Any

from jobset_compiler.schemas.descriptions import core, jobset, trainer

TEXTS: dict[str, dict[str, str]] = {**core.TEXTS, **jobset.TEXTS, **trainer.TEXTS}


def description(struct: str, field: str = "") -> str:
    """The description of a struct or of one of its fields; "" where there is none."""
    return TEXTS.get(struct, {}).get(field, "")


def examples(struct: str, field: str) -> list[Any]:
    """Example values of a field; empty where there are none."""
    return list(trainer.EXAMPLES.get((struct, field), ()))
