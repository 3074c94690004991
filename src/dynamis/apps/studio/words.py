"""The words of the studio: options are fields and boxes of its page."""

from __future__ import annotations

FIELDS = {
    "only": 'the field "only these entries"',
    "seconds": 'the field "time limit"',
    "whole": 'the box "whole formulas"',
    "spatial": 'the box "in three dimensions"',
    "numeric": 'the parameters as "numbers"',
    "method": "the choice of the method",
    "values": "the values under Parameters",
}
"""What an option of Python is called on the page."""


class Studio:
    """The face of whoever works in the studio."""

    def option(self, name: str, value: str, call: str) -> str:
        """The field with its value.

        >>> Studio().option("seconds", "600", ""), Studio().option("memory", "8", "")
        ('600 in the field "time limit"', 'the option memory 8 of the command line')
        """
        field = FIELDS.get(name)
        if field is None:
            return f"the option {name.replace('_', '-')}{f' {value}' if value else ''} of the command line"
        if name == "values":
            return f"{value.partition('=')[0]} under Parameters" if value else field
        return f"{value} in {field}" if value else field

    def name(self, name: str) -> str:
        return FIELDS.get(name, name.replace("_", " "))

    def request(self, verb: str, robot: str, options: dict[str, str]) -> str:
        """The fields that stand for a request, and the command line for what has none."""
        if verb == "derive" and options and options.keys() <= FIELDS.keys():
            return ", ".join(self.option(name, value, "") for name, value in options.items())
        typed = " ".join(f"--{name.replace('_', '-')} {value}".removesuffix(" True") for name, value in options.items())
        return f"dynamis {verb} {robot} {typed}".rstrip()
