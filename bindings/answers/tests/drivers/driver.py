"""Reads questions of five texts, each ended by 0x1f, and writes an answer a line."""

import dataclasses
import json
import sys

from crypto_checkout_core import validate

NAMES = {"destination_tag": "destinationTag", "memo_type": "memoType", "looks_like": "looksLike"}

texts = iter(sys.stdin.buffer.read().decode().split("\x1f")[:-1])
for currency, network, address, tag, options in zip(texts, texts, texts, texts, texts):
    names = tuple(name for name in options.split(",") if name)
    verdict = validate(currency, network, address, None if tag == "-" else tag[1:], options=names)
    fields = dataclasses.asdict(verdict).items()
    print(json.dumps({NAMES.get(name, name): value for name, value in fields if value not in (None, ())}))

ETH = ("ETH", "ETH", "0x0000000000000000000000000000000000000000")
# No name of an option, or more than one.
for arguments in (
    {"memo_type": "id,allow_burn_addresses"},
    {"table": "all,allow_burn_addresses"},
    {"options": ("allow_mweb,allow_burn_addresses",)},
    {"options": ("allow_all",)},
    {"options": ("allow_burn_addresses\0",)},
    {"options": ("allow_burn_addresses", "\ud800")},
    {"memo_type": "\ud800"},
):
    try:
        sys.exit(f"{arguments}: {validate(*ETH, **arguments)}")
    except ValueError:
        pass

# No text, or no list: the keys of a dictionary would be names.
for arguments in (
    {"options": {"allow_burn_addresses": False}},
    {"options": "allow_burn_addresses"},
    {"options": (5,)},
    {"options": None},
    {"tag": 495},
    {"tag": b"495"},
):
    try:
        sys.exit(f"{arguments}: {validate(*ETH, **arguments)}")
    except TypeError:
        pass

STELLAR = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"
# A lone surrogate is no character.
for arguments, expected in (
    (("BTC", "BTC", "1\ud800"), (True, "bad_character", (1,))),
    (("BTC", "B\ud800", "1"), (False, None, ())),
    (("XLM", "XLM", STELLAR, "pay \ud800"), (True, "tag_not_digits", ())),
    (("USDC", "POLYGON", ETH[2], None), (True, "burn_address", ())),
):
    verdict = validate(*arguments)
    have = (verdict.supported, verdict.reason, verdict.positions)
    assert not verdict.valid and have == expected, (arguments, verdict)

# Neither way of naming the table overrides the other silently.
for arguments in ({"options": ("table=interface",)}, {"table": "interface"}):
    assert not validate("USDC", "POLYGON", ETH[2], **arguments).supported, arguments
