"""What joins articles beside their links: tags, places in series, what is related."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ..catalogue import Place, Tag, tag_slug
from ..errors import Problem, Span
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
        for name in dict.fromkeys(pages[slug].meta.tags):
            key = tag_slug(name)
            first, where = names.setdefault(key, (name, pages[slug]))
            if first != name:
                message = f'the tag "{name}" has the address of "{first}" in {where.path}'
                hint = f'write one of them both times: "{first}"'
                problems.append(Problem("same-tag", message, Span(pages[slug].path), hint))
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
    newest: Sequence[str],
    pages: Mapping[str, Outline],
    tags: Mapping[str, Tag],
    places: Mapping[str, Collection[Place]],
) -> dict[str, tuple[str, ...]]:
    """Return for each article those that share its rarest tags, nearest in time first.

    What stands beside it in a series is told there.
    """
    rank = {slug: index for index, slug in enumerate(newest)}
    at = {key: {slug: n for n, slug in enumerate(tag.articles)} for key, tag in tags.items()}
    beside: dict[tuple[str, int], str] = {
        (place.series, place.index): slug for slug, found in places.items() for place in found
    }
    result: dict[str, tuple[str, ...]] = {}
    for slug in newest:
        scores: Counter[str] = Counter()
        for key in dict.fromkeys(map(tag_slug, pages[slug].meta.tags)):
            articles = tags[key].articles
            here = at[key][slug]
            for other in articles[max(0, here - _NEAR) : here + _NEAR + 1]:
                scores[other] += 1_000_000 // len(articles)
        known = {slug, *_neighbours(places.get(slug, ()), beside)}
        best = sorted(
            (other for other in scores if other not in known),
            key=lambda other: (-scores[other], abs(rank[other] - rank[slug]), other),
        )
        if best:
            result[slug] = tuple(best[:RELATED])
    return result


def _neighbours(places: Collection[Place], beside: Mapping[tuple[str, int], str]) -> Iterator[str]:
    for place in places:
        for step in (-1, 1):
            if other := beside.get((place.series, place.index + step)):
                yield other
