from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import Any

from crypto_checkout import CheckoutApiError, CheckoutConnectionError
from django.db.models import Q
from django.dispatch import receiver
from django.utils.html import format_html
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django_scopes import scopes_disabled
from pretix.base.logentrytypes import OrderLogEntryType, log_entry_types
from pretix.base.models import Event, Order, OrderPayment, OrderRefund
from pretix.base.signals import periodic_task, register_payment_providers
from pretix.base.templatetags.money import money_filter
from pretix.presale.signals import order_info_top

from . import refunds
from .payment import CryptoCheckout
from .settle import NOTICE, look

logger = logging.getLogger(__name__)
AT_ONCE, SECONDS = 50, 30
"""What one run asks about, and how long."""
LAST = timedelta(days=7)
"""So long money may still come to a payment that has ended."""


@receiver(register_payment_providers, dispatch_uid="crypto_checkout_provider")
def provider(sender: Event, **_: Any) -> type[CryptoCheckout]:
    return CryptoCheckout


@receiver(order_info_top, dispatch_uid="crypto_checkout_refunds")
def refunds_that_wait(sender: Event, order: Order, **__: Any) -> str:
    """The customer names the address of a refund."""
    waiting = order.refunds.filter(provider=CryptoCheckout.identifier, state=OrderRefund.REFUND_STATE_TRANSIT)
    links = [
        format_html(
            '<div class="alert alert-info">{} <a href="{}">{}</a></div>',
            _("A refund of {} waits for your address:").format(money_filter(refund.amount, sender.currency)),
            refund.info_data["claim_url"],
            _("name the address"),
        )
        for refund in waiting
        if refund.info_data.get("waiting") == "ADDRESS" and "claim_url" in refund.info_data
    ]
    return format_html("{}" * len(links), *links)


@receiver(periodic_task, dispatch_uid="crypto_checkout_again")
def ask_again(sender: Any, **__: Any) -> None:
    """For refunds whose answer is missing, and payments whose webhooks did not come. The other tasks of the shop wait meanwhile."""
    end, silent = time.monotonic() + SECONDS, set()
    ended = Q(state__in=(OrderPayment.PAYMENT_STATE_FAILED, OrderPayment.PAYMENT_STATE_CANCELED), created__gt=now() - LAST)
    with scopes_disabled():
        payments = OrderPayment.objects.filter(ended | Q(state=OrderPayment.PAYMENT_STATE_PENDING), info__contains='"payment"')
        for rows, ask in ((OrderRefund.objects.filter(refunds.UNANSWERED), _ask), (payments, _look)):
            # In any order, so that each has its turn.
            for row in rows.filter(provider=CryptoCheckout.identifier).select_related("order__event").order_by("?")[:AT_ONCE]:
                if time.monotonic() > end or row.order.event_id in silent:
                    continue
                try:
                    ask(row)
                except CheckoutConnectionError:
                    silent.add(row.order.event_id)
                except Exception:
                    logger.exception("The gateway could not be asked about %s.", row.full_id)


def _look(payment: OrderPayment) -> None:
    look(payment, payment.info_data["payment"])


def _ask(refund: OrderRefund) -> None:
    try:
        refunds.ask(CryptoCheckout(refund.order.event).checkout(retries=0), refund)
    except CheckoutApiError as error:
        if (error.status, error.code) not in refunds.REFUSED or refund.state != OrderRefund.REFUND_STATE_CREATED:
            raise
        refund.state = OrderRefund.REFUND_STATE_FAILED
        refund.save(update_fields=["state"])
        failed = {"local_id": refund.local_id, "provider": refund.provider, "error": error.detail}
        refund.order.log_action("pretix.event.order.refund.failed", failed)


@log_entry_types.new()
class Notice(OrderLogEntryType):
    action_type = NOTICE

    def display(self, logentry: Any, data: dict[str, Any]) -> str:
        return data["text"]
