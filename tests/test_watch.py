"""A burst of saves is one change; reading, and editors' own files, are none."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

from explainers import watch as module
from explainers.watch import Watch

SOON, NEVER = 5.0, 0.5
QUIET = 0.2  # longer than in use: a busy machine must not split a burst


@pytest.fixture
def content(tmp_path: Path) -> Path:
    folder = tmp_path / "content"
    (folder / "articles" / "a").mkdir(parents=True)
    (folder / "articles" / "a" / "index.md").write_text("old")
    return folder


@pytest.fixture
def watch(content: Path) -> Iterator[Watch]:
    with Watch([content, content.parent / "absent"], quiet=QUIET) as watch:
        yield watch


def test_a_save_is_seen_soon(watch: Watch, content: Path) -> None:
    page = content / "articles" / "a" / "index.md"
    page.write_text("new")
    saved = time.monotonic()
    assert watch.wait(SOON) == {page}
    assert time.monotonic() - saved < 1.5


def test_a_save_by_renaming_names_the_page(watch: Watch, content: Path) -> None:
    page = content / "articles" / "a" / "index.md"
    draft = content / "articles" / "a" / ".index.md.swap"
    draft.write_text("new")
    draft.replace(page)
    assert watch.wait(SOON) == {page}


def test_a_burst_is_one_change(watch: Watch, content: Path) -> None:
    pages = {content / "articles" / "a" / f"{number}.md" for number in range(20)}
    for page in sorted(pages):
        page.write_text("new")
        time.sleep(0.005)
    assert watch.wait(SOON) == pages
    assert watch.wait(NEVER) == frozenset()


def test_changes_during_a_build_wait_for_the_next_look(watch: Watch, content: Path) -> None:
    first, second = content / "first.md", content / "second.md"
    first.write_text("")
    assert watch.wait(SOON) == {first}
    second.write_text("")
    time.sleep(2 * QUIET)  # nobody waits, as while a build runs
    assert watch.wait(0) == {second}


def test_a_burst_without_end_is_reported_all_the_same(content: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        while not stop.wait(0.01):
            (content / "log.md").write_text("more")

    with Watch([content], longest=0.2) as watch:
        writer = threading.Thread(target=write)
        writer.start()
        try:
            assert watch.wait(SOON) == {content / "log.md"}
        finally:
            stop.set()
            writer.join()


def test_reading_is_no_change(watch: Watch, content: Path) -> None:
    (content / "articles" / "a" / "index.md").read_text()
    list(content.rglob("*"))
    assert watch.wait(NEVER) == frozenset()


@pytest.mark.parametrize("name", [".index.md.swp", "index.md~", "#index.md#", "__pycache__/d.pyc"])
def test_what_editors_and_python_leave_is_no_change(watch: Watch, content: Path, name: str) -> None:
    (content / name).parent.mkdir(exist_ok=True)
    (content / name).write_text("")
    assert watch.wait(NEVER) == frozenset()


def test_a_deleted_and_a_new_folder_are_changes(watch: Watch, content: Path) -> None:
    folder = content / "articles" / "b"
    folder.mkdir()
    assert watch.wait(SOON) == {folder}
    (folder / "index.md").write_text("")
    assert watch.wait(SOON) == {folder / "index.md"}
    (folder / "index.md").unlink()
    folder.rmdir()
    assert watch.wait(SOON) == {folder, folder / "index.md"}


def test_a_folder_that_is_made_later_or_anew_is_watched(content: Path) -> None:
    templates = content.parent / "templates"
    with Watch([content, templates], quiet=QUIET) as watch:
        templates.mkdir()
        assert templates in watch.wait(SOON)
        (templates / "base.html").write_text("one")
        assert watch.wait(SOON) == {templates / "base.html"}
        (templates / "base.html").unlink()
        templates.rmdir()
        assert templates in watch.wait(SOON)
        templates.mkdir()
        assert templates in watch.wait(SOON)
        (templates / "base.html").write_text("two")
        assert watch.wait(SOON) == {templates / "base.html"}


def test_what_lies_beside_the_folders_is_not_watched(watch: Watch, content: Path) -> None:
    (content.parent / "_site").mkdir()
    (content.parent / "_site" / "index.html").write_text("")
    (content.parent / "notes.txt").write_text("")
    assert watch.wait(NEVER) == frozenset()


def test_it_can_be_asked_whether_something_waits(watch: Watch, content: Path) -> None:
    assert not watch.pending()
    (content / "new.md").write_text("")
    deadline = time.monotonic() + SOON
    while not watch.pending():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert watch.wait(SOON) == {content / "new.md"}
    assert not watch.pending()


def test_a_site_below_a_hidden_folder_is_watched(tmp_path: Path) -> None:
    content = tmp_path / ".hidden" / "content"
    content.mkdir(parents=True)
    with Watch([content]) as watch:
        (content / "a.md").write_text("")
        assert watch.wait(SOON) == {content / "a.md"}


def test_without_the_systems_help_it_looks_again_and_again(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Exhausted(Observer):  # type: ignore[misc, valid-type]
        def start(self) -> None:
            raise OSError("inotify watch limit reached")

    monkeypatch.setattr(module, "Observer", Exhausted)
    with Watch([content]) as watch:
        assert isinstance(watch._observer, PollingObserver)
        page = content / "articles" / "a" / "index.md"
        page.write_text("longer than before")
        os.utime(page, (1, 1))
        assert page in watch.wait(SOON)
