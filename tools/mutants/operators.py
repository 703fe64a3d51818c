"""Small mistakes that apply anywhere: each replaces one token of Python or Cython with another.

Cython has Python's tokens, so one set of operators serves both languages.
The usual tools for Python cannot handle the core, and do not suit the rest. mutmut replaces functions inside one
interpreter, whereas our tests start the program. Cosmic Ray needs a database and distributed workers, whereas a list of
places is enough here.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .lists import Mutant

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "+": "-", "-": "+", "*": "+", "//": "*", "&": "|", "|": "&", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=",
    "and": "or", "or": "and", "not": "", "True": "False", "False": "True", "break": "continue", "continue": "break",
    "min": "max", "max": "min", "any": "all", "all": "any", "if": "if not", "elif": "elif not",
}  # fmt: skip
BINARY = ("+", "-", "*", "&", "|", "//", "<<", ">>")
SKIPPED_LINES = re.compile(
    r"\s*(from|import|cimport|@|assert\b|def |cdef [^=]*$|class |raise |global |include |TYPE_CHECKING = )"
)
Token = tokenize.TokenInfo
LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT)


@dataclass(frozen=True)
class PlacedMutant(Mutant):
    """A mistake at one place of a file, given as an index of characters."""

    at: int = 0

    def apply(self, text: str) -> str:
        """Return the text with the mistake. Raises ValueError if the place holds other text."""
        end = self.at + len(self.old)
        if text[self.at : end] != self.old:
            raise ValueError(f"{self.what}: expected {self.old!r}, found {text[self.at : end]!r}")
        return text[: self.at] + self.new + text[end:]


def mistakes(file: str, text: str, tests: Sequence[str] = ()) -> list[PlacedMutant]:
    """Return all mistakes that the operators can make in a file, in the order of the file."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tokens = [token for token in _tokens(text) if token.type not in LAYOUT]
    found = []
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else None
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        if SKIPPED_LINES.match(token.line) or (new := _instead(token, before, after)) is None:
            continue
        row, column = token.start
        what = f"{file}:{row}: {token.string!r} becomes {new!r} in {token.line.strip()!r}"
        found.append(PlacedMutant(what, file, token.string, new, tuple(tests), at=starts[row - 1] + column))
    return found


def _tokens(text: str) -> Iterator[Token]:
    return tokenize.generate_tokens(io.StringIO(text).readline)


def _instead(token: Token, before: Token | None, after: Token | None) -> str | None:
    """Return the replacement of a token, or None."""
    if token.type == tokenize.NUMBER:
        return str(int(token.string) + 1) if token.string.isdecimal() else None
    new = SWAPS.get(token.string) if token.type in (tokenize.OP, tokenize.NAME) else None
    if new is None or before is None or after is None or _means_something_else(token, before, after):
        return None
    return new


def _means_something_else(token: Token, before: Token, after: Token) -> bool:
    """Return whether the token is not an operator here, or the replacement would parse differently."""
    text = token.string
    if text in BINARY:
        pointer = text == "*" and _POINTER.match(token.line[: token.start[1] + 1])
        unpacking = text == "*" and not token.line[: token.start[1]].strip() and _UNPACKED.match(token.line)
        choice = text == "|" and {before.string, after.string} & _TYPES
        return not _is_operand(before) or bool(pointer or unpacking or choice)
    if text in ("<", ">"):
        return _is_cast(token)
    if text == "True":
        return token.line[: token.start[1]].endswith("strict=")  # of `zip`: an assertion
    if text == "not":
        return before.string == "is" or after.string in ("in", "None")
    if text in ("min", "max", "any", "all"):
        return after.string != "(" or before.string == "."
    # In a larger expression, a comprehension or before `:=`, `not` would apply to something else.
    starts = token.line.lstrip().startswith(text)
    return text in ("if", "elif") and (not starts or ":=" in token.line)


def _is_operand(token: Token) -> bool:
    """Return whether a value ends with this token, so that the following operator is binary."""
    if token.type == tokenize.NAME:
        return token.string not in ("return", "in", "and", "or", "not", "if", "else", "elif", "for")
    return token.type in (tokenize.NUMBER, tokenize.STRING) or token.string in (")", "]")


_POINTER = re.compile(r"\s*cdef (const )?[\w.]+ ?\*$")
_UNPACKED = re.compile(r"\s*\*\w+(, \w+)* = ")
_TYPES = {"None", "str", "int", "bytes", "float", "bool"}
_CAST = re.compile(r"<\s*(const )?[A-Za-z_][\w. ]*[\s*]*>")


def _is_cast(token: Token) -> bool:
    """Return whether the token is a bracket of a Cython cast such as ``<int> x``."""
    column = token.start[1]
    return any(
        column in (match.start(), match.end() - 1)
        for match in _CAST.finditer(token.line)
        if not re.match(r"\s[^ ]", token.line[match.start() + 1 : match.start() + 3])
    )
