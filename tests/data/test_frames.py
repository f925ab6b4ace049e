from __future__ import annotations

import pytest

from explainers.data.codec import encode
from explainers.data.values import EncodingError

from .conftest import Site

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 {k}"><path d="M0 0h9"/></svg>'


def test_an_svg_for_each_state_is_a_dataset_of_pictures(folder: Site) -> None:
    folder.data(
        f"""
        @dataset(sweep={{"k": [10, 20]}})
        def plot(k):
            return {SVG!r}.replace("{{k}}", str(k))
        """
    )
    found = folder.run("plot")
    assert found.fields == ("picture", "width", "height")
    assert found.at(k=20).picture == SVG.format(k=20)
    assert (found.at(k=20).width, found.at(k=20).height) == (40, 20)


def test_numbers_may_stand_beside_a_picture(folder: Site) -> None:
    folder.data(
        f"""
        @dataset(units={{"slope": "1"}})
        def plot():
            return {{"picture": {SVG.format(k=5)!r}, "slope": 2.0}}
        """
    )
    assert folder.run("plot").slope == 2.0


@pytest.mark.parametrize(
    ("svg", "message"),
    [
        ("<svg viewBox='0 0 1 1'><script/></svg>", "script"),
        ("<svg viewBox='0 0 1 1' onload='x()'/>", "onload"),
        ("<svg viewBox='0 0 1 1'><image href='https://x.example/a.png'/></svg>", "a reference to"),
        ("<svg viewBox='0 0 1 1'><foreignObject/></svg>", "foreignObject"),
        ("<svg/>", "does not say its size"),
        ("<svg>", "no XML"),
    ],
)
def test_an_svg_that_does_more_than_show_itself_is_refused(
    folder: Site, svg: str, message: str
) -> None:
    folder.data(f"@dataset\ndef plot():\n    return {svg!r}\n")
    with pytest.raises(EncodingError, match=message):
        folder.run("plot")


def test_a_picture_that_is_none_is_refused(folder: Site) -> None:
    folder.data("@dataset\ndef plot():\n    return {'picture': 3}\n")
    with pytest.raises(EncodingError, match="is no picture"):
        folder.run("plot")


def test_a_figure_of_another_library_is_saved_as_svg(folder: Site) -> None:
    folder.data(
        f"""
        class Figure:
            def savefig(self, file, **options):
                file.write(b"<?xml version='1.0'?><!DOCTYPE svg>" + {SVG.format(k=5)!r}.encode())

        @dataset
        def plot():
            return Figure()
        """
    )
    assert folder.run("plot").picture == SVG.format(k=5)


def test_a_figure_of_matplotlib_gives_the_same_bytes_each_time(folder: Site) -> None:
    folder.data(
        """
        @dataset(sweep={"n": [1, 2]})
        def plot(n):
            from matplotlib import pyplot
            figure, axes = pyplot.subplots()
            axes.plot([0, n], [0, 1], marker="o")
            axes.set_title("A title")
            return figure
        """
    )
    first = folder.run("plot")
    assert encode(folder.run("plot")) == encode(first)
    assert first.at(n=1).picture.startswith("<svg")
    assert (first.width[0], first.height[0]) == (614, 461)
