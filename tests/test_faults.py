"""What a machine or a stranger may do to a site: the site stays right, or the error is clear."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from explainers.model import Tree

from .conftest import DATE, Site

SECRET = "what lies outside of the site"


@pytest.fixture
def plain(site: Site) -> Site:
    site.article("a", "A text, and [b](../b/index.md).\n")
    site.article("b", "Another.\n")
    assert site.build().code == 0
    return site


def fresh(site: Site) -> dict[str, bytes]:
    """Return what a build in a new folder makes of the same sources."""
    clean = Site(site.root.with_name("clean"))
    shutil.rmtree(clean.root, ignore_errors=True)
    shutil.copytree(site.root / "content", clean.root / "content", symlinks=True)
    built = clean.build()
    assert built.code == 0, built.err
    return clean.output()


def test_a_clock_that_goes_backwards_hides_no_edit(
    plain: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = 86_400
    real, real_ns = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: real() - day)
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() - day * 10**9)
    for number, moment in enumerate((real() - day, real() - 30 * day, 1, real() + 30 * day)):
        plain.article("b", f"Edit {number}.\n")
        os.utime(plain.root / "content/articles/b/index.md", (moment, moment))
        assert plain.build().code == 0
        assert f"Edit {number}." in plain.page("b")
        assert plain.output() == fresh(plain)


def test_links_in_circles_and_to_nowhere_are_no_files(plain: Site) -> None:
    before = plain.output()
    folder = plain.root / "content/articles/a"
    (folder / "itself").symlink_to("itself")
    (folder / "one").symlink_to("two")
    (folder / "two").symlink_to("one")
    (folder / "up").symlink_to("../..")
    (folder / "gone").symlink_to("no-such-file")
    (plain.root / "content/articles/again").symlink_to("a")
    os.mkfifo(folder / "pipe")
    shutil.rmtree(plain.root / "_site")
    built = plain.build()
    assert (built.code, built.err) == (0, "")
    assert plain.output() == before


def test_a_link_inside_the_site_is_the_file_it_leads_to(plain: Site) -> None:
    (plain.root / "content/words.txt").write_text("words")
    (plain.root / "content/articles/a/words.txt").symlink_to("../../words.txt")
    plain.article("a", "See [words](words.txt).\n")
    assert plain.build().code == 0
    assert any(data == b"words" for path, data in plain.output().items() if "words" in path)


WAYS_OUT = {
    "a link up": ("[x](../../../../secret.txt)", ""),
    "a link from the root": ("[x](/secret.txt) [y](</etc/passwd>)", ""),
    "a link encoded": ("[x](%2e%2e/%2e%2e/%2e%2e/%2e%2e/secret.txt)", ""),
    "a link with a zero": ("[x](a%00/../../../../../secret.txt)", ""),
    "an image": ("![x](../../../../secret.svg)", ""),
    "a listing": (":::{listing} ../../../../secret.txt\n:::", ""),
    "a listing of a kernel": (":::{listing} kernels/../../../secret.txt\n:::", ""),
    "a figure's kind": (":::{figure} ../../../../secret\n:label: x\n:::", ""),
    "an alias up": ("Text.", "aliases: [../../secret]"),
    "an alias encoded": ("Text.", 'aliases: ["..%2fsecret"]'),
    "an alias with a backslash": ("Text.", 'aliases: ["..\\\\secret"]'),
    "an alias with a zero": ("Text.", 'aliases: ["a\\0b"]'),
    "a file that is a link": ("[x](link.txt)", ""),
    "a folder that is a link": ("[x](folder/secret.txt)", ""),
    "a listing of a link": (":::{listing} link.txt\n:::", ""),
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_there_is_no_way_out_of_the_site(site: Site, way: str) -> None:
    for name in ("secret.txt", "secret.svg", "secret.js"):
        (site.root.parent / name).write_text(SECRET)
    body, front = WAYS_OUT[way]
    key, _, value = front.partition(": ")
    site.article("a", f"{body}\n", **({key: value} if key else {}))
    folder = site.root / "content/articles/a"
    (folder / "link.txt").symlink_to(site.root.parent / "secret.txt")
    (folder / "folder").symlink_to(site.root.parent)
    built = site.build()
    assert built.code == 1
    assert "content/articles/a/index.md:" in built.err
    assert SECRET not in built.err
    assert not (site.root / "_site").exists()
    assert sorted(p.name for p in site.root.parent.iterdir()) == [
        *("secret.js", "secret.svg", "secret.txt", "site"),
    ]


def test_a_file_that_vanishes_in_mid_build_is_named(
    plain: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = plain.output()
    plain.write("content/articles/a/words.txt", "words")
    plain.article("a", "Now [words](words.txt).\n")
    read = Tree.read

    def vanishing(self: Tree, path: str) -> bytes:
        if path.endswith("words.txt"):
            (plain.root / path).unlink(missing_ok=True)
        return read(self, path)

    monkeypatch.setattr(Tree, "read", vanishing)
    built = plain.build()
    assert built.code == 1
    assert "words.txt vanished while the site was built" in built.err
    assert plain.output() == before
    monkeypatch.undo()
    plain.write("content/articles/a/words.txt", "words")
    assert plain.build().code == 0


def png(width: int, height: int, size: int) -> bytes:
    """Return the beginning of a picture that says it is this large, and zeros behind it."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk + bytes(size)


