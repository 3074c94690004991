"""The Content-Security-Policy of a page: should a text ever get in as code, the browser does not run it."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256


def policy(script: str = "", style: str = "", wasm: bool = False) -> str:
    """No request to anywhere, and no script and no style but these, the texts of their elements.

    Without a `script` none runs; without a `style` all do, as in SVG, whose elements have their own.
    """
    scripts = f"script-src '{_hash(script)}'{' ' + repr('wasm-unsafe-eval') if wasm else ''}; " if script else ""
    styles = f"'{_hash(style)}'" if style else "'unsafe-inline'"
    content = f"default-src 'none'; {scripts}style-src {styles}; img-src data:; font-src data:"
    return f"""<meta http-equiv="Content-Security-Policy" content="{content}; base-uri 'none'; form-action 'none'">"""


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
