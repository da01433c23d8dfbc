"""Small faults in Python code, such as somebody may make: what `mutants.py` tries, and the tests should notice.

A fault is the change of one place in the body of one function: an operand left out, a bound off by one, a text that is another, a statement that is gone.
Docstrings, annotations, decorators, defaults, `assert` and what is said with an AssertionError are left alone.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Callable, Iterator
    from types import CodeType

    # Names of fields, and numbers in lists, that lead from a module to a node.
    Path = tuple[str | int, ...]

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
LEFT_ALONE = ("annotation", "returns", "decorator_list", "args", "type_params", "format_spec")


class Spot(NamedTuple):
    """Where a fault may be: path leads to the node, number counts the faults of that kind there."""

    file: str
    line: int
    kind: str
    path: Path
    number: int


class Fault(NamedTuple):
    """A spot with the change in words, and the function with the fault: its code, its name, and the line where it begins (or its decorators)."""

    spot: Spot
    before: str
    after: str
    code: CodeType
    function: str
    begins: int


def spots(file: str, text: str) -> list[Spot]:
    """All places of a module; file: what it is called."""
    found = []
    for path, node, line in _bodies(ast.parse(text)):
        for kind, change in KINDS.items():
            found += [Spot(file, line, kind, path, number) for number in range(len(change(node)))]
    return found


def fault_at(spot: Spot, root: pathlib.Path) -> Fault | None:
    """The fault, in the file below `root`; None where Python does not compile it."""
    tree = ast.parse((root / spot.file).read_text(encoding="utf-8"))
    owner = _reach(tree, spot.path[:-1])
    node = _step(owner, spot.path[-1])
    assert isinstance(node, ast.AST)
    changed = KINDS[spot.kind](node)[spot.number]
    before, after = ast.unparse(node), ast.unparse(changed)
    if isinstance(owner, list):
        owner[int(spot.path[-1])] = ast.copy_location(changed, node)
    else:
        setattr(owner, str(spot.path[-1]), ast.copy_location(changed, node))
    function = next(found for depth in range(len(spot.path)) if isinstance(found := _reach(tree, spot.path[:depth]), ast.FunctionDef | ast.AsyncFunctionDef))
    begins = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    try:
        module = compile(ast.fix_missing_locations(tree), str(root / spot.file), "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    code = next((code for code in codes_in(module) if (code.co_name, code.co_firstlineno) == (function.name, begins)), None)
    return None if code is None else Fault(spot, before, after, code, function.name, begins)


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """The code of what is defined in a module, class or function."""
    for constant in code.co_consts:
        if hasattr(constant, "co_consts"):
            yield constant
            yield from codes_in(constant)


def _bodies(tree: ast.Module) -> Iterator[tuple[Path, ast.AST, int]]:
    """Every node that may have a fault, with its path and line: below the outermost functions, those of classes too."""

    def statements(body: list[ast.stmt], path: Path) -> Iterator[tuple[Path, ast.AST, int]]:
        for index, statement in enumerate(body):
            here: Path = (*path, "body", index)
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                for number, part in enumerate(statement.body):
                    if not (number == 0 and _is_docstring(part)):
                        yield from _below(part, (*here, "body", number), part.lineno)
            elif isinstance(statement, ast.ClassDef):
                yield from statements(statement.body, here)

    return statements(tree.body, ())


def _below(node: ast.AST, path: Path, line: int) -> Iterator[tuple[Path, ast.AST, int]]:
    if isinstance(node, ast.Assert) or (isinstance(node, ast.Raise) and "AssertionError" in ast.unparse(node)) or _is_docstring(node):
        return
    line = getattr(node, "lineno", line)
    yield path, node, line
    for name, value in ast.iter_fields(node):
        if name in LEFT_ALONE and not (name == "args" and isinstance(node, ast.Call)):
            continue
        if isinstance(value, ast.AST):
            yield from _below(value, (*path, name), line)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                # The fixed parts of an f-string change with the whole.
                if isinstance(item, ast.AST) and not (isinstance(node, ast.JoinedStr) and isinstance(item, ast.Constant)):
                    yield from _below(item, (*path, name, index), line)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _reach(node: ast.AST, path: Path) -> object:
    found: object = node
    for step in path:
        found = _step(found, step)
    return found


def _step(found: object, step: str | int) -> object:
    return found[step] if isinstance(found, list) and isinstance(step, int) else getattr(found, str(step))


def _with(node: ast.AST, **fields: object) -> ast.AST:
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


# The kinds: what each makes of a node, nothing where it does not apply. A node is never changed, only made anew.


def _compared(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.Compare):
        return []
    return [_with(node, ops=[other(), *node.ops[1:]]) for other in COMPARED[type(node.ops[0])]]


def _joined_otherwise(node: ast.AST) -> list[ast.AST]:
    return [_with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())] if isinstance(node, ast.BoolOp) else []


def _without_an_operand(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.BoolOp):
        return []
    left = [[*node.values[:index], *node.values[index + 1 :]] for index in range(len(node.values))]
    return [values[0] if len(values) == 1 else _with(node, values=values) for values in left]


def _not_negated(node: ast.AST) -> list[ast.AST]:
    return [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []


def _counted_otherwise(node: ast.AST) -> list[ast.AST]:
    return [_with(node, op=COUNTED[type(node.op)]())] if isinstance(node, ast.BinOp) and type(node.op) in COUNTED else []


def _another_constant(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.Constant):
        return []
    match node.value:
        case bool(value):
            return [ast.Constant(not value)]
        case int(number):
            return [ast.Constant(number + 1)]
        case str(text):
            return [ast.Constant(f"XX{text}")]
        case _:
            return []


def _another_text(node: ast.AST) -> list[ast.AST]:
    return [_with(node, values=[ast.Constant("XX"), *node.values])] if isinstance(node, ast.JoinedStr) else []


def _another_condition(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.If | ast.IfExp | ast.While):
        return []
    changed = [_with(node, test=ast.UnaryOp(ast.Not(), node.test))]
    return changed if isinstance(node, ast.While) else [*changed, _with(node, test=ast.Constant(True)), _with(node, test=ast.Constant(False))]


def _unfiltered(node: ast.AST) -> list[ast.AST]:
    return [_with(node, ifs=node.ifs[1:])] if isinstance(node, ast.comprehension) and node.ifs else []


def _nothing_returned(node: ast.AST) -> list[ast.AST]:
    has_value = isinstance(node, ast.Return) and node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None)
    return [_with(node, value=ast.Constant(None))] if has_value else []


def _gone(node: ast.AST) -> list[ast.AST]:
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return [ast.Pass()] if is_call or isinstance(node, ast.Assign | ast.AugAssign) else []


def _another_end(node: ast.AST) -> list[ast.AST]:
    return [ast.Continue()] if isinstance(node, ast.Break) else [ast.Break()] if isinstance(node, ast.Continue) else []


def _cut_otherwise(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.Slice):
        return []
    return [_with(node, **{name: None}) for name in ("lower", "upper") if getattr(node, name) is not None]


def _arguments_exchanged(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.Call) or len(node.args) < 2 or any(isinstance(argument, ast.Starred) for argument in node.args[:2]):
        return []
    return [_with(node, args=[node.args[1], node.args[0], *node.args[2:]])]


def _unwrapped(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return []
    is_known = isinstance(node.func, ast.Name) and node.func.id in ("dict", "frozenset", "list", "set", "sorted", "tuple")
    return [node.args[0]] if is_known else []


KINDS: dict[str, Callable[[ast.AST], list[ast.AST]]] = {
    "another comparison": _compared,
    "and for or": _joined_otherwise,
    "an operand gone": _without_an_operand,
    "not gone": _not_negated,
    "another operator": _counted_otherwise,
    "another constant": _another_constant,
    "another text": _another_text,
    "another condition": _another_condition,
    "filter gone": _unfiltered,
    "nothing returned": _nothing_returned,
    "statement gone": _gone,
    "break for continue": _another_end,
    "another slice": _cut_otherwise,
    "arguments exchanged": _arguments_exchanged,
    "call gone": _unwrapped,
}
