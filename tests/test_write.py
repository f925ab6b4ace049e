"""The writer touches only what changed, and a failed build leaves everything as it was."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from explainers.digest import variable
from explainers.model import Output
from explainers.write import MARK, Folder, Last, Memory, NotOursError, publish

LAST = Last("key", 0, 0, ())


def _names(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()} - {MARK}


def _build(
    tmp_path: Path, files: dict[str, bytes], last: Last | None = LAST
) -> tuple[int, int, int]:
    sink = Folder(tmp_path / "_site", tmp_path / ".cache")
    for path, data in files.items():
        if sink.has(path, data.decode()):
            sink.keep(path)
        else:
            sink.put(Output(path, data), data.decode())
    return sink.finish(last)


def test_only_what_changed_is_written_and_strays_go(tmp_path: Path) -> None:
    assert _build(tmp_path, {"index.html": b"a", "b/index.html": b"b"}) == (2, 0, 0)
    before = (tmp_path / "_site/index.html").stat().st_mtime_ns
    (tmp_path / "_site/stray.txt").write_text("x")
    assert _build(tmp_path, {"index.html": b"a", "c/index.html": b"c"}) == (1, 1, 2)
    assert _names(tmp_path / "_site") == {"index.html", "c/index.html"}
    assert not (tmp_path / "_site/b").exists()
    assert (tmp_path / "_site/index.html").stat().st_mtime_ns == before


def test_new_inputs_that_make_the_same_bytes_rewrite_nothing(tmp_path: Path) -> None:
    _build(tmp_path, {"index.html": b"a"})
    before = (tmp_path / "_site/index.html").stat()
    sink = Folder(tmp_path / "_site", tmp_path / ".cache")
    sink.put(Output("index.html", b"a"), "other inputs")
    assert sink.finish(LAST) == (0, 1, 0)
    assert (tmp_path / "_site/index.html").stat().st_mtime_ns == before.st_mtime_ns
    assert Folder(tmp_path / "_site", tmp_path / ".cache").has("index.html", "other inputs")


def test_nothing_shows_before_the_build_has_succeeded(tmp_path: Path) -> None:
    _build(tmp_path, {"index.html": b"old"})
    sink = Folder(tmp_path / "_site", tmp_path / ".cache")
    sink.put(Output("index.html", b"new"), "new")
    assert (tmp_path / "_site/index.html").read_bytes() == b"old"
    sink.abandon()
    assert (tmp_path / "_site/index.html").read_bytes() == b"old"
    assert list((tmp_path / ".cache/outputs").iterdir()) == [sink._ledger]


def test_a_file_that_was_changed_or_lost_is_made_again(tmp_path: Path) -> None:
    _build(tmp_path, {"index.html": b"a", "b.html": b"b"})
    (tmp_path / "_site/index.html").write_bytes(b"tampered")
    (tmp_path / "_site/b.html").unlink()
    assert Folder(tmp_path / "_site", tmp_path / ".cache").unchanged("key") is None
    assert _build(tmp_path, {"index.html": b"a", "b.html": b"b"}) == (2, 0, 0)
    assert (tmp_path / "_site/index.html").read_bytes() == b"a"


def test_a_page_is_not_there_when_a_file_it_uses_is_lost(tmp_path: Path) -> None:
    sink = Folder(tmp_path / "_site", tmp_path / ".cache")
    sink.put(Output("_/x.js", b"x"), "_/x.js")
    sink.put(Output("index.html", b"a"), "a", ["_/x.js"])
    sink.finish(LAST)
    again = Folder(tmp_path / "_site", tmp_path / ".cache")
    assert again.has("index.html", "a")
    again.keep("index.html")
    assert again.finish(LAST) == (0, 2, 0)
    (tmp_path / "_site/_/x.js").unlink()
    assert not Folder(tmp_path / "_site", tmp_path / ".cache").has("index.html", "a")


def test_an_unchanged_site_is_known_as_one(tmp_path: Path) -> None:
    _build(tmp_path, {"index.html": b"a"}, Last("key", 0, 3, (("b", "draft"),)))
    folder = Folder(tmp_path / "_site", tmp_path / ".cache")
    assert folder.unchanged("key") == Last("key", 1, 3, (("b", "draft"),))
    assert folder.unchanged("other") is None
    _build(tmp_path, {"index.html": b"a"}, Last("key", 0, 3, (), until=1.0))
    assert Folder(tmp_path / "_site", tmp_path / ".cache").unchanged("key") is None


def test_a_build_of_one_page_leaves_the_others(tmp_path: Path) -> None:
    _build(tmp_path, {"index.html": b"a", "b.html": b"b"})
    assert _build(tmp_path, {"b.html": b"c"}, None) == (1, 0, 0)
    assert _names(tmp_path / "_site") == {"index.html", "b.html"}
    assert Folder(tmp_path / "_site", tmp_path / ".cache").unchanged("key") is None


def test_a_folder_of_somebody_else_is_not_cleaned(tmp_path: Path) -> None:
    (tmp_path / "_site").mkdir()
    (tmp_path / "_site/thesis.tex").write_text("years of work")
    with pytest.raises(NotOursError):
        _build(tmp_path, {"index.html": b"a"})
    assert _names(tmp_path / "_site") == {"thesis.tex"}


def test_without_its_ledger_what_is_the_same_is_not_written_anew(tmp_path: Path) -> None:
    _build(tmp_path, {"index.html": b"a", "b.html": b"b"})
    before = (tmp_path / "_site/index.html").stat()
    for ledger in (tmp_path / ".cache/outputs").iterdir():
        os.truncate(ledger, 10)
    assert _build(tmp_path, {"index.html": b"a", "b.html": b"c"}) == (1, 1, 0)
    assert (tmp_path / "_site/index.html").stat().st_mtime_ns == before.st_mtime_ns


def test_a_site_in_memory_changes_as_a_whole() -> None:
    sink = Memory()
    sink.put(Output("_/x.js", b"x"), "_/x.js")
    sink.put(Output("index.html", b"a"), "a", ["_/x.js"])
    sink.put(Output("b.html", b"b"), "b")
    assert sink.files == {}
    assert sink.finish(LAST) == (3, 0, 0)
    assert sink.unchanged("key") and not sink.unchanged("other")
    assert sink.has("index.html", "a") and not sink.has("index.html", "other")
    sink.keep("index.html")
    assert sink.finish(LAST) == (0, 2, 1)
    assert sink.files == {"_/x.js": b"x", "index.html": b"a"}


def test_a_glimpse_shows_what_there_is_and_keeps_it() -> None:
    shown: list[dict[str, bytes]] = []
    sink = Memory(lambda files: shown.append(dict(files)), lambda: ["a.html"])
    assert sink.first() == ["a.html"]
    sink.put(Output("index.html", b"a"), "a")
    sink.glimpse()
    assert shown == [{"index.html": b"a"}]
    sink.glimpse()
    assert len(shown) == 1, "nothing has changed since"
    sink.put(Output("b.html", b"b"), "b")
    assert sink.finish(LAST) == (2, 0, 0)
    sink.put(Output("index.html", b"c"), "c")
    sink.glimpse()
    sink.abandon()
    assert shown[1:] == [{"index.html": b"c", "b.html": b"b"}]
    assert sink.has("index.html", "c")
    sink.keep("index.html")
    assert sink.finish(LAST) == (0, 1, 1)


def test_what_a_killed_build_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    outputs = tmp_path / ".cache/outputs"
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from explainers.model import Output; from explainers.write import Folder\n"
        "sink = Folder(Path('_site'), Path('.cache')); sink.put(Output('index.html', b'a'), 'a')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert [path for path in outputs.iterdir() if path.is_dir()]
    running = Folder(tmp_path / "other", tmp_path / ".cache")
    running.put(Output("index.html", b"b"), "b")
    (left,) = (path for path in outputs.iterdir() if path.is_dir())
    Folder(tmp_path / "_site", tmp_path / ".cache")
    assert left.exists(), "a build that runs keeps what it has"
    assert running.finish(LAST) == (1, 0, 0)


@pytest.mark.parametrize("failing", range(4))
def test_a_publication_that_fails_in_the_middle_leaves_the_old_site(
    tmp_path: Path, failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {"a/index.html": b"old a", "b/index.html": b"old b", "index.html": b"old"}
    _build(tmp_path, old)
    new = {"_/x.js": b"x", **{path: b"new" + data for path, data in old.items()}}
    calls, move = [0], publish._move

    def refusing(source: Path, target: Path) -> None:
        calls[0] += 1
        if calls[0] == failing + 1:
            raise OSError(errno.EIO, "the disk fails", str(target))
        move(source, target)

    monkeypatch.setattr(publish, "_move", refusing)
    with pytest.raises(OSError, match="the disk fails"):
        _build(tmp_path, new)
    read = {name: (tmp_path / "_site" / name).read_bytes() for name in _names(tmp_path / "_site")}
    assert read == old
    monkeypatch.setattr(publish, "_move", move)
    assert _build(tmp_path, old) == (0, 3, 0), "the ledger knows the old files"
    assert _build(tmp_path, new) == (4, 0, 0)


def test_on_another_file_system_a_publication_that_fails_leaves_the_old_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _build(tmp_path, {"a.html": b"old a", "b.html": b"old b"})
    link, copy, real = os.link, shutil.copyfile, Path.replace

    def far(source: Path, target: Path) -> None:
        if ".cache" in str(target):
            raise OSError(errno.EXDEV, "another device")
        link(source, target)

    def full(source: Path, target: Path) -> None:
        if "b.html" in str(target):
            raise OSError(errno.ENOSPC, "no space", str(target))
        copy(source, target)

    def replace(self: Path, target: Path) -> Path:
        if ".cache" in str(self) and ".cache" not in str(target):
            raise OSError(errno.EXDEV, "another device")
        return real(self, target)

    monkeypatch.setattr(os, "link", far)
    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(OSError, match="no space"):
        _build(tmp_path, {"a.html": b"new a", "b.html": b"new b"})
    assert _names(tmp_path / "_site") == {"a.html", "b.html"}
    assert (tmp_path / "_site/a.html").read_bytes() == b"old a"
    monkeypatch.setattr(shutil, "copyfile", copy)
    assert _build(tmp_path, {"a.html": b"new a", "b.html": b"new b"}) == (2, 0, 0)
    assert _names(tmp_path / "_site") == {"a.html", "b.html"}


def test_a_moved_site_is_not_written_anew(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    _build(tmp_path / "here", {"index.html": b"a"}, Last("key", 0, 3, ()))
    (tmp_path / "here").rename(tmp_path / "there")
    folder = Folder(tmp_path / "there/_site", tmp_path / "there/.cache")
    assert folder.unchanged("key") == Last("key", 1, 3, ())


def test_keys_that_are_known_only_at_the_end_are_taken(tmp_path: Path) -> None:
    for sink in (Folder(tmp_path / "_site", tmp_path / ".cache"), Memory()):
        sink.put(Output("index.html", b"a"), "before")
        sink.rekey({"index.html": "after", "other.html": "x"})
        sink.finish(LAST)
        assert sink.has("index.html", "after") and not sink.has("index.html", "before")


def test_another_value_of_a_declared_variable_is_another_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY", "1")
    _build(tmp_path, {"index.html": b"a"}, Last("key", 0, 0, (), variables=_held("TINY")))
    assert Folder(tmp_path / "_site", tmp_path / ".cache").unchanged("key")
    monkeypatch.setenv("TINY", "2")
    assert Folder(tmp_path / "_site", tmp_path / ".cache").unchanged("key") is None


def _held(name: str) -> tuple[tuple[str, str], ...]:
    return ((name, variable(name)),)
