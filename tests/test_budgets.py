"""What a reader has to load, counted on the files of the real site as a host would send them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Site
from tests.real_site import PAGES, ROOT, WITH_FIGURES, build, file

KB = 1000


def packed(*files: bytes) -> int:
    """Return the bytes on the wire, each file compressed alone."""
    return sum(len(gzip.compress(data, 9)) for data in files)


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the real site, built by the command line."""
    return build(tmp_path_factory.mktemp("real") / "site")


def text(output: Path, page: str) -> str:
    """Return the HTML of a page."""
    return file(output, page).read_text(encoding="utf-8")


def named(html: str, pattern: str) -> list[str]:
    """Return the names of the files of `_/` that a page asks for in one way."""
    return re.findall(pattern.replace("FILE", r'"[^"]*_/([^"]+)"'), html)


def read(output: Path, names: list[str]) -> list[bytes]:
    """Return the files of `_/` by name."""
    return [(output / "_" / name).read_bytes() for name in names]


def blocks(html: str) -> dict[str, str]:
    """Return the JSON that a page carries, by the id of its block."""
    found = re.findall(r'<script type="application/json" id="([^"]+)"[^>]*>(.*?)</script>', html)
    return dict(found)


def imports(output: Path, name: str) -> Iterator[str]:
    """Yield a script and all that it imports."""
    yield name
    script = (output / "_" / name).read_text(encoding="utf-8")
    for other in re.findall(r"""(?:from|import)\s*["']\./([^"']+)["']""", script):
        yield from imports(output, other)


# ---- every page --------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_one_small_script_that_waits_for_it(output: Path, page: str) -> None:
    html = text(output, page)
    scripts = re.findall(r"<script(?![^>]*application/json)([^>]*)>(.*?)</script>", html, re.S)
    plain = [(how, body) for how, body in scripts if 'type="module"' not in how]
    assert [how.split()[0] if how else "" for how, _ in plain] == ["", "defer"]
    assert len(plain[0][1].encode()) <= 0.5 * KB
    assert packed(*read(output, named(html, "<script defer src=FILE"))) <= 4 * KB


@pytest.mark.parametrize("page", PAGES)
def test_styles_are_small(output: Path, page: str) -> None:
    styles = named(text(output, page), '<link rel="stylesheet" href=FILE')
    sizes = {name: packed(*read(output, [name])) for name in styles}
    shared = {name: size for name, size in sizes.items() if name.startswith(("site.", "lists."))}
    maths = {name: size for name, size in sizes.items() if name.startswith("maths.")}
    kinds = {name: size for name, size in sizes.items() if name not in shared | maths}
    assert shared
    assert sum(shared.values()) <= 12 * KB, sizes
    assert sum(maths.values()) <= 4 * KB, sizes
    assert sum(kinds.values()) <= 3 * KB, sizes


def test_text_fonts_are_small(output: Path) -> None:
    fonts = {
        path.name: path.stat().st_size
        for path in (output / "_").glob("*.woff2")
        if not path.name.startswith("KaTeX")
    }
    assert fonts
    assert sum(fonts.values()) <= 110 * KB, fonts


def test_a_page_without_figures_loads_no_figure_script(output: Path) -> None:
    html = text(output, "404.html")
    assert 'type="module"' not in html
    assert "modulepreload" not in html


def test_a_page_of_words_and_formulas_is_small(site: Site) -> None:
    source = (ROOT / "content/articles/online-softmax/index.md").read_text(encoding="utf-8")
    formulas = list(dict.fromkeys(re.findall(r"(?<![\\\w$])\$[^$\n|`]+\$(?![\d$])", source)))[:31]
    prose = re.sub(r"\{\w+\}`([^`<]*)[^`]*`|\$[^$]*\$|[*_`:#|]", r"\1", source.split("---", 2)[2])
    words = [word for word in prose.split() if re.fullmatch(r"[\w’“”(),.;-]+", word)]
    words = (words * 3)[: 1200 - len(formulas)]
    each = len(words) // len(formulas)
    body = []
    for place, formula in enumerate(formulas):
        part = words[place * each : (place + 1) * each]
        body.append(("## Part\n\n" if place % 5 == 0 else "") + " ".join([*part, formula]))
    assert len(formulas) == 31
    site.article("plain", "\n\n".join(body))
    built = site.build()
    assert built.code == 0, built.err
    html = site.page("plain")
    assert html.count('class="katex"') == 31
    assert packed(html.encode()) <= 11 * KB


# ---- articles with figures ---------------------------------------------------------------------


@pytest.mark.parametrize("slug", WITH_FIGURES)
def test_the_runtime_with_the_first_kind_is_small_and_so_is_each_further_one(
    output: Path, slug: str
) -> None:
    html = text(output, f"{slug}/")
    runtime = named(html, '<script type="module" src=FILE')
    kinds = list(dict.fromkeys(named(html, "data-module=FILE")))
    assert len(runtime) == 1
    assert kinds
    first = {name for start in (runtime[0], kinds[0]) for name in imports(output, start)}
    assert packed(*read(output, sorted(first - twins(first)))) <= 24 * KB
    for kind in kinds[1:]:
        more = set(imports(output, kind)) - first
        assert packed(*read(output, sorted(more - twins(more)))) <= 5 * KB, kind
        assert packed(*read(output, sorted(twins(more)))) <= 3 * KB, kind
    assert packed(*read(output, sorted(twins(first)))) <= 3 * KB


def twins(names: set[str]) -> set[str]:
    """Return the scripts that are twins of kernels: they have a budget of their own."""
    stems = {path.stem for path in (ROOT / "static/js/kernels").glob("*.js")}
    return {name for name in names if Path(name).name.split(".")[0] in stems}


@pytest.mark.parametrize("slug", WITH_FIGURES)
def test_every_script_of_the_figures_is_announced(output: Path, slug: str) -> None:
    html = text(output, f"{slug}/")
    starts = named(html, '<script type="module" src=FILE') + named(html, "data-module=FILE")
    needed = {name for start in starts for name in imports(output, start)}
    assert set(named(html, '<link rel="modulepreload" href=FILE')) == needed


@pytest.mark.parametrize("page", PAGES)
def test_the_data_in_a_page_is_small(output: Path, page: str) -> None:
    carried = blocks(text(output, page)).values()
    assert packed("".join(carried).encode()) <= 20 * KB


@pytest.mark.parametrize("slug", WITH_FIGURES)
def test_the_data_of_a_figure_and_of_an_article_is_small(output: Path, slug: str) -> None:
    html = text(output, f"{slug}/")
    carried = blocks(html)
    aside = dict(
        re.findall(r'id="data-([\w-]+)" data-src="[^"]*_/([^"]+)"', html),
    )
    sizes = {
        key.removeprefix("data-"): packed(wire.encode())
        for key, wire in carried.items()
        if key.startswith("data-")
    } | {name: packed(*read(output, [side])) for name, side in aside.items()}
    used = {
        key: json.loads(props)["data"].values()
        for key, props in carried.items()
        if key.startswith("props-")
    }
    assert used
    for key, names in used.items():
        assert sum(sizes[name] for name in set(names)) <= 60 * KB, key
    assert sum(sizes.values()) <= 200 * KB, sizes
