"""Remove from the cache what the site, as it is now, does not use: `explainers prune`."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace

from .discover import HOME
from .errors import BuildError
from .pipeline import Builder, Options
from .write import Memory


def prune(options: Options, say: Callable[[str], None] = lambda _: None) -> tuple[int, int]:
    """Build the site in memory, remove what that did not use; return how many files and bytes.

    Drafts count too, so that their data need not be made again; a draft that cannot be built
    does not.

    Raises:
        BuildError: the site cannot be built, and it is not known what it uses.
    """
    shutil.rmtree(options.root / ".cache" / "js", ignore_errors=True)
    used: set[str] = set()
    store = None
    for drafts in (True, False):
        with Builder(replace(options, drafts=drafts), say) as builder:
            try:
                builder.build(Memory())
            except BuildError:
                if not drafts:
                    raise
            store = builder.store
            used |= store.used
            if options.root.resolve() == HOME.resolve():  # the tool's own results are there too
                used |= builder.tool_store.used
    return store.prune(used) if store else (0, 0)
