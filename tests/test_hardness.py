"""Builds that are killed, disturbed, run together, or run out of room: the site stays right."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from explainers.store import Store

from .conftest import DATE, Site

KILLS = 50

DATA = """
from explainers import dataset
from kernels import near

@dataset(units={{"a": "1"}})
def first():
    return {{"a": near.f({number})}}

@dataset(units={{"b": "1"}})
def second(first):
    return {{"b": first.a + 1}}
"""
TEXT = "The first is {value}`first.a`, the second {value}`second.b`, in version %d.\n"
CLAIM = "\n:::{claim} second.b == first.a + 1\nOne more.\n:::\n"


def write(site: Site, number: int, articles: int = 4) -> None:
    site.write("content/kernels/near.py", f"def f(x):\n    return 10 * x + {number}\n")
    for at in range(articles):
        text = TEXT % number + CLAIM
        site.article(f"a{at}", text, data=DATA.format(number=at))


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "explainers", "build", "--date", DATE, *arguments]


def run(site: Site, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(), cwd=site.root, capture_output=True, text=True, check=False, **options
    )  # type: ignore[call-overload, no-any-return]


def outputs(site: Site, number: int) -> dict[str, bytes]:
    """Return what a fresh build of a version makes."""
    write(site, number)
    for folder in ("_site", ".cache"):
        shutil.rmtree(site.root / folder, ignore_errors=True)
    assert site.build().code == 0
    return site.output()


def verified(site: Site) -> int:
    """Return how many results the store holds; each must verify."""
    store = Store(site.root / ".cache/store")
    keys = list(store.keys())
    assert all(store.get(key) is not None for key in keys)
    return len(keys)


@pytest.mark.slow
def test_a_build_killed_at_any_moment_leaves_each_page_whole_and_the_next_one_succeeds(
    site: Site,
) -> None:
    versions = [outputs(site, number) for number in (1, 2)]
    draw = random.Random(7)
    whole, finished = 1.5, 0
    for turn in range(KILLS):
        number = 1 + turn % 2
        write(site, number)
        began = time.monotonic()
        process = subprocess.Popen(
            command(),
            cwd=site.root,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(draw.uniform(0, whole))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        else:
            finished += 1
            whole = 1.1 * (time.monotonic() - began)
        for path, data in site.output().items():
            if path.endswith(".html"):
                assert data in [version.get(path) for version in versions], path
        if turn % 5 == 4:
            built = site.build()
            assert built.code == 0, built.err
            assert site.output() == versions[number - 1]
            assert verified(site) > 0
    assert finished < KILLS / 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_store_gives_the_right_site(site: Site, seed: int) -> None:
    expected = outputs(site, 1)
    draw = random.Random(seed)
    harm: list[Callable[[Path], object]] = [
        lambda file: file.write_bytes(file.read_bytes()[: draw.randrange(20)]),
        lambda file: file.write_bytes(flipped(file.read_bytes(), draw)),
        lambda file: file.write_bytes(b"something else"),
        lambda file: file.chmod(0),
        lambda file: (file.unlink(), file.mkdir()),
        lambda file: file.unlink(),
    ]
    for file in sorted((site.root / ".cache").rglob("*")):
        if file.is_file() and not file.is_symlink() and draw.random() < 0.6:
            draw.choice(harm)(file)
    (site.root / ".cache/store/zz").mkdir(parents=True, exist_ok=True)
    (site.root / ".cache/store/zz/foreign").write_bytes(b"foreign")
    shutil.rmtree(site.root / "_site")
    built = site.build()
    if built.code == 0:
        assert site.output() == expected
    else:  # what cannot be put right is said, with a way out
        assert "hint: " in built.err
        shutil.rmtree(site.root / ".cache")
        assert site.build().code == 0
        assert site.output() == expected


def flipped(data: bytes, draw: random.Random) -> bytes:
    if not data:
        return data
    at = draw.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]


@pytest.mark.slow
def test_two_builds_at_once_make_one_right_site(site: Site) -> None:
    expected = outputs(site, 2)
    for folder in ("_site", ".cache"):
        shutil.rmtree(site.root / folder)
    both = [subprocess.Popen(command(), cwd=site.root, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=60)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert site.output() == expected
    assert verified(site) > 0


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 200, 2_000, 20_000])
def test_where_nothing_more_can_be_written_it_is_said_and_nothing_is_half(
    site: Site, most: int
) -> None:
    versions = [outputs(site, number) for number in (2, 1)]
    write(site, 2)

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    built = run(site, preexec_fn=limit)
    assert built.returncode in (0, 1)
    assert "Traceback" not in built.stderr
    if built.returncode:
        assert "cannot write" in built.stderr or "File too large" in built.stderr
    for path, data in site.output().items():
        assert data in [version.get(path) for version in versions], path
    assert run(site).returncode == 0
    assert site.output() == versions[0]


@pytest.mark.slow
def test_on_a_full_disk_it_is_said_and_the_site_stays(site: Site, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("may not mount a small disk")
    try:
        shutil.copytree(site.root, disk / "site")
        small = Site(disk / "site")
        write(small, 1)
        assert run(small).returncode == 0
        before = small.output()
        write(small, 2)
        filler = disk / "filler"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        built = run(small)
        assert built.returncode == 1
        assert "Traceback" not in built.stderr
        assert "No space left" in built.stderr or "disk is full" in built.stderr
        pages = {path: data for path, data in small.output().items() if path.endswith(".html")}
        assert pages == {path: data for path, data in before.items() if path.endswith(".html")}
        filler.unlink()
        assert run(small).returncode == 0
        assert b"version 2" in small.output()["a0/index.html"]
    finally:
        subprocess.run(["umount", str(disk)], check=False)


ARTICLES, EACH = 20, 10


@pytest.mark.slow
def test_of_two_hundred_datasets_exactly_those_run_that_reach_what_changed(site: Site) -> None:
    site.write("content/kernels/near.py", "from .deep import g\n\ndef f(x):\n    return g(x)\n")
    site.write("content/kernels/deep.py", "def g(x):\n    return x\n")
    site.write("content/kernels/far.py", "def f(x):\n    return -x\n")
    for article in range(ARTICLES):
        # One dataset of articles 3, 7 and 11 reaches near, and deep behind it.
        reaches = article in (3, 7, 11)
        lines = ["from explainers import dataset", "from kernels import far"]
        lines += ["from kernels import near"] if reaches else []
        for n in range(EACH):
            kernel = "near" if reaches and n == 5 else "far"
            lines += [
                '@dataset(units={"a": "1"})',
                f"def d{n}():",
                f'    return {{"a": {kernel}.f({n})}}',
            ]
        text = ", ".join(f"{{value}}`d{n}.a`" for n in range(EACH))
        site.article(f"a{article}", text + ".\n", data="\n".join(lines) + "\n")
    assert f"{ARTICLES * EACH} datasets run, 0 kept" in site.build().out
    for text, ran in (
        ("def g(x):\n    # a remark\n    return x\n", 0),
        ("def g(x):\n    return x + 1\n", 3),
        ("def g(x):\n    return x + 1\n\ndef unused():\n    return 0\n", 3),
    ):
        site.write("content/kernels/deep.py", text)
        counted = f"{ran} dataset{'' if ran == 1 else 's'} run, {ARTICLES * EACH - ran} kept"
        assert counted in site.build().out
    site.article("a3", "{value}`d1.a`, in other words.\n")
    assert "0 datasets run" in site.build().out


@pytest.mark.slow
def test_two_workers_take_at_most_two_thirds_of_the_time_of_one(tmp_path: Path) -> None:
    from explainers.data.call import Call
    from explainers.data.run import run as run_calls
    from explainers.errors import Span

    folder = tmp_path / "content/articles/a"
    folder.mkdir(parents=True)
    (folder / "data.py").write_text(
        "import time\nfrom explainers import dataset\n\n\n"
        '@dataset(units={"a": "1"})\ndef slow():\n    time.sleep(0.5)\n    return {"a": 1}\n'
    )
    calls = [Call(str(tmp_path), "a", "slow", Span("data.py"))] * 8

    def seconds(workers: int) -> float:
        began = time.perf_counter()
        run_calls(calls, workers=workers)
        return time.perf_counter() - began

    seconds(1)  # the server of processes starts once
    assert seconds(2) <= 0.65 * seconds(1)
