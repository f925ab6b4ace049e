"""Keys: digests of text, of parameters, and of what a piece of Python means."""

from __future__ import annotations

import ast
import hashlib
import json
import os


def digest(*parts: str | bytes) -> str:
    """Return the SHA-256, in hex, of the parts, each with its length before it."""
    texts = [part.encode() if isinstance(part, str) else part for part in parts]
    return hashlib.sha256(b"".join([b"%d:%b" % (len(text), text) for text in texts])).hexdigest()


def canonical(value: object) -> str:
    """Return a value as the one JSON text that stands for it in keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def variable(name: str) -> str:
    """Return the digest of what an environment variable holds, or "absent"."""
    held = os.environ.get(name)
    return "absent" if held is None else digest("variable", os.fsencode(held))


def code_digest(node: ast.AST) -> str:
    """Return the digest of what code says: no places, comments, docstrings or layout.

    The text hashed is our own, not `ast.dump`'s, which differs between versions of Python:
    a result recorded on one machine must be found on another.
    """
    words: list[str] = []
    _spell(node, words)
    return digest("".join(words))


def is_remark(node: object) -> bool:
    """Say whether a statement is only text: a docstring, or a string beside a name."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _spell(node: object, words: list[str]) -> None:
    if isinstance(node, ast.Constant):
        words.append(f"{type(node.value).__name__}:{node.value!r}")
    elif isinstance(node, ast.AST):
        words.append(type(node).__name__)
        words.append("(")
        for name in node._fields:
            value = getattr(node, name, None)
            # Empty fields come and go with versions of Python, and say nothing.
            if value is None or value == [] or name == "ctx" or name == "type_comment":
                continue
            words.append(name)
            words.append("=")
            _spell(value, words)
        words.append(")")
    elif isinstance(node, list):
        words.append("[")
        for item in node:
            if not is_remark(item):
                _spell(item, words)
                words.append(",")
        words.append("]")
    else:
        words.append(repr(node))
