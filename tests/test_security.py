"""No word of an author, a source or a dataset becomes code on a page, wherever it stands."""

from __future__ import annotations

import importlib.metadata
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from .conftest import Site

ATTACKS = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)",
    "]]><script>alert(1)</script><!--",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "javascript:alert(1)",
    "\\u003cscript\\u003ealert(1)",
)
WORDS = " ".join(ATTACKS)
PLAIN = WORDS.replace("&", "")
"""What a figure may be given: it takes an entity in a text for a mistake."""

DATA = f"""from explainers import dataset

WORDS = {PLAIN!r}


@dataset(units={{"words": "1", "total": "</script><b>"}})
def said() -> dict:
    {json.dumps(WORDS)}
    return {{"words": WORDS, "total": 1}}
"""
FIGURE = """import { figure, html, select } from "explainers"
export default figure({
  controls: {
    a: select({ label: "<b>", options: [['"x" onclick="y', "<img src=x onerror=alert(1)>"],
      ["z", "</select><script>alert(1)</script>"]] }),
  },
  draw: ({ data }) =>
    html`<svg viewBox="0 0 1 1"><text title=${data.words}>${data.words}</text></svg>`,
  describe: ({ data }) => data.words,
  table: ({ data }) => ({ caption: data.words, columns: [data.words], rows: [[data.words]] }),
})
"""
BIB = """@article{key,
  author = {%s},
  title = {%s},
  journal = {%s},
  year = {2020</script>},
}
"""


class Reader(HTMLParser):
    """Collects what runs: scripts, event attributes, addresses."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts: list[dict[str, str | None]] = []
        self.events: list[str] = []
        self.addresses: list[str] = []
        self.texts: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script":
            self.scripts.append(given)
        self.inside.append(tag)
        self.events += [name for name, _ in attrs if name.startswith("on")]
        self.addresses += [given.get(name) or "" for name in ("href", "src") if name in given]

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] == "script":
            self.texts.append(data)


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Build a site that holds every attack in every place for words."""
    site = Site(tmp_path_factory.mktemp("attacked"))
    quoted = json.dumps(WORDS, ensure_ascii=False)
    site.write(
        "content/site.yaml",
        f"title: {quoted}\ntagline: {quoted}\nauthors: [{quoted}]\n"
        "base_url: https://tiny.example/\n",
    )
    bare = re.sub(r"[{}\\\\%]", "", WORDS)
    site.write("content/references.bib", BIB % (bare, bare, bare))
    typed = WORDS.replace("|", "")
    body = f"""{typed} {{cite}}`key` {{cite}}`{ATTACKS[1]} <key>`

## Heading {typed}

| {typed} | b |
|---|---|
| {typed} | `{typed}` |

![{ATTACKS[1]}](a.svg "{ATTACKS[1]}")

[{ATTACKS[1]}](https://a.example/{ATTACKS[0].replace(" ", "")} '{ATTACKS[2]}')

```python title="{ATTACKS[1]}"
{typed}
```

{{value}}`said.words` $\\text{{{ATTACKS[1]}}}$ [^1]

[^1]: {typed}

:::{{note}} {typed}
{typed}
:::

:::{{figure}} pic
:label: pic
:data: said
:options: {{words: {quoted}}}
{typed}
:::

{{term}}`{ATTACKS[1]} <w>` {{trigger}}`{ATTACKS[1]} <pic?a="x" onclick="y>`

$\\term{{w}}{{x}}$
"""
    site.article(
        "a",
        body,
        DATA,
        title=quoted,
        summary=json.dumps(WORDS[:250] + " and some more words", ensure_ascii=False),
        kind="article",
        audience=quoted,
        predict=f"[{quoted}]",
        prerequisites=f"[{quoted}]",
        authors=f"[{quoted}]",
        license=quoted,
        errata=f"[{{date: 2026-08-02, text: {quoted}}}]",
    )
    site.write("content/articles/a/pic.js", FIGURE)
    site.write(
        "content/articles/a/a.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    )
    built = site.build()
    assert built.code == 0, built.err
    return site.output()


def pages(output: dict[str, bytes]) -> dict[str, str]:
    return {name: data.decode() for name, data in output.items() if name.endswith(".html")}


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def test_nothing_but_our_own_scripts_stands_on_a_page(output: dict[str, bytes]) -> None:
    for name, html in pages(output).items():
        reader = read(html)
        own = [s for s in reader.scripts if "src" in s or s.get("type") == "application/json"]
        assert len(reader.scripts) - len(own) == 1, name  # the bootstrap, which the policy names
        loaded = [s["src"] or "" for s in own if "src" in s]
        assert all(re.fullmatch(r"(/|\.\./)*_/[\w.-]+", address) for address in loaded), loaded
        assert not any("alert(1)" in text for text in reader.texts if not text.startswith("{")), (
            name
        )


def test_no_event_attribute_and_no_address_that_runs(output: dict[str, bytes]) -> None:
    for name, html in pages(output).items():
        reader = read(html)
        assert reader.events == [], name
        wrong = [a for a in reader.addresses if re.match(r"\s*(javascript|data|vbscript):", a)]
        assert wrong == [], name


def test_data_on_a_page_says_what_was_said(output: dict[str, bytes]) -> None:
    html = output["a/index.html"].decode()
    blocks = dict(re.findall(r'<script type="application/json" id="([^"]+)">(.*?)</script>', html))
    said = json.loads(blocks["data-said"])
    assert said["fields"]["words"]["values"] == [PLAIN]
    assert json.loads(blocks["props-pic"])["options"]["words"] == WORDS


def test_the_words_of_an_attack_are_shown_as_words(output: dict[str, bytes]) -> None:
    text = re.sub(r"<[^>]*>", "", output["a/index.html"].decode())
    assert text.count("&lt;img src=x onerror=alert(1)&gt;") > 10


def test_feeds_run_nothing(output: dict[str, bytes]) -> None:
    found = 0
    for name, data in output.items():
        if name.endswith(".xml"):
            root = ElementTree.fromstring(data)
            for element in root.iter():
                assert not element.tag.endswith("script"), name
                if element.get("type") == "html":  # the rest is text to every reader
                    reader = read(element.text or "")
                    found += 1
                    assert (reader.scripts, reader.events) == ([], []), name
        elif name.endswith(".json") and not name.startswith("_/"):
            for item in json.loads(data).get("items", ()):
                reader = read(item.get("content_html", ""))
                assert (reader.scripts, reader.events) == ([], []), name
    assert found


ROOT = Path(__file__).parents[1]
PAGE = ROOT / "content/guide/security.md"


def shipped() -> dict[str, str]:
    """Return the licence of each package that a build runs or a page carries."""
    names = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text("utf-8"), re.M)
    found = {name: licence(name) for name in names}
    for path, about in npm().items():
        if path and not about.get("dev") and not about.get("optional"):
            found[path.removeprefix("node_modules/")] = about["license"]
    return found


