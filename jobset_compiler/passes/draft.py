"""A Plan while edits are applied to it: what they change, until a new Plan is made. Only what an edit touches is made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.passes.upsert import upsert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jobset_compiler.resolve.plan import Plan, PodContainer, PodSet

Tree = dict[str, Any]


class Fields:
    """A frozen tuple with named fields, and those of them that edits have changed."""

    __slots__ = ("changed", "have")

    def __init__(self, have: Any) -> None:
        self.have = have
        self.changed: Tree = {}

    def get(self, field: str) -> Any:
        return self.changed[field] if field in self.changed else getattr(self.have, field)

    def set(self, field: str, value: object) -> None:
        self.changed[field] = value

    def append(self, field: str, item: object) -> None:
        self.changed[field] = (*self.get(field), item)

    def upsert(self, field: str, item: Tree, same: Callable[[Tree, Tree], bool]) -> None:
        self.changed[field] = upsert(self.get(field), item, same)


class ContainerDraft(Fields):
    """The environment, which gets most of the edits, is kept by name."""

    __slots__ = ("_env", "_places")

    def __init__(self, have: PodContainer) -> None:
        super().__init__(have)
        self._env: list[Tree] = []
        self._places: dict[str, int] = {}

    def upsert_env(self, entry: Tree) -> None:
        """Upsert by name."""
        if not self._places:
            self._keep(self.have.env)
        place = self._places.setdefault(entry["name"], len(self._env))
        if place < len(self._env):
            self._env[place] = entry
        else:
            self._env.append(entry)

    def insert_env(self, entry: Tree, after: str) -> None:
        """In place of the one of that name, else behind the one called `after`, else first."""
        if not self._places:
            self._keep(self.have.env)
        if entry["name"] in self._places:
            self.upsert_env(entry)
        else:
            place = self._places[after] + 1 if after in self._places else 0
            self._keep((*self._env[:place], entry, *self._env[place:]))

    def _keep(self, env: Iterable[Tree]) -> None:
        self._env, self._places = list(env), {}
        for index, have in enumerate(self._env):
            self._places.setdefault(have["name"], index)

    def changes(self) -> Tree:
        if self._places:
            self.changed["env"] = tuple(self._env)
        return self.changed


class PodSetDraft(Fields):
    """Containers and init containers that are edited, by name."""

    __slots__ = ("containers", "init_containers")

    def __init__(self, have: PodSet) -> None:
        super().__init__(have)
        self.containers: dict[str, ContainerDraft] = {}
        self.init_containers: dict[str, ContainerDraft] = {}

    def container(self, name: str) -> ContainerDraft:
        draft = self.containers.get(name)
        if draft is None:
            draft = self.containers[name] = ContainerDraft(self._known(self.have.container(name), name))
        return draft

    def init_container(self, name: str) -> ContainerDraft:
        draft = self.init_containers.get(name)
        if draft is None:
            draft = self.init_containers[name] = ContainerDraft(self._known(self.have.init_container(name), name))
        return draft

    def _known(self, container: PodContainer | None, name: str) -> PodContainer:
        if container is None:
            raise LookupError(f"PodSet {self.have.name} has no container {name} to edit")
        return container

    def frozen(self) -> PodSet:
        for field, drafts in (("containers", self.containers), ("init_containers", self.init_containers)):
            if drafts:
                changes = {name: draft.changes() for name, draft in drafts.items()}
                self.changed[field] = tuple(c._replace(**changes[c.name]) if c.name in changes else c for c in getattr(self.have, field))
        pods: PodSet = self.have._replace(**self.changed)
        return pods


class Draft(Fields):
    """The fields of the Plan itself; PodSets that are edited, by name."""

    __slots__ = ("_pod_sets",)

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._pod_sets: dict[str, PodSetDraft] = {}

    def pod_set(self, name: str) -> PodSetDraft:
        draft = self._pod_sets.get(name)
        if draft is None:
            pods = self.have.pod_set(name)
            if pods is None:
                raise LookupError(f"there is no PodSet {name} to edit")
            draft = self._pod_sets[name] = PodSetDraft(pods)
        return draft

    def frozen(self) -> Plan:
        if self._pod_sets:
            drafts = self._pod_sets
            self.changed["pod_sets"] = tuple(drafts[pods.name].frozen() if pods.name in drafts else pods for pods in self.have.pod_sets)
        plan: Plan = self.have._replace(**self.changed)
        return plan
