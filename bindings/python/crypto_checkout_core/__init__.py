"""Checks cryptocurrency addresses and destination tags, and says what is wrong and where."""

import json
from dataclasses import dataclass
from typing import Literal

from ._core import validate as _validate

__all__ = ["Verdict", "validate"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of `validate`. Codes are stable; `message` is their sentence in English."""

    valid: bool
    #: Whether the currency exists on the network. If false, nothing else was checked.
    supported: bool
    kind: str | None = None
    #: The address in its normal form, the same for all texts of one account.
    normalized: str | None = None
    #: The tag in its normal form. Of a refused text, the tag of the suggestion: take both, and memo_type.
    destination_tag: str | None = None
    memo_type: str | None = None
    reason: str | None = None
    message: str | None = None
    #: Positions of errors in the address, in UTF-8 bytes from its start.
    positions: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    suggestion: str | None = None
    #: The network for which the text is valid, or which it names.
    looks_like: str | None = None


_NAMES = {"destinationTag": "destination_tag", "memoType": "memo_type", "looksLike": "looks_like"}


def validate(
    currency: str,
    network: str,
    address: str,
    tag: str | None = None,
    *,
    memo_type: Literal["text", "id", "hash"] | None = None,
    table: Literal["all", "interface"] | None = None,
    options: list[str] | tuple[str, ...] = (),
) -> Verdict:
    """Checks an address and its tag.

    `options` are names such as `"allow_test_networks"`. `memo_type` and `table` are short for `"memo_type=…"` and `"table=…"`.

    Raises `ValueError` for an unknown option, and `TypeError` for what is no text. Any text has a verdict.
    """
    if not isinstance(options, (list, tuple)):
        raise TypeError("options are a list or tuple of names")
    names = [*options]
    names += [f"{name}={value}" for name, value in (("table", table), ("memo_type", memo_type)) if value is not None]
    given = None if tag is None else _utf8(tag)
    answer = json.loads(_validate(_utf8(currency), _utf8(network), _utf8(address), given, [_utf8(name) for name in names]))
    if "error" in answer:
        raise ValueError(f"unknown option among {names}")
    fields = {_NAMES.get(name, name): tuple(value) if isinstance(value, list) else value for name, value in answer.items()}
    return Verdict(**fields)


def _utf8(text: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"a text is needed, not {type(text).__name__}")
    # Of a lone surrogate these bytes are no UTF-8, which the core refuses.
    return text.encode("utf-8", "surrogatepass")
