"""Run the datasets that the store lacks; evaluate what the articles say of them."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from . import origins
from .data import claims
from .data.claims import Evaluated
from .data.codec import peek
from .data.dataset import origin_of
from .data.forms import Forms
from .data.given import stands_in
from .data.key import Keys
from .data.progress import Progress
from .data.refusals import of_nonfinite, of_samples, undeclared
from .data.run import Call, Done, run
from .digest import canonical, digest
from .errors import BuildError, Problem, Span, refuse
from .model import Expression, Tree
from .store import Store

Pair = tuple[str, str]
"""An article's slug, and the name of a dataset or a function of its data.py."""


_CONCLUSIONS = ("claim", "answer", "number")
"""Uses of an expression that say what is so."""

_ON_DEVICE = {"seconds": 600, "memory": None}
"""Limits where kernels run on a device: its driver reserves address space without end."""

_ROW = re.compile(r"\bnumbers\.(\w+)")
"""A row of a `numbers` table, as an expression names it."""

_names = functools.lru_cache(maxsize=4096)(claims.names)


class Computer:
    """Knows the datasets of one tree: their keys, their results, and what is said of them."""

    def __init__(
        self,
        tree: Tree,
        store: Store,
        code: str,
        *,
        workers: int | None = None,
        say: Callable[[str], None] = lambda _: None,
        give_up: Callable[[], bool] = lambda: False,
        backend: str = "numpy",
    ) -> None:
        """Read declarations only; nothing runs yet. `code` is the digest of the engine."""
        self.keys = Keys(tree, store, backend)
        self._tree, self._store, self._code = tree, store, code
        self._workers, self._say, self._give_up = workers, say, give_up
        self._forms = Forms(store, code)
        self._known: dict[str, tuple[str, ...] | None] = {}
        self.ran: set[Pair] = set()
        self.kept: set[Pair] = set()

    def key(self, slug: str, name: str) -> str:
        """Return the key of a result, or of the code alone while it was never run."""
        first = self._first(slug, name)
        reads = self._reads(slug, first)
        return first if reads is None else self.keys.with_reads(first, reads)

    def reads(self, slug: str, name: str) -> set[str]:
        """Return the files that a dataset and its inputs were seen reading."""
        needs = self.keys.datasets(slug)[name].needs
        below = set().union(*(self.reads(slug, need) for need in needs))
        return below | set(self._reads(slug, self._first(slug, name)) or ())

    def _first(self, slug: str, name: str) -> str:
        """Return the key of what a dataset's code and inputs are, the files it reads apart."""
        declared = self.keys.datasets(slug).get(name)
        first = self.keys.key(slug, name)
        if declared is None or not declared.needs:
            return first
        return digest("inputs", first, *(self.key(slug, need) for need in declared.needs))

    def datasets(self, wanted: Iterable[tuple[str, str, Span]]) -> dict[Pair, bytes]:
        """Return each dataset in its stored form, with those they are made from.

        Raises:
            BuildError: a dataset that is not declared, or that could not be made.
        """
        wanted = list(dict.fromkeys(wanted))
        refuse(
            p
            for slug, name, span in wanted
            if (p := undeclared(self.keys.datasets(slug), name, span))
        )
        made: dict[Pair, bytes] = {}
        for wave in self.keys.waves([(slug, name) for slug, name, _ in wanted]):
            missing = []
            for pair in wave:
                data = self._stored(*pair)
                if data is None:
                    missing.append(pair)
                else:
                    made[pair] = data
                    self.kept.add(pair)
            if missing:
                made |= self._run(missing, made)
        return made

    def values(
        self, slug: str, expressions: Sequence[Expression], made: Mapping[Pair, bytes]
    ) -> dict[Expression, Evaluated]:
        """Return what each expression of a page says; a false claim is a problem.

        The rows of `numbers` tables come first, since any other expression may name them.
        """
        rows = [e for e in expressions if e.use in ("number", "define")]
        rest = [e for e in expressions if e.use not in ("number", "define")]
        found: dict[Expression, Evaluated] = {}
        numbers: dict[str, Evaluated] = {}
        problems: list[Problem] = []
        loaded: dict[str, object] = {}
        for expression in (*rows, *rest):
            result = self._value(slug, expression, made, numbers, loaded)
            if isinstance(result, Problem):
                problems.append(result)
                continue
            found[expression] = result
            if expression.use == "define":
                result = replace(result, origin="cited")
            if expression.use in ("number", "define") and expression.name:
                numbers[expression.name] = result
        refuse(problems)
        return found

    def wire(self, slug: str, name: str, data: bytes) -> str:
        """Return a dataset as the JSON that the browser reads."""
        return self._forms.wire(self.key(slug, name), data, self.keys.datasets(slug)[name].span)

    def downloads(self, slug: str, name: str, data: bytes) -> dict[str, str]:
        """Return a dataset in the forms that people take away: "JSON", and "CSV" for tables."""
        return self._forms.downloads(self.key(slug, name), data)

    def header(self, slug: str, name: str, data: bytes) -> dict[str, Any]:
        """Return what a stored dataset says of itself, its numbers apart."""
        return peek(data)

    def functions(self, slug: str, expressions: Iterable[Expression]) -> list[Expression]:
        """Return the claims that are one bare name of an undecorated function of data.py."""
        known = self.keys.functions(slug)
        return [e for e in expressions if e.use == "claim" and claims.bare_name(e.text) in known]

    def needs(self, slug: str, expressions: Iterable[Expression]) -> set[str]:
        """Return the datasets that expressions name, directly or by the function they call."""
        expressions = list(expressions)
        functions = self.functions(slug, expressions)
        known = self.keys.functions(slug)
        named = {n for e in expressions if e not in functions for n in _names(e.text)}
        for expression in functions:
            named.update(known[claims.bare_name(expression.text) or ""].needs)
        return named - {"numbers"}

    def _value(
        self,
        slug: str,
        expression: Expression,
        made: Mapping[Pair, bytes],
        numbers: Mapping[str, Evaluated],
        loaded: dict[str, object],
    ) -> Evaluated | Problem:
        """Evaluate one expression, or find its result from an earlier build."""
        names = sorted(self.needs(slug, [expression]) & {n for s, n in made if s == slug})
        bare = claims.bare_name(expression.text) or ""
        is_function = bool(self.functions(slug, [expression]))
        code = self.keys.key(slug, bare) if is_function else ""
        named = _ROW.findall(expression.text) if "numbers" in _names(expression.text) else []
        uses = {name: numbers[name].value for name in numbers} if named else {}
        origins = [numbers[name].origin for name in named if name in numbers]
        memo = digest(
            "value",
            self._code,
            canonical([expression.text, expression.use, expression.tolerance, code, uses, origins]),
            *(self.key(slug, name) for name in names),
        )
        stored = self._store.shelf.get(memo)
        if stored is not None:
            return Evaluated.of(json.loads(stored))
        origin = origin_of("", "", [self._origin(slug, names, made), *origins])
        if origin == "sample" and expression.use in _CONCLUSIONS:
            return of_samples(expression)
        if is_function:
            result = self._verdict(slug, expression, names, made)
        else:
            for name in names:
                if name not in loaded:
                    from .data.codec import decode

                    loaded[name] = decode(made[slug, name])
            result = claims.evaluate(expression, {**loaded, "numbers": uses})
        if isinstance(result, Evaluated):
            meant = any("nonfinite" in self.header(slug, n, made[slug, n]) for n in names)
            if refused := of_nonfinite(expression, result.value, meant):
                return refused
            result = replace(result, origin=origin, note=self._note(slug, names, origin))
            self._store.shelf.put(memo, canonical(result.json()).encode())
        return result

    def _origin(self, slug: str, names: Iterable[str], made: Mapping[Pair, bytes]) -> str:
        """Return where the numbers of datasets come from, the least firm of them all."""
        found = [self.header(slug, name, made[slug, name])["origin"] for name in names]
        return origin_of("", "", found)

    def _note(self, slug: str, names: Iterable[str], origin: str) -> str:
        """Return where numbers were measured, or whose they are, in a sentence."""
        if origin in ("computed", "modelled"):
            return ""
        grounds = (origins.ground(self.keys, slug, name) for name in names)
        said = [note for ground in grounds for note in origins.notes(ground, origin)]
        return " ".join(dict.fromkeys(said))

    def _verdict(
        self, slug: str, expression: Expression, names: Sequence[str], made: Mapping[Pair, bytes]
    ) -> Evaluated | Problem:
        """Run a claim that is a function of data.py, in a worker."""
        inputs = tuple((name, made[slug, name]) for name in names)
        root, name = str(self._tree.root), claims.bare_name(expression.text) or ""
        call = Call(root, slug, name, expression.span, inputs, claim=True)
        (result,) = run([call], workers=1, give_up=self._give_up)
        return claims.verdict(expression, result.data) if isinstance(result, Done) else result

    def _reads(self, slug: str, first: str) -> tuple[str, ...] | None:
        """Return the files that a run of this code was seen reading; None when it never ran.

        The same code in another article reads other files.
        """
        key = digest("reads", slug, first)
        if key not in self._known:
            stored = self._store.get(key)
            self._known[key] = None if stored is None else tuple(json.loads(stored))
        return self._known[key]

    def _stored(self, slug: str, name: str) -> bytes | None:
        first = self._first(slug, name)
        reads = self._reads(slug, first)
        if reads is None:
            return None
        return self._store.get(digest("dataset", self.keys.with_reads(first, reads)))

    def is_kept(self, slug: str, name: str) -> bool:
        """Say whether a dataset need not be run."""
        return self._stored(slug, name) is not None

    def _run(self, pairs: Sequence[Pair], made: Mapping[Pair, bytes]) -> dict[Pair, bytes]:
        """Run datasets side by side; each is stored as it ends, so a failure loses no other."""
        calls = []
        problems: list[Problem] = []
        for slug, name in pairs:
            try:
                calls.append(self._call(slug, name, made))
            except BuildError as error:
                problems += error.problems
        refuse(problems)
        progress = Progress([f"{slug}/{name}" for slug, name in pairs], self._say)

        def store(index: int, result: Done | Problem) -> None:
            progress.ended(index, isinstance(result, Done))
            if isinstance(result, Done):
                first = self._first(*pairs[index])
                key = self.keys.with_reads(first, result.reads)
                self._store.put(digest("dataset", key), result.data)
                key = digest("reads", pairs[index][0], first)
                self._store.put(key, canonical(list(result.reads)).encode())
                self._known[key] = result.reads

        limits: dict[str, Any] = {} if self.keys.backend == "numpy" else _ON_DEVICE
        results = run(calls, workers=self._workers, done=store, give_up=self._give_up, **limits)
        refuse(result for result in results if isinstance(result, Problem))
        self.ran.update(p for p, call in zip(pairs, calls, strict=True) if not call.given)
        return {p: r.data for p, r in zip(pairs, results, strict=True) if isinstance(r, Done)}

    def _call(self, slug: str, name: str, made: Mapping[Pair, bytes]) -> Call:
        declared = self.keys.datasets(slug)[name]
        inputs = tuple((need, made[slug, need]) for need in declared.needs)
        root, given = str(self._tree.root), stands_in(self.keys, slug, declared)
        env = tuple((name, os.environ.get(name)) for name in declared.env)
        backend = self.keys.backend
        return Call(root, slug, name, declared.span, inputs, backend, given=given, env=env)
