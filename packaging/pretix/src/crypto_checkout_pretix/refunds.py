"""Refunds. The customer names the address: nobody guesses it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from crypto_checkout import Checkout, CheckoutApiError
from django.db import transaction
from pretix.base.models import OrderPayment, OrderRefund
from pretix.helpers import OF_SELF

ENDED = {
    "CANCELLED": (OrderRefund.REFUND_STATE_CANCELED, "pretix.event.order.refund.canceled"),
    "FAILED": (OrderRefund.REFUND_STATE_FAILED, "pretix.event.order.refund.failed"),
    "BLOCKED": (OrderRefund.REFUND_STATE_FAILED, "pretix.event.order.refund.failed"),
    "NON_REFUNDABLE": (OrderRefund.REFUND_STATE_FAILED, "pretix.event.order.refund.failed"),
}


@transaction.atomic
def ask(checkout: Checkout, refund: OrderRefund, amount: str) -> None:
    """The value of now, at most all that came. The same refund again is the same at the gateway."""
    OrderRefund.objects.select_for_update(of=OF_SELF).get(pk=refund.pk)
    refund.refresh_from_db()
    if refund.state != OrderRefund.REFUND_STATE_CREATED:
        return
    payment_id, wanted = refund.payment.info_data["payment"], {"clientRefundId": refund.global_id}
    try:
        said = checkout.payments.refund(payment_id, {**wanted, "displayAmount": amount})
    except CheckoutApiError as error:
        # The coin has lost value; the second code answers the same request again, after what followed here.
        is_worth_less = error.code == "client_refund_id_taken" or any(one.code == "above_refundable" for one in error.errors)
        if not is_worth_less:
            raise
        said = checkout.payments.refund(payment_id, wanted)
    _keep(refund, said)
    refund.state = OrderRefund.REFUND_STATE_TRANSIT
    refund.save()


def settle(payment: OrderPayment, said: dict[str, Any]) -> None:
    """Requires the lock of the payment."""
    refunds = list(payment.refunds.select_for_update(of=OF_SELF))
    refund = next((one for one in refunds if one.global_id == said.get("clientRefundId")), None)
    if refund is None:
        is_new = all(one.info_data.get("refund") != said["refundId"] for one in refunds)
        if is_new and said["reason"] == "MERCHANT" and said["status"] == "CONFIRMED":
            payment.create_external_refund(amount=Decimal(said["displayAmount"]), info=json.dumps({"refund": said["refundId"]}))
        return
    state, action = ENDED.get(said["status"], (OrderRefund.REFUND_STATE_TRANSIT, None))
    was_done = refund.state == OrderRefund.REFUND_STATE_DONE
    if was_done and action is None:
        return
    _keep(refund, said)
    if said["status"] == "CONFIRMED":
        return refund.done()
    if action is not None and refund.state != state:
        refund.order.log_action(action, {"local_id": refund.local_id, "provider": refund.provider, "error": said["status"]})
    if was_done and payment.state == OrderPayment.PAYMENT_STATE_REFUNDED:
        payment.state = OrderPayment.PAYMENT_STATE_CONFIRMED
        payment.save(update_fields=["state"])
    refund.state = state
    refund.save()


def _keep(refund: OrderRefund, said: dict[str, Any]) -> None:
    kept = {"refund": said["refundId"], "status": said["status"], "amount": said["amount"], "currency": said["currency"]}
    link = said.get("claimUrl") or refund.info_data.get("claim_url")
    waits = {"waiting": said.get("waitingFor"), "claim_url": link}
    refund.info_data = {**kept, **{name: value for name, value in waits.items() if value is not None}}
