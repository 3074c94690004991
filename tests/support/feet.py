"""Pages without their foot: references, command and date, which differ where the page is the same."""

import json
import re

_FOOT = re.compile(
    r"\n+(\\subsection\*\{References\}|<h2>References|#+ References|==+ References|References\n"
    r"|\\par\\bigskip\\hrule|<footer>|-{3,}\n+dynamis \d|#line\(length: 100%)"
    r".*?(?=\n\\end\{document\}|\n</body>|\Z)",
    re.DOTALL,
)


def without_foot(page: str) -> str:
    """The text of a page in any format."""
    if page.startswith("{"):
        return json.dumps(
            {key: value for key, value in json.loads(page).items() if key not in ("references", "provenance")}
        )
    return _FOOT.sub("", page).rstrip("\n")
