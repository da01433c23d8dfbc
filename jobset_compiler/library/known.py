"""The runtimes of recent calls: a controller that passes the same ones again and again has each read and judged once.

They are known by their content, and what comes back says the same as if it had been read anew, of the document of this call: its
places are where the runtime stands now. Nothing that a caller is given belongs to the memory. It is bounded, and forgets the
runtime that was asked for least recently.
"""

from __future__ import annotations

from _thread import allocate_lock
from marshal import dumps
from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.documents import TRAIN_JOB, kind_of
from jobset_compiler.pipeline import RuntimeVerdict, read_runtime
from jobset_compiler.resolve.facts import NO_FACTS
from jobset_compiler.source.objects import as_tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.request.options import Options
    from jobset_compiler.source.document import Document

# Runtimes that are remembered, and how long (characters, or bytes of an object) one may be for that.
MOST, LONGEST = 32, 1 << 16
# Ways to judge one runtime: by release and options.
MOST_VERDICTS = 8
# A form of marshal that depends on nothing but the value.
PLAIN = 2


class Known:
    """One runtime: its value, and the verdicts on it with the document that each was passed on."""

    __slots__ = ("value", "verdicts")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.verdicts: dict[Options, tuple[Document, RuntimeVerdict]] = {}


class RuntimeMemory:
    """May be asked by many threads at once: at worst one of them reads again what another is reading."""

    def __init__(self) -> None:
        # Held while the two below change together.
        self._changing = allocate_lock()
        self._by_content: dict[str | bytes, Known] = {}
        self._by_value: dict[int, Known] = {}

    def recall(self, content: str | bytes) -> Any:
        """The value of a runtime that had this content; None if there is none."""
        with self._changing:
            known = self._by_content.pop(content, None)
            if known is None:
                return None
            self._by_content[content] = known
        return known.value

    def remember_texts(self, documents: Iterable[Document]) -> None:
        """Documents of a text in which nothing was wrong."""
        for document in documents:
            if is_runtime(document.value) and not document.prefix and document.text and document.text not in self._by_content:
                self.remember(document.text, document.value)

    def remember(self, content: str | bytes, value: Any) -> None:
        """Of what is no runtime, or too long, nothing is kept."""
        if len(content) > LONGEST or not is_runtime(value):
            return
        with self._changing:
            self._forget(content)
            self._by_content[content] = self._by_value[id(value)] = Known(value)
            for oldest in list(self._by_content)[:-MOST]:
                self._forget(oldest)

    def _forget(self, content: str | bytes) -> None:
        known = self._by_content.pop(content, None)
        if known is not None:
            self._by_value.pop(id(known.value), None)

    def tree_of(self, item: object) -> Any:
        """`as_tree`, or the tree of a runtime that is known."""
        content = content_of(item) if is_runtime(item) else None
        if content is not None and (known := self.recall(content)) is not None:
            return known
        tree = as_tree(item)
        if content is None and is_runtime(tree):  # a model, or a mapping of another kind
            content = content_of(tree)
            if content is not None and (known := self.recall(content)) is not None:
                return known
        if content is not None:
            self.remember(content, tree)
        return tree

    def read_runtime(self, document: Document, options: Options) -> RuntimeVerdict:
        """The verdict of `pipeline.read_runtime`."""
        known = self._by_value.get(id(document.value))
        if known is None or known.value is not document.value:
            return read_runtime(document, options)
        # What has to do with TrainJobs alone is kept from the pipeline, so that no verdict can hang on it.
        # Of passes only those count that change what a schema lets through.
        admitting = tuple(step for step in options.passes if step.admits)
        asked = options._replace(facts=NO_FACTS, passes=admitting, problems=(), bundled_runtimes=True, ignore_missing_runtime=False)
        found = known.verdicts.get(asked)
        if found is None:
            if len(known.verdicts) >= MOST_VERDICTS:
                known.verdicts.clear()
            found = known.verdicts[asked] = (document, read_runtime(document, asked))
        return moved(found[1], found[0], document)


def moved(verdict: RuntimeVerdict, was: Document, now: Document) -> RuntimeVerdict:
    """The same verdict on a document with the same content in another place."""
    runtime = None if verdict.runtime is None else verdict.runtime._replace(document=now)
    return RuntimeVerdict(verdict.key, runtime, [diagnostic.moved(was, now) for diagnostic in verdict.diagnostics])


def is_runtime(value: Any) -> bool:
    return kind_of(value) not in ("", TRAIN_JOB)


def content_of(item: Any) -> bytes | None:
    """Bytes that are equal for equal trees only, types and order of keys included; None for what has more than plain values."""
    try:
        return dumps(item, PLAIN)
    except ValueError:
        return None
