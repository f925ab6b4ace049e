"""The forms in which a stored dataset leaves the build: for the browser, and for people."""

from __future__ import annotations

import json

from ..digest import digest
from ..errors import BuildError, Problem, Span
from ..store import Store


class Forms:
    """Makes each form once for each key of a dataset; NumPy is imported only for that."""

    def __init__(self, store: Store, code: str) -> None:
        """Take the store; `code` is the digest of the engine."""
        self._store, self._code = store, code

    def wire(self, key: str, data: bytes, span: Span) -> str:
        """Return a dataset as the JSON that the browser reads.

        Raises:
            BuildError: a field that JavaScript cannot hold; `span` is where it is declared.
        """
        memo = digest("wire", self._code, key)
        stored = self._store.get(memo)
        if stored is not None:
            return stored.decode()
        from .codec import decode, wire
        from .values import EncodingError

        dataset = decode(data)
        try:
            text = json.dumps(wire(dataset), separators=(",", ":"), ensure_ascii=False)
        except EncodingError as error:
            message = f'dataset "{dataset.name}" cannot go to the browser: {error}'
            raise BuildError([Problem("dataset-result", message, span, error.hint)]) from error
        self._store.put(memo, text.encode())
        return text

    def downloads(self, key: str, data: bytes) -> dict[str, str]:
        """Return a dataset in the forms that people take away: "JSON", and "CSV" for tables."""
        memo = digest("plain", self._code, key)
        stored = self._store.get(memo)
        if stored is None:
            from .codec import decode
            from .plain import as_csv, as_json

            dataset = decode(data)
            found = {"JSON": as_json(dataset), "CSV": as_csv(dataset)}
            stored = json.dumps({kind: text for kind, text in found.items() if text}).encode()
            self._store.put(memo, stored)
        kept: dict[str, str] = json.loads(stored)
        return kept
