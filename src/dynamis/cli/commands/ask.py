"""`dynamis ask`: a verb asked in JSON, by programs and assistants."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from dynamis.cli.completion import completed_at
from dynamis.cli.terminal import Progress


def command(
    request: Annotated[
        Path | None,
        typer.Argument(metavar="REQUEST", help='A .json file such as {"verb": "simulate", ...}; - is standard input.'),
    ] = None,
    schema: Annotated[
        str | None,
        typer.Option(
            metavar="VERB", help="Print the JSON schema of a verb's requests.",
            autocompletion=completed_at("dynamis.verbs.catalogue:PLACES"),
        ),
    ] = None,
) -> None:  # fmt: skip
    """Answer a request in JSON, as programs and assistants write it; the answer is JSON too.

    The keys are the options that the verb has in Python and on the command line. What is wrong in a request is one
    sentence, with exit code 2.
    """
    from dynamis.base.errors import ArgumentError, FormatError
    from dynamis.base.toml_table import decoded_text, read_text
    from dynamis.base.verb import declared
    from dynamis.cli.output import PageTarget
    from dynamis.verbs import json_request

    if (request is None) == (schema is None):
        raise ArgumentError("give a request, or --schema VERB")
    if schema is not None:
        print(json.dumps(json_request.schema(schema), indent=2, ensure_ascii=False))
        return
    name = "standard input" if str(request) == "-" else str(request)
    text = decoded_text(sys.stdin.buffer, name) if str(request) == "-" else read_text(Path(name))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not JSON: {error}").at(name) from None
    with Progress("ask") as progress:
        asked = json_request.verb_from_json(data)
        result = asked.run(**({"progress": progress} if "progress" in declared(type(asked)) else {}))
        target = PageTarget("json", None, {"request": name})
        text = target.text(result)
    target.write(text, "")
