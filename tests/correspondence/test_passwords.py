"""Passwords of accounts in a keyring, and the addresses to which they are sent."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from standstill.engine.correspondence.servers.xfcc import (
    PASSWORD_PREFIX,
    PASSWORD_VARIABLE,
    USER_VARIABLE,
    XfccError,
    check_address,
    credentials,
    forget_password,
    keep_password,
)

URL = "https://chess.example.org:8443/xfcc"
SERVICE = "standstill-xfcc:chess.example.org"


class KeyringError(Exception):
    """The error of the library, of which the others are kinds."""


class NoKeyringError(KeyringError):
    """No keyring is installed."""


class Keyring(ModuleType):
    """A keyring in memory. failure: raised by every call."""

    def __init__(self) -> None:
        super().__init__("keyring")
        self.kept: dict[tuple[str, str], str] = {}
        self.failure: KeyringError | None = None

    def _look(self) -> dict[tuple[str, str], str]:
        if self.failure is not None:
            raise self.failure
        return self.kept

    def get_password(self, service: str, user: str) -> str | None:
        return self._look().get((service, user))

    def set_password(self, service: str, user: str, password: str) -> None:
        self._look()[service, user] = password

    def delete_password(self, service: str, user: str) -> None:
        del self._look()[service, user]


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    made, errors = Keyring(), ModuleType("keyring.errors")
    errors.KeyringError = KeyringError
    monkeypatch.setitem(sys.modules, "keyring", made)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    for name in (USER_VARIABLE, PASSWORD_VARIABLE, f"{PASSWORD_PREFIX}ANNA_B"):
        monkeypatch.delenv(name, raising=False)
    return made


def test_a_password_is_kept_found_and_forgotten_for_one_server_and_one_user(keyring: Keyring) -> None:
    keep_password(URL, "anna.b", "one")
    keep_password(URL, "ben", "two")
    assert keyring.kept == {(SERVICE, "anna.b"): "one", (SERVICE, "ben"): "two"}
    assert credentials("https://chess.example.org/other", "anna.b") == ("anna.b", "one")
    with pytest.raises(XfccError, match=r"no password for anna.b: `keyring set standstill-xfcc:example.org anna.b`"):
        credentials("https://example.org/xfcc", "anna.b")
    assert forget_password(URL, "anna.b") is True
    assert forget_password(URL, "anna.b") is False
    assert keyring.kept == {(SERVICE, "ben"): "two"}


def test_variables_take_precedence_and_the_users_own_comes_first(
    keyring: Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(XfccError, match=f"expected a user: --user or the variable {USER_VARIABLE}"):
        credentials(URL, None)
    keep_password(URL, "anna.b", "kept")
    monkeypatch.setenv(USER_VARIABLE, "anna.b")
    assert credentials(URL, None) == ("anna.b", "kept")
    monkeypatch.setenv(PASSWORD_VARIABLE, "for all")
    assert credentials(URL, None) == ("anna.b", "for all")
    monkeypatch.setenv(f"{PASSWORD_PREFIX}ANNA_B", "own")
    assert credentials(URL, None) == ("anna.b", "own")
    assert credentials(URL, "ben") == ("ben", "for all")


@pytest.mark.parametrize("failure", [KeyringError("locked\nby another"), NoKeyringError("none here")], ids=repr)
def test_a_keyring_that_fails_is_named(keyring: Keyring, failure: KeyringError) -> None:
    keyring.failure = failure
    said = " ".join(str(failure).split())
    with pytest.raises(XfccError, match=f"the keyring cannot keep the password: {said}"):
        keep_password(URL, "ben", "two")
    with pytest.raises(XfccError, match=f"the keyring cannot be read: {said}"):
        credentials(URL, "ben")
    if isinstance(failure, NoKeyringError):
        assert forget_password(URL, "ben") is False
    else:
        with pytest.raises(XfccError, match=f"the keyring may still have the password: {said}"):
            forget_password(URL, "ben")


def test_without_the_library_nothing_is_kept(keyring: Keyring, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(XfccError, match=r"^keyring is not installed: "):
        keep_password(URL, "ben", "two")
    with pytest.raises(XfccError, match=f"no {PASSWORD_VARIABLE} is set, and keyring is not installed: "):
        credentials(URL, "ben")
    assert forget_password(URL, "ben") is False


@pytest.mark.parametrize("scheme", ["https", "http", "ftp", ""])
@pytest.mark.parametrize("who", ["", "nowak@", "nowak:secret@", ":secret@"])
@pytest.mark.parametrize("host", ["example.org", "localhost", "127.0.0.1", "[::1]", "127.0.0.1.example.org"])
def test_a_password_goes_only_to_https_or_to_this_machine(scheme: str, who: str, host: str) -> None:
    url = f"{scheme}://{who}{host}:8000/x"
    if not who and (scheme == "https" or (scheme == "http" and host in ("localhost", "127.0.0.1", "[::1]"))):
        check_address(url)
        return
    with pytest.raises(XfccError, match="expected an") as refused:
        check_address(url)
    assert "secret" not in str(refused.value)
    with pytest.raises(XfccError, match="expected an"):
        keep_password(url, "ben", "two")


@pytest.mark.parametrize("url", ["nowak:secret@example.org/x", "http://nowak:secret@[::1", "nowak:secret@example.org"])
def test_a_password_in_a_mistyped_address_is_not_shown(url: str) -> None:
    with pytest.raises(XfccError, match="expected an https address of a server without a user and password in it"):
        check_address(url)
