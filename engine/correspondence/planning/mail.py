"""Sends a mail by SMTP. The password comes from the environment or the keyring and appears in no message."""

from __future__ import annotations

import os

from ...common.errors import StandstillError
from ...common.install import install_command
from ...common.text import shown

SMTP_VARIABLE = "STANDSTILL_SMTP"
SMTP_USER_VARIABLE = "STANDSTILL_SMTP_USER"
SMTP_PASSWORD_VARIABLE = "STANDSTILL_SMTP_PASSWORD"  # the name of an environment variable, not a secret
_PATIENCE_S = 30
_TLS_PORT, _SUBMISSION_PORT = 465, 587
_LOCAL = ("localhost", "127.0.0.1", "::1")


class MailError(StandstillError, OSError):
    """A mail cannot be sent."""


def send_mail(address: str, title: str, text: str) -> None:
    """Send a mail. Raises MailError. TLS is required, except for a server on this machine."""
    import smtplib
    import ssl
    from email.errors import MessageError
    from email.message import EmailMessage

    host, port = _server()
    user = os.environ.get(SMTP_USER_VARIABLE, "")
    local = host in _LOCAL
    message = EmailMessage()
    try:
        message["Subject"], message["To"] = f"Standstill: {title}", address
        message["From"] = user if "@" in user else address
    except (ValueError, MessageError):
        raise MailError(f"expected an address for mail, found {shown(address)}") from None
    message.set_content(text)
    try:
        secure = ssl.create_default_context()
        if port == _TLS_PORT:
            server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=_PATIENCE_S, context=secure)
        else:
            server = smtplib.SMTP(host, port, timeout=_PATIENCE_S)
        with server:
            if port != _TLS_PORT and not local:
                server.starttls(context=secure)
            if user:
                server.login(user, _password(host, user))
            server.send_message(message)
    except smtplib.SMTPAuthenticationError:
        raise MailError(f"{host}: the mail server does not accept the user and password") from None
    except (smtplib.SMTPException, OSError) as error:
        if isinstance(error, MailError):
            raise
        raise MailError(f"{host}: the mail cannot be sent: {' '.join(str(error).split())}") from None


def _server() -> tuple[str, int]:
    text = os.environ.get(SMTP_VARIABLE, "")
    host, _, port = text.partition(":")
    if not host or not (port or "1").isdigit():
        what = f"a mail server such as smtp.example.org:465 in {SMTP_VARIABLE}"
        raise MailError(f"expected {what}, found {shown(text)}")
    return host, int(port) if port else _SUBMISSION_PORT


def _password(host: str, user: str) -> str:
    password = os.environ.get(SMTP_PASSWORD_VARIABLE)
    if password:
        return password
    service = f"standstill-smtp:{host}"
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise MailError(
            f"no {SMTP_PASSWORD_VARIABLE} is set, and keyring is not installed: {install_command('xfcc')}"
        ) from None
    try:
        password = keyring.get_password(service, user)
    except KeyringError as error:
        raise MailError(f"the keyring cannot be read: {' '.join(str(error).split())}") from None
    if not password:
        raise MailError(
            f"no password for {user}: `keyring set {service} {user}` keeps one, or set {SMTP_PASSWORD_VARIABLE}"
        )
    return password
