"""Lighthouse, as on a phone, over a page of each kind: all points, and a light load."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lighthouse.auditing import HEAVIEST, PAGES, audit, served

WEIGHTS = {f"{HEAVIEST}/": (330_000, 45), "": (250_000, 40)}
LIGHT = (160_000, 20)
"""Bytes on the wire and requests, of pages with living figures and of those without."""

FIRST_LAYOUT = 400
"""Milliseconds that the browser itself may work in long tasks, laying the page out."""

pytestmark = pytest.mark.slow

Found = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """Return what was found, by page."""
    with served(tmp_path_factory.mktemp("lighthouse") / "site") as root:
        return dict(zip(PAGES, audit([root + page for page in PAGES]), strict=True))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("category", ["accessibility", "best-practices", "seo"])
def test_a_page_has_all_points(found: Found, page: str, category: str) -> None:
    assert found[page]["version"] == "12.2.3"
    assert found[page]["failed"] == []
    assert found[page]["scores"][category] == 1


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_light_and_asks_nobody_else(found: Found, page: str) -> None:
    most_bytes, most_requests = WEIGHTS.get(page, LIGHT)
    requests = found[page]["requests"]
    assert found[page]["bytes"] <= most_bytes
    assert len(requests) <= most_requests
    assert {url.split("/")[2].split(":")[0] for url in requests} == {"127.0.0.1"}


@pytest.mark.parametrize("page", PAGES)
def test_nothing_moves_and_no_script_holds_a_page_up_while_it_loads(
    found: Found, page: str
) -> None:
    assert found[page]["shift"] == 0
    assert [task for task in found[page]["tasks"] if task["script"]] == []
    assert sum(task["ms"] for task in found[page]["tasks"]) < FIRST_LAYOUT
