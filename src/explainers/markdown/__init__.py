"""The author's Markdown: CommonMark and our directives, roles, formulas. One rule a file."""
