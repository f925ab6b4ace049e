"""Datasets that hand their arrays on do their work through `xp`: on a stand-in here."""

from __future__ import annotations

from pathlib import Path

import pytest

from explainers.data.dataset import spec_of
from explainers.data.key import Keys
from explainers.data.load import article
from explainers.data.run import _tree, run_here
from explainers.data.stack import compute
from explainers.recompute import worst

from .test_xp import Library

ROOT = Path(__file__).parents[2]
BITS = ("anatomy-of-a-floating-point", "binary-representations-of-integers")
ALONE = {
    "decoded": "a trace of whole numbers of Python",
    "tenths": "whole numbers of Python",
    "addition": "a trace of whole numbers of Python",
    "machine_sums": "it holds the kernel to this machine's own additions",
    "long_sums": "a GPU adds in another order, and the order is what it shows",
    "endless": "a GPU adds in another order, and the order is what it shows",
    "orders": "a GPU adds in another order, and the order is what it shows",
    "place_values": "a trace of whole numbers of Python",
    "ripple": "a trace of whole numbers of Python",
    "widening": "one row at a time",
    "weights": "whole numbers of Python",
    "answers": "whole numbers of Python",
}
"""Why a dataset of these articles takes no `xp`."""


def declared(slug: str) -> dict[str, bool]:
    datasets = Keys(_tree(ROOT, slug)).datasets(slug)
    return {name: "xp" in found.parameters for name, found in datasets.items()}


def test_a_dataset_takes_xp_unless_there_is_a_reason() -> None:
    assert {
        name for slug in BITS for name, takes in declared(slug).items() if not takes
    } == ALONE.keys()


@pytest.mark.parametrize("slug", [pytest.param(BITS[0], marks=pytest.mark.slow), BITS[1]])
def test_a_dataset_calls_no_library_but_the_one_it_was_given(slug: str) -> None:
    names = [name for name, takes in declared(slug).items() if takes]
    assert len(names) >= 5
    with article(ROOT, slug) as module:
        for name in names:
            function = getattr(module, name)
            spec = spec_of(function)
            assert spec is not None
            found = compute(function, spec, {}, xp=Library())
            field, difference, _ = worst(found, run_here(ROOT, slug, name))
            assert difference == 0, f"{name}.{field}"
