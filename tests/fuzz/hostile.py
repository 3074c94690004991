"""What strangers put into files: numbers at the edge, and names that mean something elsewhere."""

from __future__ import annotations

from random import Random

NUMBERS = (
    "0", "1", "-1", "-0.0", "0.5", "1e-9", "1e9999999999999999999", "1e-9999999999999999999", "1e308", "-1e308",
    "1e309",
    "5e-324", "1e-330", "1e300", "-1e299", "2.2250738585072014e-308", "nan", "inf", "-inf", "+nan", "9007199254740993",
    "18446744073709551616", "9" * 59, "9" * 61, "9" * 400, "1" * 5000, "0x" + "f" * 5000, "0x" + "f" * 12, "0o777",
    "0b1",
    "1_000", "0." + "3" * 400, "1e400", "1e59", "-9223372036854775809", "4294967296", "0.1e-300", "1.5e+150", "1e-160",
)  # fmt: skip
"""As TOML, XML, CSV and expressions write them; some formats know only some of them."""

NAMES = (
    "", " ", "q1", "base", "tool", "pi", "sin", "lambda", "None", "__class__", "__import__('antigravity')",
    "eval('1+1')",
    "a b", "a\tb", "a\nb", "a\rb", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b31m", "\x07", "\x00", "\x7f",
    "\ufeff",
    "<script>alert(1)</script>", "<b>bold</b>", "a<b", "a&b", "&lt;", "&#x41;", "\"onload=\"x", "'", '"', "]]>", "<!--",
    "j%1", "a&b", "j#1", "a{b", "a}b", "{}", "a^b", "a_b_c", "a~b", "$x$", "$\\frac{", "\\input{/etc/passwd}", "\\\\",
    "\\end{document}", "\\write18{ls}", "//", "/*", "*/", "#import \"x\"", "#let", "@cite", "`code`", "*b*", "_i_",
    "[x](y)",
    "=cmd|' /C calc'!A0", "+1+1", "-2", "@SUM(A1)", "=1+1", "\t=1", "|", "a|b", "a,b", "a;b", 'a"b,c', "%s%n", "{0}",
    "${x}",
    "\u202eevil\u202c", "\u2066x\u2069", "\u200b", "\u0301", "\ud800", "\udfff", "\U0001f916", "é", "ö̈", "ﬁ", "²",
    "٣", "𝑞",
    "x" * 100, "x" * 101, "x" * 5000, "../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "http://localhost:1/x",
    "C:\\x", "con", "nul", "-", "--", "--help", "-o", "'; DROP TABLE", "True", "1", "nan", "inf", "[0]", "a.b.c",
    "a..b",
)  # fmt: skip
"""Escape sequences, HTML, LaTeX, Typst, Markdown, CSV formulas, matplotlib markup, paths, keywords, odd Unicode."""

TEXT_NAMES = tuple(name for name in NAMES if name.isprintable() and name.strip() == name and 0 < len(name) <= 100)
"""Those that a robot may have as a name."""


def number(random: Random) -> str:
    """A number in digits: at the edge, or an ordinary one."""
    if random.random() < 0.5:
        return random.choice(NUMBERS)
    return random.choice((str(random.randint(-3, 12)), f"{random.uniform(-2, 2):.3g}", f"1e{random.randint(-20, 20)}"))


def name(random: Random) -> str:
    """A hostile name, or two of them in one."""
    first = random.choice(NAMES)
    return first if random.random() < 0.8 else first + random.choice(NAMES)
