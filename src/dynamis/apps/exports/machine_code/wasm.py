"""A WebAssembly module from the object file that LLVM writes: memory, exports and data in the place of a linker.

An object file has everything that counts in the right numbering: its types, functions and code. It imports its memory,
which a module of ours has itself, and it exports nothing.
https://webassembly.github.io/spec/core/binary/modules.html
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

CUSTOM_SECTION, TYPE_SECTION, FUNCTION_SECTION, MEMORY_SECTION, EXPORT_SECTION, CODE_SECTION, DATA_SECTION = (
    0,
    1,
    3,
    5,
    7,
    10,
    11,
)
"""Numbers of sections."""
FUNCTION_EXPORT, MEMORY_EXPORT = 0, 2
"""Kinds of exports."""
SYMBOL_TABLE = 8
"""The part of the custom section "linking" with the names of all functions."""


def module(object_file: bytes, exports: Sequence[str], data: Mapping[int, bytes], pages: int = 1) -> bytes:
    """The module with `exports` of its functions, and `data` by its address in memory; it imports nothing."""
    sections = _sections(object_file)
    numbers = _functions(sections["linking"])
    if missing := sorted(name for name, defined in numbers.values() if not defined):
        raise ValueError(f"a module without imports has no {', '.join(missing)}")
    places = {name: k for k, (name, _) in numbers.items()}
    named = [_name(x) + bytes([FUNCTION_EXPORT]) + _number(places[x]) for x in exports]
    segments = [b"\0\x41" + _signed_leb128(at) + b"\x0b" + _bytes(content) for at, content in data.items()]
    parts = {
        TYPE_SECTION: sections[TYPE_SECTION],
        FUNCTION_SECTION: sections[FUNCTION_SECTION],
        MEMORY_SECTION: b"\1\0" + _number(pages),
        EXPORT_SECTION: _vector([_name("memory") + bytes([MEMORY_EXPORT, 0]), *named]),
        CODE_SECTION: sections[CODE_SECTION],
        **({DATA_SECTION: _vector(segments)} if segments else {}),
    }
    return object_file[:8] + b"".join(bytes([key]) + _bytes(part) for key, part in parts.items())


def _sections(file: bytes) -> dict[int | str, bytes]:
    """The contents of the sections by number, of custom ones by name."""
    sections: dict[int | str, bytes] = {}
    at = 8
    while at < len(file):
        key, (size, at) = file[at], _read(file, at + 1)
        content = file[at : at + size]
        at += size
        if key == CUSTOM_SECTION:
            length, start = _read(content, 0)
            sections[content[start : start + length].decode()] = content[start + length :]
        else:
            sections[key] = content
    return sections


def _functions(linking: bytes) -> dict[int, tuple[str, bool]]:
    """The name of every function by its number, and whether it is defined.

    https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md
    """
    names: dict[int, tuple[str, bool]] = {}
    _, at = _read(linking, 0)  # the version
    while at < len(linking):
        kind, (size, at) = linking[at], _read(linking, at + 1)
        end = at + size
        if kind == SYMBOL_TABLE:
            count, at = _read(linking, at)
            for _ in range(count):
                what, (flags, at) = linking[at], _read(linking, at + 1)
                if what != FUNCTION_EXPORT:
                    break  # those of data and globals follow
                number, at = _read(linking, at)
                defined = not flags & 0x10
                if defined or flags & 0x40:  # an imported one has its name in the import section
                    length, at = _read(linking, at)
                    names[number] = (linking[at : at + length].decode(), defined)
                    at += length
                else:
                    names[number] = (f"function {number}", False)
        at = end
    return names


def _read(content: bytes, at: int) -> tuple[int, int]:
    """An unsigned integer in LEB128, and where the next byte is."""
    value = shift = 0
    while True:
        value |= (content[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not content[at - 1] & 0x80:
            return value, at


def _number(value: int) -> bytes:
    """An unsigned integer in LEB128: seven bits per byte, the least significant first."""
    more, rest = value >> 7, value & 0x7F
    return bytes([rest | 0x80]) + _number(more) if more else bytes([rest])


def _signed_leb128(value: int) -> bytes:
    """A positive integer in signed LEB128: the sixth bit of the last byte is its sign."""
    more, rest = value >> 7, value & 0x7F
    return bytes([rest | 0x80]) + _signed_leb128(more) if more or rest & 0x40 else bytes([rest])


def _bytes(content: bytes) -> bytes:
    return _number(len(content)) + content


def _name(text: str) -> bytes:
    return _bytes(text.encode())


def _vector(entries: Sequence[bytes]) -> bytes:
    return _number(len(entries)) + b"".join(entries)
