"""The content security policy of a page: what a browser may load and run."""

from __future__ import annotations

import base64
import hashlib


def policy(*inline: str) -> str:
    """Return the policy for a page whose only inline scripts are these texts.

    KaTeX sets lengths in style attributes, hence `style-src-attr`; the plain `style-src` is for
    browsers that do not know the two finer ones.
    """
    hashes = "".join(f" 'sha256-{_hash(text)}'" for text in inline if text)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self'{hashes}",
            "style-src 'self' 'unsafe-inline'",
            "style-src-elem 'self'",
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
