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
    body: bytes,
    headers: Mapping[str, str],
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
    lowered = {name.lower(): value for name, value in headers.items()}
    webhook_id, timestamp, signatures = (_header(lowered, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    now = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or abs(now - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The timestamp of the webhook is too far from now.")
    message = f"{webhook_id}.{timestamp}.".encode() + body
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [_signature(key, message) for key in map(_key, secrets)]
    given = [signature.encode() for signature in signatures.split(" ")]
    # Every pair is compared, each in constant time.
    if not any([hmac.compare_digest(one, other) for one in given for other in expected]):
        raise WebhookVerificationError("No signature of the webhook is from this secret.")
    return Webhook(webhook_id, int(timestamp), json.loads(body, parse_float=Decimal))


def _header(headers: Mapping[str, str], name: str) -> str:
    try:
        return headers[name]
    except KeyError:
        raise WebhookVerificationError(f"The header `{name}` is missing.") from None


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("The secret of webhooks is not Base64 after `whsec_`.")
    return key


def _signature(key: bytes, message: bytes) -> bytes:
    return b"v1," + base64.b64encode(hmac.digest(key, message, hashlib.sha256))
