"""Images keep their place free on the page, and an SVG may only show itself."""

from __future__ import annotations

import struct
import zlib

import pytest

from explainers.errors import BuildError
from explainers.images import size

from .conftest import Site

HEAD = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def png(width: int, height: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunk = struct.pack(">I", len(head)) + b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", zlib.crc32(b"IHDR" + head))


def svg(inside: str = "", attributes: str = 'viewBox="0 0 4 3"') -> bytes:
    return f"<svg {HEAD} {attributes}>\n{inside}</svg>".encode()


def said(data: bytes, name: str = "a.svg") -> list[str]:
    with pytest.raises(BuildError) as caught:
        size(data, name)
    return [f"{p.span} {p.code}: {p.message}" for p in caught.value.problems]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('viewBox="0 0 640 480"', (640, 480)),
        ('viewBox="0,0,640.4 , 480"', (640, 480)),
        ('width="64" height="48px" viewBox="0 0 640 480"', (64, 48)),
        ('width="320" viewBox="0 0 640 480"', (320, 240)),
        ('height="240" viewBox="0 0 640 480"', (320, 240)),
        ('width="100%" height="100%" viewBox="0 0 640 480"', (640, 480)),
        ('width="72pt" height="1in"', (96, 96)),
    ],
)
def test_an_svg_says_its_size(attributes: str, expected: tuple[int, int]) -> None:
    assert size(svg(attributes=attributes), "a.svg") == expected


def test_other_images_say_their_size() -> None:
    assert size(png(30, 20), "a.png") == (30, 20)


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.png", b""), ("a.png", b"nothing"), ("a.tiff", png(2, 2)), ("a.pdf", b"%PDF")],
)
def test_what_browsers_do_not_show_is_refused(name: str, data: bytes) -> None:
    assert said(data, name) == [f"{name}:1:1 bad-image: this is no image that a page can show"]


def test_an_svg_that_is_no_xml_or_has_no_size_is_refused() -> None:
    assert said(b"<svg>\n<a></svg>") == ["a.svg:2:6 bad-image: this SVG is no XML: mismatched tag"]
    assert said(svg(attributes="")) == ["a.svg:1:1 bad-image: this SVG does not say its size"]


@pytest.mark.parametrize(
    ("inside", "what"),
    [
        ("<script>x</script>", "<script>"),
        ("<g><foreignObject/></g>", "<foreignObject>"),
        ('<rect onload="x"/>', "the attribute onload"),
        ('<rect ONCLICK="x"/>', "the attribute onclick"),
        ('<image href="https://a.example/x.png"/>', "a reference to https://a.example/x.png"),
        ('<image xlink:href="other.svg"/>', "a reference to other.svg"),
        ('<use href="data:image/svg+xml,x"/>', "a reference to data:image/svg+xml,x"),
        ('<a href="javascript:x"/>', "a link to javascript:x"),
        ('<a href="&#106;avascript:x"/>', "a link to javascript:x"),
        ('<rect fill="url(https://a.example)"/>', "a reference to another file in fill"),
        ('<rect style="fill:u\\rl(//a.example)"/>', "a reference to another file in style"),
        ('<rect style="fill:\\75rl(//a.example)"/>', "a reference to another file in style"),
        ('<style>@import "x.css";</style>', "a reference to another file in &lt;style>"),
        ('<set attributeName="onload" to="x"/>', "an animation of onload"),
        ('<animate attributeName="xlink:href" to="x"/>', "an animation of xlink:href"),
        ('<?xml-stylesheet href="x.css"?>', "<?xml-stylesheet?>"),
    ],
)
def test_an_svg_holds_a_picture_and_nothing_else(inside: str, what: str) -> None:
    found = said(svg(inside))
    assert len(found) == 1
    assert found[0].startswith("a.svg:2:")
    assert found[0].endswith(f" unsafe-image: this SVG holds {what.replace('&lt;', '<')}")


def test_all_that_is_wrong_with_an_svg_is_said_at_once() -> None:
    assert len(said(svg('<script/>\n<rect onload="x"/>'))) == 2


def test_entities_are_refused_before_they_grow() -> None:
    lines = ["<!DOCTYPE svg [", '<!ENTITY a "ha">']
    lines += [f'<!ENTITY {b} "{f"&{a};" * 99}">' for a, b in zip("abcdef", "bcdefg", strict=True)]
    text = "\n".join([*lines, "]>", f"<svg {HEAD}>&g;</svg>"])
    assert said(text.encode()) == ["a.svg:2:12 unsafe-image: this SVG holds an entity of its own"]


def test_what_a_picture_needs_is_let_through() -> None:
    inside = (
        '<defs><linearGradient id="g"/></defs><style>rect { fill: url(#g) }</style>'
        '<rect fill="url(#g)"/><use xlink:href="#g"/><a href="https://a.example/">x</a>'
        '<image href="data:image/png;base64,AAAA"/>'
    )
    assert size(svg(inside), "a.svg") == (4, 3)


def test_an_image_on_a_page_has_its_size(site: Site) -> None:
    site.article("a", '![one](a.svg) and [a file](a.svg)\n\n![two](b.png "Two")\n')
    site.write("content/articles/a/a.svg", svg().decode())
    (site.root / "content/articles/a/b.png").write_bytes(png(30, 20))
    assert site.build().err == ""
    page = site.page("a")
    assert 'width="4" height="3" alt="one" loading="lazy" decoding="async">' in page
    assert 'width="30" height="20" alt="two" loading="lazy" decoding="async">' in page


def test_bad_images_of_all_pages_are_said_in_one_run(site: Site) -> None:
    for slug in "ab":
        site.article(slug, "![one](x.svg) [file](x.svg)\n")
        site.write(f"content/articles/{slug}/x.svg", svg("<script/>").decode())
    built = site.build()
    assert built.code == 1
    assert built.err.count("error[unsafe-image]") == 2
    assert "content/articles/b/x.svg:2:1: error[unsafe-image]" in built.err
