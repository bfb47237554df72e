"""What the gateway says becomes what pretix shows: the status of the payment counts, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from crypto_checkout import Checkout
from django.db import transaction
from pretix.base.models import Order, OrderPayment, OrderRefund, Quota
from pretix.helpers import OF_SELF

from . import refunds
from .money import PAID, facts
from .payment import CryptoCheckout
from .refunds import BACK, COUNTED, REVERSED

NOTICE = "crypto_checkout_pretix.notice"


def look(payment: OrderPayment, payment_id: str, refund_id: str | None = None) -> None:
    """Asks the gateway, and nobody else acts on an older answer meanwhile."""
    with _locked(payment) as payment:
        checkout = CryptoCheckout(payment.order.event).checkout(retries=0)
        said = checkout.payments.get(payment_id)
        if said["clientPaymentId"] != payment.global_id:
            return
        if (said["displayCurrency"], Decimal(said["expectedDisplayAmount"])) != (payment.order.event.currency, payment.amount):
            return _notice(payment, f"Payment {payment.full_id} has another price at the gateway than in the shop: look at it there.")
        _settle(checkout, payment, said)
        if refund_id is not None and (text := refunds.settle(checkout, payment, said, checkout.refunds.get(refund_id))):
            _notice(payment, text)
    _confirm(payment)


@contextmanager
def _locked(payment: OrderPayment) -> Iterator[OrderPayment]:
    """A payment as it is now; the payments of an order wait for each other."""
    with transaction.atomic():
        order = Order.objects.select_for_update(of=OF_SELF).get(pk=payment.order_id)
        yield order.payments.select_for_update(of=OF_SELF).get(pk=payment.pk)


def _settle(checkout: Checkout, payment: OrderPayment, said: dict[str, Any]) -> None:
    info = facts(said)
    has_money, part = Decimal(info["received"]) > 0, f"{info['received']} of {payment.amount}"
    payment.info_data = {**payment.info_data, **info}
    payment.save(update_fields=["info"])
    if said["status"] in PAID:
        _restore(payment)
    elif payment.state in COUNTED:
        # What the merchant confirmed by hand did not come by transfers.
        if payment.info_data.get("confirmed"):
            _reverse(checkout, payment, said)
    elif payment.state == OrderPayment.PAYMENT_STATE_CANCELED:
        if has_money:
            _notice(payment, f"{part} came to payment {payment.full_id}, which was cancelled: refund it at the gateway.")
    elif said["status"] == "EXPIRED":
        if has_money:
            _notice(payment, f"Payment {payment.full_id} expired with {part}: accept or refund it at the gateway.")
        # Late money counts all the same.
        payment.fail()
    elif payment.state == OrderPayment.PAYMENT_STATE_FAILED and info["seen"]:
        payment.state = OrderPayment.PAYMENT_STATE_PENDING
        payment.save(update_fields=["state"])


def _restore(payment: OrderPayment) -> None:
    for refund in _reversals(payment):
        if refund.state == OrderRefund.REFUND_STATE_DONE:
            payment.state = OrderPayment.PAYMENT_STATE_PENDING
            payment.save(update_fields=["state"])
        refund.state, refund.info = OrderRefund.REFUND_STATE_CANCELED, BACK
        refund.save(update_fields=["state", "info"])
        payment.order.log_action("pretix.event.order.refund.canceled", {"local_id": refund.local_id, "provider": refund.provider})


def _confirm(payment: OrderPayment) -> None:
    """Nothing else is in the same transaction: what was seen before stays, whatever becomes of the order."""
    with _locked(payment) as payment:
        if payment.state in COUNTED or payment.info_data.get("status") not in PAID:
            return
        before = payment.order.status
        # Its order's history has what pretix keeps: from here on without the link to the page.
        payment.info_data = {**{name: value for name, value in payment.info_data.items() if name != "url"}, "confirmed": True}
        try:
            payment.confirm()
        except Quota.QuotaExceededException as error:
            _notice(payment, f"Payment {payment.full_id} is paid, but its order cannot be: {error}")
        if before in (Order.STATUS_PAID, Order.STATUS_CANCELED) and payment.order.pending_sum < 0:
            payment.order.log_action("pretix.event.order.overpaid", {})


def _reverse(checkout: Checkout, payment: OrderPayment, said: dict[str, Any]) -> None:
    """A transfer left its chain: the merchant decides about the order, unless the money comes back."""
    amount = refunds.uncovered(checkout, payment, said)
    if amount > 0:
        payment.create_external_refund(amount=amount, info=REVERSED)
    elif not _reversals(payment).exists():
        _notice(payment, f"A transfer to payment {payment.full_id} left its chain: look at it at the gateway.")


def _reversals(payment: OrderPayment) -> Any:
    """Whatever the merchant decided about them."""
    return payment.refunds.filter(info=REVERSED)


def _notice(payment: OrderPayment, text: str) -> None:
    """Once each, in the history of the order."""
    if not payment.order.all_logentries().filter(action_type=NOTICE, data__contains=json.dumps(text)[1:-1]).exists():
        payment.order.log_action(NOTICE, {"text": text})
