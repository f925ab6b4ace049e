"""What joins articles beside their links: tags, places in series, what is related."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ..catalogue import Place, Tag, tag_slug
from ..errors import Problem
from ..model import Outline
from ..nearest import nearest

RELATED = 3
"""Articles named as related."""

_NEAR = 12
"""Articles of one tag, before and after, that may be related: keeps the work in proportion."""


def tagged(
    newest: Sequence[str], pages: Mapping[str, Outline], problems: list[Problem]
) -> dict[str, Tag]:
    """Return the tags by their names in addresses; one tag is written in one way."""
    found: dict[str, list[str]] = defaultdict(list)
    names: dict[str, tuple[str, Outline]] = {}
    for slug in newest:
        for index, name in enumerate(pages[slug].meta.tags):
            key = tag_slug(name)
            first, where = names.setdefault(key, (name, pages[slug]))
            if first != name:
                message = f'the tag "{name}" has the address of "{first}" in {where.path}'
                hint = f'write one of them both times: "{first}"'
                problems.append(
                    Problem("same-tag", message, pages[slug].spans[f"tags.{index}"], hint)
                )
            if found[key][-1:] != [slug]:
                found[key].append(slug)
    return {key: Tag(names[key][0], key, tuple(found[key])) for key in sorted(found)}


def placed(
    series: Sequence[Outline], outlines: Mapping[str, Outline], problems: list[Problem]
) -> dict[str, tuple[Place, ...]]:
    """Return each article's places in series; a part named by its slug alone must be there."""
    found: dict[str, list[Place]] = defaultdict(list)
    articles = [slug for slug, outline in outlines.items() if outline.section == "articles"]
    known = set(articles)
    for outline in series:
        for index, module in enumerate(outline.series.modules if outline.series else ()):
            if module.slug in known:
                found[module.slug].append(Place(outline.slug, index))
            elif not module.title:
                hint = nearest(
                    module.slug, articles, "a part that is only planned has a title and a promise"
                )
                message = f'no article named "{module.slug}"'
                problems.append(Problem("unknown-module", message, module.span, hint))
    return {slug: tuple(places) for slug, places in found.items()}


def told(series: Outline, outlines: Sequence[Outline]) -> Outline:
    """Return a series in which parts that are held back are named as those articles name them."""
    found = series.series
    if found is None or all(module.title for module in found.modules):
        return series
    known = {outline.slug: outline for outline in outlines}
    modules = tuple(
        replace(module, title=other.title_text, promise=other.summary_text)
        if not module.title and (other := known.get(module.slug))
        else module
        for module in found.modules
    )
    return replace(series, series=replace(found, modules=modules))


def related(
    newest: Sequence[str], tags: Mapping[str, Tag], places: Mapping[str, tuple[Place, ...]]
) -> Mapping[str, tuple[str, ...]]:
    """Return for each article those that share its rarest tags, nearest in time first.

    What stands beside it in a series is told there.
    """
    return _related(tuple(newest), tuple(tags.values()), tuple(places.items()))


@functools.lru_cache(maxsize=1)
def _related(
    newest: tuple[str, ...],
    tags: tuple[Tag, ...],
    places: tuple[tuple[str, tuple[Place, ...]], ...],
) -> Mapping[str, tuple[str, ...]]:
    """Return what is related; kept, since most saves in `serve` change neither tag nor date."""
    rank = {slug: index for index, slug in enumerate(newest)}
    by_name = sorted(newest)
    turn = {slug: index for index, slug in enumerate(by_name)}
    shared: dict[str, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for tag in tags:
        weight = 1_000_000 // len(tag.articles)
        for at, slug in enumerate(tag.articles):
            shared[slug].append((weight, tag.articles[max(0, at - _NEAR) : at + _NEAR + 1]))
    beside = {(place.series, place.index): slug for slug, found in places for place in found}
    stands = dict(places)
    count = len(newest)
    result: dict[str, tuple[str, ...]] = {}
    for slug in newest:
        scores: dict[str, int] = {}
        for weight, articles in shared[slug]:
            for other in articles:
                scores[other] = scores.get(other, 0) + weight
        for other in (slug, *_neighbours(stands.get(slug, ()), beside)):
            scores.pop(other, None)
        # Score, nearness and name as one number: it sorts in a fifth of the time of a tuple.
        here = rank[slug]
        order = sorted(
            (abs(rank[other] - here) - score * count) * count + turn[other]
            for other, score in scores.items()
        )
        if order:
            result[slug] = tuple(by_name[number % count] for number in order[:RELATED])
    return result


def _neighbours(places: Collection[Place], beside: Mapping[tuple[str, int], str]) -> Iterator[str]:
    for place in places:
        for step in (-1, 1):
            if other := beside.get((place.series, place.index + step)):
                yield other
