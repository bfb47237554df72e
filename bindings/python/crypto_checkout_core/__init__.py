"""Checks cryptocurrency addresses and destination tags, and says what is wrong and where."""

import json
from dataclasses import dataclass

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
    #: The tag in its normal form. Of a refused text, the tag that belongs to the suggestion: take both.
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
    memo_type: str | None = None,
    table: str = "all",
    options: tuple[str, ...] = (),
) -> Verdict:
    """Checks an address and its tag.

    `options` are names such as `"allow_test_networks"`; an unknown one raises `ValueError`.
    """
    names = [*options, f"table={table}"]
    if memo_type is not None:
        names.append(f"memo_type={memo_type}")
    answer = json.loads(_validate(currency, network, address, tag, ",".join(names)))
    if "error" in answer:
        raise ValueError(f"unknown option among {names}")
    fields = {_NAMES.get(name, name): tuple(value) if isinstance(value, list) else value for name, value in answer.items()}
    return Verdict(**fields)
