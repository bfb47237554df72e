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
try:
    validate("BTC", "BTC", "", options=("allow_all",))
except ValueError:
    sys.exit(0)
sys.exit(1)
