"""Reads the values of a request. An invalid value raises ArgumentError with one line that names it."""

from __future__ import annotations

import base64
import binascii
import json

from ..common.errors import ArgumentError
from ..common.text import shown_value

Fields = dict[str, object]


def read(body: bytes) -> Fields:
    """Return the object in a JSON body; an empty body counts as an empty object."""
    try:
        found = json.loads(body) if body else {}
    except (ValueError, RecursionError):
        raise ArgumentError("expected a JSON object") from None
    if not isinstance(found, dict):
        raise ArgumentError(f"expected a JSON object, found {shown_value(found)}")
    return found


def text(fields: Fields, name: str, default: str = "") -> str:
    found = fields.get(name, default)
    if not isinstance(found, str):
        raise _wrong(name, "a text", found)
    return found


def content(fields: Fields, name: str, what: str = "a part of a file") -> bytes:
    """Return bytes that were sent in base64. what: a name for the bytes, for the message."""
    try:
        return base64.b64decode(text(fields, name), validate=True)
    except binascii.Error:
        raise ArgumentError(f"{name}: expected {what} in base64") from None


def choice(fields: Fields, name: str, choices: tuple[str, ...], default: str) -> str:
    found = text(fields, name, default)
    if found not in choices:
        raise _wrong(name, f"one of {', '.join(choices)}", found)
    return found


def truth(fields: Fields, name: str, default: bool = False) -> bool:
    found = fields.get(name, default)
    if not isinstance(found, bool):
        raise _wrong(name, "true or false", found)
    return found


def whole(fields: Fields, name: str, least: int, most: int) -> int | None:
    """Return a whole number in this range; None if it is missing or null."""
    found = fields.get(name)
    if found is None:
        return None
    if type(found) is not int or not least <= found <= most:
        raise _wrong(name, f"a whole number from {least} to {most}", found)
    return found


def texts(fields: Fields, name: str, most: int) -> list[str]:
    found = fields.get(name, [])
    if not isinstance(found, list) or len(found) > most or not all(isinstance(each, str) for each in found):
        raise _wrong(name, f"a list of at most {most} texts", found)
    return found


def inner(fields: Fields, name: str) -> Fields:
    found = fields.get(name, {})
    if not isinstance(found, dict):
        raise _wrong(name, "an object", found)
    return found


def _wrong(name: str, expected: str, found: object) -> ArgumentError:
    return ArgumentError(f"{name}: expected {expected}, found {shown_value(found)}")
