# SPDX-License-Identifier: MIT
"""Faults of Python, by its syntax tree: comparisons, logical operators, numbers, truth values, dropped statements."""

import ast
from collections.abc import Iterator

from .fault import Fault

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}


def faults(file: str, text: str) -> Iterator[Fault]:
    """Every fault of the functions in the file, in its order."""
    starts = _line_starts(text)
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                yield from _of(node, file, text, starts)


def _of(node: ast.AST, file: str, text: str, starts: list[int]) -> Iterator[Fault]:
    kind, changed = _changed(node)
    if kind:
        yield _fault(file, text, starts, node, kind, changed)
    elif isinstance(node, ast.If):
        yield _fault(file, text, starts, node.test, "condition", f"not ({ast.unparse(node.test)})")
    elif isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield _fault(file, text, starts, node, "statement", "pass")


def _changed(node: ast.AST) -> tuple[str, str]:
    """Returns the kind of the fault that replaces an expression, and its text; "" if no fault fits."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARISONS:
        other = ast.Compare(node.left, [_COMPARISONS[type(node.ops[0])]()], node.comparators)
        return "comparison", f"({ast.unparse(other)})"
    if isinstance(node, ast.BoolOp):
        operator = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        return "logic", f"({ast.unparse(ast.BoolOp(operator, node.values))})"
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC and not _has_text(node):
        return "sign", f"({ast.unparse(ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right))})"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return "truth", str(not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return "number", str(node.value + 1)
    return "", ""


def _has_text(node: ast.AST) -> bool:
    return any(isinstance(one, ast.JoinedStr) or (isinstance(one, ast.Constant) and isinstance(one.value, str))
               for one in ast.walk(node))  # fmt: skip


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _fault(file: str, text: str, starts: list[int], node: ast.AST, kind: str, after: str) -> Fault:
    assert isinstance(node, ast.expr | ast.stmt)
    assert node.end_lineno is not None and node.end_col_offset is not None
    start = _character(text, starts, node.lineno, node.col_offset)
    end = _character(text, starts, node.end_lineno, node.end_col_offset)
    return Fault(file, start, end, node.lineno, kind, text[start:end], after)


def _character(text: str, starts: list[int], line: int, octets: int) -> int:
    """Returns the index of a character. ast counts bytes of UTF-8 within a line."""
    row = text[starts[line - 1] : starts[line]]
    return starts[line - 1] + len(row.encode()[:octets].decode())
