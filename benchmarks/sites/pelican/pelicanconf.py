"""Pelican's defaults, feeds among them, its plainest theme, and its cache of what it has read."""

AUTHOR = "Ada Example"
SITENAME = "Benchmark"
SITEURL = "https://benchmark.example"
TIMEZONE = "UTC"
THEME = "simple"
ARTICLE_PATHS = STATIC_PATHS = ["articles"]
ARTICLE_URL = "articles/{slug}/"
ARTICLE_SAVE_AS = "articles/{slug}/index.html"
CACHE_CONTENT = LOAD_CONTENT_CACHE = True
MARKDOWN = {
    "extension_configs": {
        "markdown.extensions.extra": {},
        "markdown.extensions.meta": {},
        "markdown.extensions.toc": {},
        "markdown.extensions.codehilite": {"guess_lang": False},
        "pymdownx.arithmatex": {"generic": True},
    },
}
