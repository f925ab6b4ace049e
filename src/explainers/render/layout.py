"""What all pages have in common: head, masthead, addresses of what they load."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from markupsafe import Markup

from ..config import Config
from ..fonts import maths_preload
from ..model import Output, Shared, Site, Tree
from .policy import policy
from .templates import Templates

BOOTSTRAP = "templates/parts/bootstrap.js"


def menu(config: Config, site: Site) -> list[tuple[str, str]]:
    """Return the entries of the menu: those of the settings, else what the site has."""
    if config.menus:
        return list(config.menus.items())
    known = [("Guide", "guide"), ("Glossary", "glossary"), ("About", "about")]
    return [
        ("All pages", "all/"),
        *([("Series", "series/")] if site.series else []),
        *((title, f"{slug}/") for title, slug in known if slug in site.pages),
    ]


def absolute(config: Config, address: str) -> str:
    """Return the whole address of a page or file, or nothing where the site has none."""
    return config.base_url + quote(address, safe="/+#?=&") if config.base_url else ""


class Layout:
    """Applies the templates of one site with what all its pages are told."""

    def __init__(
        self, tree: Tree, templates: Templates, config: Config, site: Site, shared: Shared
    ) -> None:
        """Keep what all pages are told."""
        self._templates, self._shared = templates, shared
        self.config, self.site = config, site
        bootstrap = tree.read(BOOTSTRAP).decode().strip() if BOOTSTRAP in tree.files else ""
        self._bootstrap = Markup(bootstrap)
        self._site = {
            "title": config.title,
            "tagline": config.tagline,
            "lang": config.lang,
            "url": config.base_url,
            "menu": [{"title": title, "url": url} for title, url in menu(config, site)],
            "feeds": bool(config.base_url),
        }

    @property
    def lists_styles(self) -> tuple[str, ...]:
        """Return the styles that only lists load."""
        return (self._shared.lists_style,)

    @property
    def base_path(self) -> str:
        """Return the path of the site on its host."""
        return urlsplit(self.config.base_url).path or "/"

    def apply(self, template: str, context: Mapping[str, Any]) -> str:
        """Apply a part of a page."""
        return self._templates.apply(template, context)

    def page(
        self,
        template: str,
        path: str,
        root: str,
        context: Mapping[str, Any],
        scripts: Sequence[str] = (),
        styles: Iterable[str] = (),
        **more: Any,
    ) -> Output:
        """Return one page; `context` is what its template calls `page`."""
        shared = self._shared
        page = {
            "summary_text": "",
            "lang": "",
            "maths": False,
            "figures": False,
            "published": None,
            "twin": "",
            "canonical": absolute(self.config, str(context["url"])),
            **context,
        }
        html = "".join(map(str, (page.get("body", ""), *more.values())))
        maths = [shared.maths_style] if page["maths"] else []
        text = self.apply(
            template,
            {
                "site": self._site,
                "root": root,
                "page": page,
                "assets": {
                    "styles": dict.fromkeys([shared.style, *maths, *styles]),
                    "icon": shared.icon,
                    "script": shared.script,
                    "scripts": scripts[:1],
                    "modulepreload": scripts,
                    "preload": [
                        *shared.preload,
                        # Formulas whose fonts come late would move the words around them.
                        *(shared.maths_faces[name] for name in maths_preload(html)),
                    ],
                    "bootstrap": self._bootstrap,
                    "csp": policy(self._bootstrap),
                },
                **more,
            },
        )
        return Output(path, text.encode())