def npm() -> dict[str, dict[str, str]]:
    packages: dict[str, dict[str, str]] = json.loads(
        (ROOT / "package-lock.json").read_text(encoding="utf-8")
    )["packages"]
    return packages


def licence(name: str) -> str:
    about = importlib.metadata.metadata(name)
    classes = [c.split(" :: ")[-1] for c in about.get_all("Classifier") or [] if "License" in c]
    said = about.get("License-Expression") or about.get("License") or "".join(classes)
    return said.removesuffix(" License")


def test_the_licence_of_every_package_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| (\S+) \| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE))
    made_by = text.partition("Beside them `pip`")[2].partition("\n\n")[0]
    for name, said in shipped().items():
        if name not in made_by:
            assert listed.pop(name, None) == said, name
    assert listed.keys() <= {"package"}


def test_every_package_is_locked_by_its_hash() -> None:
    for lock in ("requirements.txt", "requirements-dev.txt", "requirements-node.txt"):
        text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
        pinned = [line for line in text.splitlines() if re.match(r"[\w.-]+(\[.+\])?==", line)]
        assert pinned, lock
        assert [line for line in pinned if "--hash=sha256:" not in line] == [], lock
    for path, about in npm().items():
        if path:
            assert about["integrity"].startswith("sha512-"), path


def test_what_is_said_of_a_supplied_file_is_text(site: Site) -> None:
    said = json.dumps(WORDS)
    site.article("a", "It is {value}`p.close[0] | fixed(1)` and {value}`p.words[0]`.\n")
    site.write("content/articles/a/p.csv", f"close,words\n1.5,{ATTACKS[1]}\n")
    about = f"source: {said}\nlicence: {said}\nas of: {said}\nurl: {said}\nsummary: {said}\n"
    site.write("content/articles/a/p.yaml", f"{about}units: {{close: USD, words: '1'}}\n")
    built = site.build()
    assert built.code == 0, built.err
    for name, html in pages(site.output()).items():
        reader = read(html)
        assert reader.events == [], name
        assert not any("alert(1)" in text for text in reader.texts if not text.startswith("{"))
        assert not any(re.match(r"\s*javascript:", address) for address in reader.addresses)
    assert "&lt;img src=x onerror=alert(1)&gt;" in site.page("a")


@pytest.mark.parametrize(
    "field",
    [
        "url={javascript:alert(1)}",
        'url={https://a.example/" onclick="x}',
        'doi={10.1/x" onclick="y}',
        'eprint={1" onclick="y}, archiveprefix={arXiv}',
    ],
)
def test_an_address_of_a_source_is_one_or_is_refused(site: Site, field: str) -> None:
    site.write(
        "content/references.bib", f"@misc{{k, author={{A}}, title={{T}}, year={{2020}}, {field}}}\n"
    )
    site.article("a", "Words {cite}`k`.\n")
    built = site.build()
    assert built.code == 1
    assert "error[bad-field]" in built.err