@pytest.mark.slow
def test_a_huge_image_is_shown_at_its_size(plain: Site) -> None:
    plain.article("a", "![A map of everything](map.png)\n")
    data = png(2**31 - 1, 2**31 - 1, 64 << 20)
    (plain.root / "content/articles/a/map.png").write_bytes(data)
    built = plain.build()
    assert built.code == 0, built.err
    assert 'width="2147483647" height="2147483647"' in plain.page("a")
    assert data in plain.output().values()


@pytest.mark.slow
def test_a_folder_of_ten_thousand_files_costs_a_look(
    plain: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = plain.output()
    folder = plain.root / "content/articles/a/many"
    folder.mkdir()
    for number in range(10_000):
        (folder / f"{number}.txt").write_text(str(number))
        # Long enough ago that its time tells whether it was written since.
        os.utime(folder / f"{number}.txt", (1, 1))
    opened: set[Path] = set()
    read = Path.read_bytes

    def noted(self: Path) -> bytes:
        opened.add(self)
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", noted)
    for times in (10_000, 0):
        opened.clear()
        assert plain.build().code == 0
        assert sum(path.parent.name == "many" for path in opened) == times
    assert plain.output() == before


@pytest.mark.slow
def test_where_nothing_may_be_written_it_is_said(plain: Site, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    tmpfs = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(disk)]
    if subprocess.run(tmpfs, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a disk")
    try:
        shutil.copytree(plain.root, disk / "site")
        site = Site(disk / "site")
        assert site.build().code == 0
        before = site.output()
        site.article("b", "An edit.\n")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        built = site.build()
        assert built.code == 1
        assert "Read-only file system" in built.err or "readonly database" in built.err
        assert "hint: " in built.err
        assert "Traceback" not in built.err
        assert site.output() == before
        elsewhere = tmp_path / "elsewhere"
        assert site.build("--output", str(elsewhere)).code == 1  # the store lies on it too
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        assert site.build().code == 0
        assert "An edit." in site.page("b")
    finally:
        subprocess.run(["umount", str(disk)], check=False)


@pytest.mark.slow
def test_a_build_that_is_interrupted_at_any_moment_says_so_and_no_more(plain: Site) -> None:
    versions = [plain.output()]
    plain.article(
        "a",
        "{value}`n.a`\n",
        "from explainers import dataset\n"
        "@dataset(units={'a': '1'})\ndef n():\n    return {'a': 1}\n",
    )
    versions.append(fresh(plain))
    # The door starts it with the signal held back.
    held = functools.partial(signal.pthread_sigmask, signal.SIG_BLOCK, {signal.SIGINT})
    for tenth in range(14):
        shutil.rmtree(plain.root / ".cache", ignore_errors=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "explainers", "build", "--date", DATE],
            cwd=plain.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=held,
        )
        time.sleep(tenth / 10)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in err
        # Python ends by the signal itself where it came as a class was being made, or at the end.
        ended = process.returncode in (130, -signal.SIGINT) and err == "Stopped.\n"
        assert ended or (process.returncode in (0, -signal.SIGINT) and err == "" and out), err
        assert plain.output() in versions
