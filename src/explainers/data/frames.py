"""Pictures as datasets: a Matplotlib figure or the text of an SVG for each state of a sweep."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import BuildError
from ..images import size
from .dataset import Spec
from .values import EncodingError

PICTURE = "picture"
"""The field that holds the SVG; `width` and `height` are its size in pixels."""

_SALT = "explainers"


def pictured(result: Any) -> Any:
    """Return a picture as fields of a dataset; anything else as it is.

    Raises:
        EncodingError: an SVG that would do more than show itself.
    """
    if _is_figure(result) or _is_svg(result):
        result = {PICTURE: result}
    if not (isinstance(result, Mapping) and PICTURE in result):
        return result
    picture = result[PICTURE]
    svg = _drawn(picture) if _is_figure(picture) else picture
    if not _is_svg(svg):
        raise EncodingError(
            f'field "{PICTURE}" is no picture', "return a Matplotlib figure or the text of an SVG"
        )
    try:
        width, height = size(svg.encode(), f"{PICTURE}.svg")
    except BuildError as error:
        problem = error.problems[0]
        raise EncodingError(
            f"the picture cannot be shown: {problem.message}", problem.hint
        ) from error
    return {**result, PICTURE: svg, "width": width, "height": height}


def with_picture(spec: Spec, fields: Mapping[str, Any]) -> Spec:
    """Return a mark that also says what the fields of a picture are."""
    if PICTURE not in fields or PICTURE in spec.dims or PICTURE in spec.units:
        return spec
    units = {**spec.units, PICTURE: "", "width": "px", "height": "px"}
    return replace(spec, units=units)


def _is_figure(value: Any) -> bool:
    """Say whether this is a figure of Matplotlib, without importing it."""
    return callable(getattr(value, "savefig", None))


def _is_svg(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip().startswith(("<svg", "<?xml"))


def _drawn(figure: Any) -> str:
    """Return the same SVG for the same figure: no date in it, no random names."""
    file = io.BytesIO()
    if type(figure).__module__.partition(".")[0] == "matplotlib":
        import matplotlib as mpl
        from matplotlib import pyplot

        with mpl.rc_context({"svg.hashsalt": _SALT}):
            figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
    else:
        figure.savefig(file, format="svg")
    text = file.getvalue().decode()
    return text[text.index("<svg") :]  # without the document type, which names a file elsewhere
