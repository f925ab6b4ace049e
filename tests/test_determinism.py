"""The same sources make the same bytes: in any folder, zone, language, order, cold and warm."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from .conftest import DATE, SETTINGS, Site

pytestmark = pytest.mark.slow

DATA = """import numpy as np

from explainers import dataset, trace
from explainers.kernels.softmax import softmax_online

NAMES = {"b", "a", "c", "e", "d"}


@dataset(sweep={"k": range(4)}, dims={"x": ("item",), "y": ("item",)}, units={"mean": "1"}, seed=3)
def drawn(k: int, seed: int):
    x = np.random.default_rng(seed + k).normal(size=300)
    return {"x": x, "y": np.exp(x) / np.exp(x).sum(), "mean": x.mean()}


@dataset(units={"names": "1", "total": "1"})
def ordered(drawn):
    return {"names": "".join(NAMES), "total": float(np.sum(drawn.y * drawn.x))}


@dataset
def swept(drawn):
    return trace(softmax_online, drawn.at(k=1).x[:50], watch=("m", "l"))
"""
BODY = """Text with $x^2$, {value}`ordered.total | sig(9)` and {value}`swept.l[-1] | sig(9)`.

:::{figure} chart
:label: drawn
:data: drawn
:options: {x: k, y: [mean]}
Draw it.
:::

```python
a = {"b": 1}
```
"""
PLACES: dict[str, Mapping[str, str]] = {
    "one worker": {},
    "a long folder with spaces and ünïcode": {"LC_ALL": "C.UTF-8", "TZ": "Pacific/Kiritimati"},
    "zone": {"TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
    "plain": {"LC_ALL": "C", "PYTHONHASHSEED": "1", "COLUMNS": "40", "NO_COLOR": "1"},
    "seed": {"PYTHONHASHSEED": "4242", "OMP_NUM_THREADS": "7", "PYTHONUTF8": "0"},
    "optimised": {"PYTHONOPTIMIZE": "1", "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/nonexistent"},
}


def write(site: Site) -> None:
    site.write("content/site.yaml", SETTINGS)
    for number in range(6):
        site.article(f"a{number}", BODY, DATA, tags=f"[zebra, apple, tag {number % 2}]")
    site.article("plain", "See [a0](../a0/index.md#drawn).\n", date=DATE)


def run(site: Site, variables: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "explainers", "build", "--date", DATE, *arguments],
        cwd=site.root,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_the_same_sources_make_the_same_bytes_wherever_and_however(tmp_path: Path) -> None:
    first = Site(tmp_path / "first")
    write(first)
    run(first, {}, "--workers", "2")
    expected = first.output()
    for name, variables in PLACES.items():
        site = Site(tmp_path / name)
        write(site)
        workers = ("--workers", "1") if name == "one worker" else ()
        run(site, variables, *workers)
        assert site.output().keys() == expected.keys()
        wrong = [path for path, data in site.output().items() if data != expected[path]]
        assert wrong == [], name
        # Warm, into another folder, by what this one keeps; then without its ledgers and outlines.
        run(site, {}, "--output", "again")
        shutil.rmtree(site.root / "_site")
        (site.root / "again").rename(site.root / "_site")
        assert site.output() == expected, name
        for kept in ("outputs", "outlines.pickle", "index.json", "js", "templates"):
            path = site.root / ".cache" / kept
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        assert run(site, {}).startswith("0 files written"), name


def test_without_the_processors_newer_ways_numbers_are_within_tolerance() -> None:
    from numpy._core import _multiarray_umath as umath

    have = [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__[name]]
    if not have:
        pytest.skip("this processor has nothing that NumPy could leave out")
    done = subprocess.run(
        [sys.executable, "-m", "explainers", "check", "online-softmax", "--recompute"],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(have)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "too far" not in done.stdout
    assert "online-softmax/rows" in done.stdout
