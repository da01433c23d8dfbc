"""Goldens as syrupy snapshots: it compares, and under --snapshot-update writes, the part of a case file below its input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.types import PropertyFilter, PropertyMatcher, SerializableData, SerializedData, SnapshotIndex

from tests.golden.case_file import split, write_told
from tests.golden.cases import GOLDEN


class GoldenFile(SingleFileSnapshotExtension):
    """A snapshot is named after its file below `golden/`. Of a case file what people wrote stays as it is; text, such as the
    index, is the whole file."""

    _write_mode = WriteMode.TEXT

    @classmethod
    def get_location(cls, *, test_location: Any, index: SnapshotIndex) -> str:
        return str(GOLDEN / str(index))

    @classmethod
    def get_snapshot_name(cls, *, test_location: Any, index: SnapshotIndex = 0) -> str:
        return str(index)

    def serialize(
        self, data: SerializableData, *, exclude: PropertyFilter | None = None, include: PropertyFilter | None = None, matcher: PropertyMatcher | None = None
    ) -> SerializedData:
        return data if isinstance(data, str) else write_told(data)

    def read_snapshot_data_from_location(self, *, snapshot_location: str, snapshot_name: str, session_id: str) -> SerializedData | None:
        return _parts(Path(snapshot_location))[1] or None

    @classmethod
    def write_snapshot_collection(cls, *, snapshot_collection: Any, name_order: dict[str, int] | None = None) -> None:
        file = Path(snapshot_collection.location)
        head, _ = _parts(file)
        below = next(iter(snapshot_collection)).data
        file.write_bytes((head + ("" if not head or head.endswith("\n") else "\n") + below).encode())


def _parts(file: Path) -> tuple[str, str]:
    content = file.read_bytes().decode() if file.exists() else ""
    return split(content) if file.suffix == ".yaml" else ("", content)
