"""Amounts: exact texts, never floats."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

DIGITS = {
    "EUR": 2, "USD": 2, "GBP": 2, "CHF": 2, "TRY": 2, "RUB": 2, "JPY": 0, "PLN": 2,
    "CZK": 2, "SEK": 2, "NOK": 2, "DKK": 2, "CAD": 2, "AUD": 2, "BRL": 2,
}
"""The fiat currencies of the gateway, with the digits of their minor units."""

PAID = ("DEPOSITED", "OVERPAID")
GOING = ("PENDING", "CONFIRMED")
"""Refunds that left, or will."""


def text_of(amount: Decimal, currency: str) -> str:
    return str(amount.quantize(Decimal(1).scaleb(-DIGITS[currency]), ROUND_HALF_UP))


def facts(payment: dict[str, Any]) -> dict[str, Any]:
    """What the gateway says of a payment, as pretix keeps it."""
    price, received = Decimal(payment["expectedDisplayAmount"]), Decimal(payment["actualDisplayAmount"])
    missing = Decimal(0) if payment["status"] in PAID else max(price - received, Decimal(0))
    return {
        "payment": payment["paymentId"],
        "status": payment["status"],
        "received": text_of(received, payment["displayCurrency"]),
        "missing": text_of(missing, payment["displayCurrency"]),
        # Also transfers that are in no block yet, which count for nothing.
        "seen": bool(payment["deposits"]),
    }


def kept(payment: dict[str, Any]) -> Decimal:
    """What is left of the transfers that stand, at the rates at which they came."""
    left = Decimal(0)
    standing = [one for one in payment["deposits"] if one["status"] == "CONFIRMED" and "hold" not in one]
    gone = [(one["currency"], one, one["feePaidBy"]) for one in payment.get("refunds", ())]
    gone += [(one["depositCurrency"], one["refund"], "PAYER") for one in standing if "refund" in one]
    for coin in {one["depositCurrency"] for one in standing}:
        mine = [one for one in standing if one["depositCurrency"] == coin]
        came, worth = (sum(Decimal(one[name]) for one in mine) for name in ("depositAmount", "displayAmount"))
        back = sum(
            Decimal(one["amount"]) + (Decimal(one["fee"]) if payer == "PAYER" else 0)
            for of, one, payer in gone
            if of == coin and one["status"] in GOING
        )
        left += worth * max(came - back, Decimal(0)) / came
    return Decimal(text_of(left, payment["displayCurrency"]))
