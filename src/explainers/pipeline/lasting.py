"""How long a build stays right while its files do: until a date, or a variable changes."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from ..compute import Computer
from ..config import Config
from ..model import Outline, Site
from .builder import Options


def variables(site: Site, computer: Computer) -> list[str]:
    """Return the environment variables that the site's datasets declare."""
    slugs = (slug for slug, page in site.pages.items() if page.datasets)
    declared = (one for slug in slugs for one in computer.keys.datasets(slug).values())
    return sorted({name for one in declared for name in one.env})


def window(
    site: Site, outlines: Sequence[Outline], today: dt.date, settings: Config, options: Options
) -> tuple[float, float]:
    """Return the times between which the same pages are held back for their date."""
    if options.today:
        return -math.inf, math.inf
    zone = ZoneInfo(settings.time_zone)
    held = dict(site.held_back)
    future = [o.meta.date for o in outlines if o.slug in held and not o.meta.draft]
    start = dt.datetime.combine(today, dt.time(), zone).timestamp()
    until = dt.datetime.combine(min(future), dt.time(), zone).timestamp() if future else math.inf
    return start, until
