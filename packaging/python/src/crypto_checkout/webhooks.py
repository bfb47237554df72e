"""Webhooks by Standard Webhooks (https://www.standardwebhooks.com/)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .errors import WebhookVerificationError


@dataclass(frozen=True)
class Webhook:
    """What the gateway says. `type` of the payload is that of a typed event; callbacks of deposits and withdrawals have none."""

    id: str
    """The same on every attempt: ignore ids that you have processed."""
    timestamp: int
    """UNIX seconds of the signature."""
    payload: dict[str, Any]
    """Amounts of callbacks are numbers; they are read as `Decimal`, with their exact digits."""


def verify_webhook(
    body: bytes | bytearray | memoryview | str,
    headers: Mapping[str, str | Sequence[str]],
    secret: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> Webhook:
    """Checks the signature of a webhook, and reads it.

    `body` are the bytes as they came, before any parser. `secret` is the callback secret of the business (`whsec_…`), or several.
    During a rotation the gateway sends a signature for each of its secrets; one has to match.
    Seconds between the signature and now may be `tolerance` at most.

    Raises `WebhookVerificationError`.
    """
    webhook_id, timestamp, signatures = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    now = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or abs(now - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The timestamp of the webhook is too far from now.")
    raw = _bytes(body)
    message = f"{webhook_id}.{timestamp}.".encode() + raw
    secrets = [secret] if secret is None or isinstance(secret, str) else secret
    expected = [_signature(key, message) for key in map(_key, secrets)]
    given = [signature.encode() for signature in signatures.split(" ")]
    # Every pair is compared, each in constant time.
    if not any([hmac.compare_digest(one, other) for one in given for other in expected]):
        raise WebhookVerificationError("No signature of the webhook is from this secret.")
    return Webhook(webhook_id, int(timestamp), json.loads(raw, parse_float=Decimal))


_REMEDY = (
    "Pass the bytes as they came. Flask: request.get_data(). Django: request.body. FastAPI: await request.body(). "
    'Lambda: base64.b64decode(event["body"]) if event["isBase64Encoded"].'
)


def _bytes(body: object) -> bytes:
    """A signature is over bytes: what a parser made of them cannot be checked."""
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    # Webhooks are JSON objects, whose braces are no letters of Base64.
    is_base64 = isinstance(body, str) and re.fullmatch(r"[A-Za-z0-9+/]+={0,2}\s*", body) is not None
    if isinstance(body, str) and not is_base64:
        return body.encode()
    cause = "still Base64" if is_base64 else "missing" if body is None else "already parsed"
    raise WebhookVerificationError(f"The body of the webhook is {cause}. {_REMEDY}")


def _header(headers: object, name: str) -> str:
    """Names are in any case, and a value may be a list."""
    found: list[str] = []
    for key, value in headers.items() if isinstance(headers, Mapping) else ():
        if str(key).lower() == name:
            values = [value] if isinstance(value, str) else value if isinstance(value, Sequence) else []
            found.extend(one for one in values if isinstance(one, str))
    if not found:
        raise WebhookVerificationError(f"The header `{name}` is missing. Pass the headers of the request.")
    # Several signatures are separated by spaces; of all others there is one.
    return " ".join(found) if name == "webhook-signature" else found[0]


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.strip().removeprefix("whsec_"), validate=True)
    except (binascii.Error, AttributeError):
        key = b""
    if not key:
        raise ValueError("The secret of webhooks is not Base64 after `whsec_`.")
    return key


def _signature(key: bytes, message: bytes) -> bytes:
    return b"v1," + base64.b64encode(hmac.digest(key, message, hashlib.sha256))
