"""The words of the command line: `--seconds 600`, `dynamis derive bar-2r --only "M[1,2]"`."""

from __future__ import annotations

from collections.abc import Mapping

FLAGS = {"values": "--set", "conditions": "--set", "output": "-o", "page": "--as", "as_json": "--json"}
"""Options whose names on the command line are not those in Python."""


class CommandLine:
    """The face of whoever types commands; `flags` are names that the options of one command have instead of theirs."""

    def __init__(self, flags: Mapping[str, str] | None = None) -> None:
        self.flags = FLAGS | {name: f"--{_dashed(flag)}" for name, flag in (flags or {}).items()}

    def option(self, name: str, value: str, call: str) -> str:
        value = value.partition(", ")[0] if name == "values" else value
        return f"{self.name(name)} {value}" if value else self.name(name)

    def name(self, name: str) -> str:
        return self.flags.get(name, f"--{_dashed(name)}")

    def request(self, verb: str, robot: str, options: dict[str, str]) -> str:
        typed = (
            self.option(name, "" if value == "True" else _quote_value(value), "") for name, value in options.items()
        )
        return " ".join([f"dynamis {verb} {robot}", *typed])


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _quote_value(value: str) -> str:
    return f'"{value}"' if set(value) & set("[]() ,;") else value
