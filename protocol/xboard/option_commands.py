"""The commands of XBoard's protocol that set options, and the variants that depend on one of them."""

from __future__ import annotations

from standstill.engine.common.errors import ConfigError, StandstillError
from standstill.engine.settings.options import find

from .lines import variants_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from standstill.engine.play.session import Session

    from ..line_writer import LineWriter
    from .client import Client

ORTHODOX = ("normal", "fischerandom")
_TABLES = {"syzygy": "SyzygyPath", "rmobility": "RMobilityTablePath"}  # options by the kinds of tables in `egtpath`


class OptionCommands:
    """`option`, `memory`, `cores` and `egtpath`."""

    def __init__(self, session: Session, writer: LineWriter, client: Client, changed: Callable[[], None]):
        """changed: called after an option has been set."""
        self._session = session
        self._writer = writer
        self._client = client
        self._changed = changed
        self.complaints: list[str] = []  # the error in the user's file of variants that was reported last

    def variants(self) -> tuple[str, ...]:
        """The variants to announce; without the variants of the user's file if this file cannot be read."""
        try:
            known = self._session.played.catalog.advertised(self._client.has_window)
        except StandstillError as error:
            self.complaints.append(str(error))
            return ORTHODOX
        return (*ORTHODOX, *(name for name in known if name not in ORTHODOX))

    def accepted(self, feature: str) -> None:
        """Note a feature that the client accepts. Once XBoard is recognised, it gets only variants that it supports."""
        before = self.variants() if feature == "exclude" else ()
        self._client.accepted(feature)
        if before and before != (now := self.variants()):
            self._writer.write(variants_line(now))

    def option(self, rest: str) -> None:
        """Obey `option NAME=VALUE`. Raises StandstillError if the option cannot be set."""
        name, equals, value = rest.partition("=")
        spec = find(name)
        if spec is not None and spec.name in ("UCI_Variant", "UCI_Chess960"):
            # The option command changes the game on the board as well.
            raise ConfigError(f"expected the command variant, found option {spec.name}")
        if spec is not None and spec.kind == "check" and equals:
            value = {"1": "true", "0": "false"}.get(value.strip(), value)
        try:
            self.set(name, value.strip())
        except StandstillError as error:
            self._client.warn(str(error))  # XBoard writes the Error line only into its log
            raise

    def set(self, name: str, value: str) -> None:
        """Set an option, and announce the variants again if the option has changed them."""
        spec = find(name)
        variants = self.variants() if spec is not None and spec.name == "VariantFile" else ()
        self._session.set_option(name, value)
        if variants and variants != (now := self.variants()):
            self._writer.write(variants_line(now))
        self._changed()

    def egtpath(self, rest: str) -> None:
        """Obey `egtpath KIND FOLDERS`; other kinds of tables are ignored."""
        kind, _, path = rest.partition(" ")
        option = _TABLES.get(kind.lower())
        if option is not None:
            self.set(option, path.strip())
