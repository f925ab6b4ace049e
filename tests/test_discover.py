"""Discovery finds the site's files and never trusts a stale hash."""

import hashlib
import os
import shutil
import time
from pathlib import Path

import pytest

from explainers import discover as module
from explainers.discover import Index, discover, look, relook


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for path in ("content/articles/a/index.md", "templates/base.html", "static/icon.svg"):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)
    return tmp_path


def _settle(folder: Path) -> None:
    """Make all files old enough that their times can be trusted."""
    for file in folder.rglob("*"):
        os.utime(file, ns=(1_000_000_000, 1_000_000_000))


def test_every_file_is_found_by_path_and_content(site: Path) -> None:
    tree = discover(site, site / ".cache/index.json", site)
    assert list(tree.files) == [
        "content/articles/a/index.md",
        "static/icon.svg",
        "templates/base.html",
    ]
    source = tree.files["static/icon.svg"]
    assert source.digest == hashlib.sha256(b"static/icon.svg").hexdigest()
    assert tree.read("static/icon.svg") == b"static/icon.svg"


def test_hidden_backup_and_cached_files_are_left_out(site: Path) -> None:
    for path in ("content/.hidden", "content/draft.md~", "content/__pycache__/x.pyc"):
        (site / path).parent.mkdir(exist_ok=True)
        (site / path).write_text("x")
    assert len(discover(site, site / "index", site).files) == 3


def test_unchanged_files_are_not_read_again(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _settle(site)
    before = discover(site, site / "index", site)

    def unreadable(_: Path) -> bytes:
        raise AssertionError("a file was read though nothing changed")

    known = module._load(site / "index")
    monkeypatch.setattr(module, "_load", lambda _: known)
    monkeypatch.setattr(Path, "read_bytes", unreadable)
    assert discover(site, site / "index", site) == before


def test_an_edit_that_keeps_size_and_time_is_seen_while_the_time_is_fresh(site: Path) -> None:
    file = site / "static/icon.svg"
    now = time.time_ns()
    file.write_text("aaaa")
    os.utime(file, ns=(now, now))
    first = discover(site, site / "index", site).files["static/icon.svg"].digest
    file.write_text("bbbb")
    os.utime(file, ns=(now, now))
    assert discover(site, site / "index", site).files["static/icon.svg"].digest != first


def test_a_damaged_index_is_made_again(site: Path) -> None:
    before = discover(site, site / "index", site)
    (site / "index").write_text("{not json")
    assert discover(site, site / "index", site) == before


def test_a_linked_folder_is_not_followed(site: Path) -> None:
    (site / "content/loop").symlink_to(site / "content")
    assert len(discover(site, site / "index", site).files) == 3


def test_what_a_site_lacks_is_lent_by_the_tool(
    site: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    for path in ("templates/base.html", "templates/home.html", "content/guide.md"):
        (home / path).parent.mkdir(exist_ok=True)
        (home / path).write_text("the tool's")
    tree = discover(site, site / "index", home)
    assert tree.lent == {"templates/home.html"}
    assert tree.read("templates/home.html") == b"the tool's"
    assert tree.read("templates/base.html") == b"templates/base.html"
    assert "content/guide.md" not in tree.files


# --- Only what is known to have changed ---------------------------------------------------------


def test_a_changed_file_alone_is_looked_at(site: Path) -> None:
    index = Index(site / "index")
    tree = look(site, index, site)
    page, icon = site / "content/articles/a/index.md", site / "static/icon.svg"
    page.write_text("new")
    icon.write_text("not told of")
    seen = relook(tree, index, [page, site / "content/gone.tmp"])
    assert seen is not None
    assert seen.files["content/articles/a/index.md"].digest == hashlib.sha256(b"new").hexdigest()
    assert seen.files["static/icon.svg"] == tree.files["static/icon.svg"]
    assert list(seen.files) == list(tree.files)
    whole = look(site, index, site)
    assert whole.files["content/articles/a/index.md"] == seen.files["content/articles/a/index.md"]
    assert whole.files["static/icon.svg"] != tree.files["static/icon.svg"]


@pytest.mark.parametrize("what", ["new", "gone", "folder", "folder gone", "outside", "lent"])
def test_a_look_at_all_is_needed_when_files_come_and_go(
    site: Path, tmp_path_factory: pytest.TempPathFactory, what: str
) -> None:
    home = tmp_path_factory.mktemp("home")
    (home / "static").mkdir()
    (home / "static/site.js").write_text("lent")
    index = Index(site / "index")
    tree = look(site, index, home)
    changed = {
        "new": site / "content/articles/a/data.py",
        "gone": site / "content/articles/a/index.md",
        "folder": site / "content/articles/b",
        "folder gone": site / "content/articles",
        "outside": home / "static/site.js",
        "lent": site / "static/site.js",
    }[what]
    if what == "folder":
        changed.mkdir()
    elif what == "gone":
        changed.unlink()
    elif what == "folder gone":
        shutil.rmtree(changed)
    else:
        changed.write_text("x")
    assert relook(tree, index, [changed]) is None
