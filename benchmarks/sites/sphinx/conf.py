"""Sphinx's defaults, its search index among them, and what MyST needs for the same articles."""

project = "Benchmark"
extensions = ["myst_parser", "sphinx.ext.mathjax"]
html_theme = "alabaster"
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 2
