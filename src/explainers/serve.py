"""Serve the site on this machine, from memory, and rebuild it at every save.

The pages are those of a build, byte for byte, but for one script that is put in on the way out:
it hears of each build over one long answer (server-sent events), brings what has changed into the
page as it stands, and shows what is wrong over the last good page when it has not been built.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Protocol

from .errors import BuildError, Superseded
from .live import Live
from .model import Report
from .server import PACKAGE, Server
from .watch import Watch
from .write import Memory

PATIENCE = 0.25
"""Seconds without a save after which a mistake is one, and no half-written file."""

SETTLED = 0.3
"""Seconds after a build when the files are looked at once more: events may be lost."""

GLANCE = 0.5
"""Seconds between looks at whether somebody opened a page that is left out as broken."""

SLOW = 0.5
"""Seconds of a build after which a new save ends it, so that an old result is never waited for."""


class Builds(Protocol):
    """What makes the site: a pipeline that keeps what it knows from one build to the next."""

    def build(
        self,
        sink: Memory,
        changed: Collection[Path] | None = None,
        give_up: Callable[[], bool] = lambda: False,
    ) -> Report:
        """Build into the sink, or raise BuildError and leave it as it was.

        `changed` are the files that may differ from those of the last build; without it, all. Where
        it is empty, other pages are looked at than before.
        Once `give_up` says so, the build may end with Superseded.
        """

    def is_behind(self) -> bool:
        """Tell whether the files are no longer those of the last build, good or bad."""


class Session:
    """An author's afternoon: builds follow saves, until Ctrl-C."""

    def __init__(
        self,
        live: Live,
        builder: Builds,
        watch: Watch,
        *,
        say: Callable[[str], None],
        explain: Callable[[BuildError], str],
        closing: Callable[[Report], str],
    ) -> None:
        """Keep what is told to whom; `explain` and `closing` put a build into words."""
        self._live, self._builder, self._watch = live, builder, watch
        self._say, self._explain, self._closing = say, explain, closing
        self._sink = Memory(live.glimpse, live.watched)

    def run(self) -> None:
        """Build again and again."""
        changed: Collection[Path] | None = None
        while True:
            problems = self._build(changed)
            # Half a file is no mistake: the rest of it may be on its way.
            changed = self._watch.wait(SETTLED if problems is None else PATIENCE)
            if not changed and self._builder.is_behind():
                changed = None
                continue
            if not changed:
                if problems is not None:
                    self._live.fail(problems)
                    self._say(problems)
                changed = self._idle()
            if any(is_generator(path) for path in changed):
                self._say("The generator's own code has changed: start serve again to run it.")

    def _idle(self) -> Collection[Path]:
        """Wait for a save, or until somebody opens a draft that was left out as broken."""
        tried: set[str] = set()
        while not (changed := self._watch.wait(GLANCE)):
            state = self._live.state
            asked = {path.removesuffix("/index.html") for path in self._live.watched()}
            broken = {s for s in state.marks if f"{s}/index.html" not in state.files}
            if state.problems is None and asked & broken - tried:
                tried |= asked & broken
                return ()
        return changed

    def _build(self, changed: Collection[Path] | None) -> str | None:
        """Build once and show it; return what is wrong."""
        started = time.monotonic()

        def give_up() -> bool:
            return time.monotonic() - started > SLOW and self._watch.pending()

        try:
            report = self._builder.build(self._sink, changed, give_up)
        except Superseded:
            return None
        except BuildError as error:
            return self._explain(error)
        except Exception:  # a mistake of ours must not end the author's session
            return traceback.format_exc()
        changes = bool(report.written or report.removed)
        self._live.publish(self._sink.files, dict(report.held_back), changed=changes)
        if words := self._closing(report):
            self._say(words)
        return None


def serve(
    server: Server,
    builder: Builds,
    folders: Iterable[Path],
    *,
    say: Callable[[str], None],
    explain: Callable[[BuildError], str],
    closing: Callable[[Report], str],
) -> None:
    """Build, serve and rebuild until Ctrl-C; `explain` and `closing` put a build into words."""
    # Saves made during the first build are heard as well.
    with Watch(folders) as watch:
        threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        try:
            say(f"Serving at {server.url} until Ctrl-C.")
            if server.outside:
                say(f"From other machines of this network: {server.outside}")
            session = Session(
                server.live, builder, watch, say=say, explain=explain, closing=closing
            )
            session.run()
        finally:
            server.shutdown()
            server.server_close()


def is_generator(path: Path) -> bool:
    """Tell whether a file is code of this process, which a rebuild does not load again."""
    kernels = PACKAGE / "kernels"
    return path.suffix == ".py" and path.is_relative_to(PACKAGE) and kernels not in path.parents
