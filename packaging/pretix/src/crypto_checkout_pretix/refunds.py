"""Refunds. The customer names the address: nobody guesses it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from crypto_checkout import Checkout, CheckoutApiError
from django.db import transaction
from django.db.models import Q
from pretix.base.models import Order, OrderPayment, OrderRefund
from pretix.helpers import OF_SELF

from .money import GOING, kept, text_of

ENDED = {
    "CANCELLED": (OrderRefund.REFUND_STATE_CANCELED, "pretix.event.order.refund.canceled"),
    "FAILED": (OrderRefund.REFUND_STATE_FAILED, "pretix.event.order.refund.failed"),
    "BLOCKED": (OrderRefund.REFUND_STATE_FAILED, "pretix.event.order.refund.failed"),
    "NON_REFUNDABLE": (OrderRefund.REFUND_STATE_FAILED, "pretix.event.order.refund.failed"),
}
REFUSED = {(409, "payment_open"), (409, "nothing_to_refund"), (409, "client_refund_id_taken"), (422, "validation_failed")}
"""With these the gateway has made no refund; after anything else it may have."""
REVERSED, BACK = (json.dumps({"reversed": there}) for there in (True, False))
"""What pretix keeps of a transfer that left its chain, and of one that is back."""
COUNTED = (OrderPayment.PAYMENT_STATE_CONFIRMED, OrderPayment.PAYMENT_STATE_REFUNDED)
"""The payments that pretix counts."""
UNSURE = (OrderRefund.REFUND_STATE_CREATED, OrderRefund.REFUND_STATE_TRANSIT)
"""The gateway may not have such a refund yet, or not any more."""
LINKLESS = Q(state=OrderRefund.REFUND_STATE_TRANSIT, info__contains='"waiting": "ADDRESS"') & ~Q(info__contains='"claim_url"')
UNANSWERED = Q(state=OrderRefund.REFUND_STATE_CREATED) | LINKLESS
"""Only the answer to the request has the link with which the customer names the address."""


@transaction.atomic
def ask(checkout: Checkout, refund: OrderRefund) -> None:
    """The value of now, at most all that came. The same refund again is the same at the gateway."""
    order = Order.objects.select_for_update(of=OF_SELF).get(pk=refund.order_id)
    is_unanswered = order.refunds.select_for_update(of=OF_SELF).filter(UNANSWERED, pk=refund.pk).exists()
    refund.refresh_from_db()
    if not is_unanswered:
        return
    payment_id, wanted = refund.payment.info_data["payment"], {"clientRefundId": refund.global_id}
    try:
        said = checkout.payments.refund(payment_id, {**wanted, "displayAmount": text_of(refund.amount, order.event.currency)})
    except CheckoutApiError as error:
        # The second code answers the same request again, after all that was left went back.
        has_lost_value = any(one.code == "above_refundable" for one in error.errors) and _is_first(checkout, payment_id)
        if not has_lost_value and error.code != "client_refund_id_taken":
            raise
        said = checkout.payments.refund(payment_id, wanted)
    _follow(refund, said)


def _is_first(checkout: Checkout, payment_id: str) -> bool:
    return all(one["status"] in ENDED for one in checkout.refunds.list({"paymentId": payment_id}))


def settle(checkout: Checkout, payment: OrderPayment, paid: dict[str, Any], said: dict[str, Any]) -> str | None:
    """Requires the lock of the order; returns what is to be said in its history."""
    for refund in payment.refunds.select_for_update(of=OF_SELF):
        if refund.global_id == said.get("clientRefundId") or refund.info_data.get("refund") == said["refundId"]:
            _follow(refund, said)
            return None
    if said["reason"] != "MERCHANT" or said["status"] != "CONFIRMED":
        return None
    amount = min(Decimal(said["displayAmount"]), uncovered(checkout, payment, paid))
    if payment.state not in COUNTED or amount <= 0:
        went = f"{said['displayAmount']} of payment {payment.full_id} went back at the gateway"
        return f"{went} (refund {said['refundId']}): the order stays as it is."
    payment.create_external_refund(amount=amount, info=json.dumps({"refund": said["refundId"]}))
    return None


def uncovered(checkout: Checkout, payment: OrderPayment, paid: dict[str, Any]) -> Decimal:
    """What the gateway no longer has of the price, and pretix does not know yet."""
    if "depositsUrl" in paid:
        earlier = checkout.payments.deposits(paid["paymentId"], {"after": paid["deposits"][0]["id"]})
        paid = {**paid, "deposits": [*paid["deposits"], *earlier]}
    there = {one.get("clientRefundId") for one in paid.get("refunds", ()) if one["status"] in GOING}
    undone = Q(state__in=(OrderRefund.REFUND_STATE_FAILED, OrderRefund.REFUND_STATE_CANCELED)) & ~Q(info=REVERSED)
    known = (one.amount for one in payment.refunds.exclude(undone) if one.state not in UNSURE or one.global_id in there)
    return payment.amount - kept(paid) - sum(known)


def _follow(refund: OrderRefund, said: dict[str, Any]) -> None:
    """The merchant decides about a refund of the desk, unless it moved nothing."""
    is_own = refund.global_id == said.get("clientRefundId")
    state, action = ENDED.get(said["status"], (OrderRefund.REFUND_STATE_TRANSIT, None))
    was_done = refund.state == OrderRefund.REFUND_STATE_DONE
    if action is None and (was_done or not is_own):
        return
    _keep(refund, said)
    if said["status"] == "CONFIRMED":
        return refund.done()
    if action is not None and refund.state != state:
        refund.order.log_action(action, {"local_id": refund.local_id, "provider": refund.provider, "error": said["status"]})
    if was_done and refund.payment.state == OrderPayment.PAYMENT_STATE_REFUNDED:
        refund.payment.state = OrderPayment.PAYMENT_STATE_CONFIRMED
        refund.payment.save(update_fields=["state"])
    refund.state = state
    refund.save()


def _keep(refund: OrderRefund, said: dict[str, Any]) -> None:
    known = {"refund": said["refundId"], "status": said["status"], "amount": said["amount"], "currency": said["currency"]}
    link = said.get("claimUrl") or refund.info_data.get("claim_url")
    waits = {"waiting": said.get("waitingFor"), "claim_url": link}
    refund.info_data = {**known, **{name: value for name, value in waits.items() if value is not None}}
