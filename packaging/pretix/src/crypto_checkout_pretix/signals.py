from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django_scopes import scopes_disabled
from pretix.base.logentrytypes import OrderLogEntryType, log_entry_types
from pretix.base.models import Event, Order, OrderRefund
from pretix.base.payment import PaymentException
from pretix.base.signals import periodic_task, register_payment_providers
from pretix.base.templatetags.money import money_filter
from pretix.presale.signals import order_info_top

from .payment import CryptoCheckout
from .settle import NOTICE


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


@receiver(periodic_task, dispatch_uid="crypto_checkout_refunds_again")
def ask_again(sender: Any, **__: Any) -> None:
    """For refunds that got no answer. The same refund again is the same at the gateway."""
    with scopes_disabled():
        created = OrderRefund.objects.filter(provider=CryptoCheckout.identifier, state=OrderRefund.REFUND_STATE_CREATED)
        for refund in created.select_related("order__event"):
            try:
                CryptoCheckout(refund.order.event).execute_refund(refund)
            except PaymentException as error:
                refund.state = OrderRefund.REFUND_STATE_FAILED
                refund.save(update_fields=["state"])
                failed = {"local_id": refund.local_id, "provider": refund.provider, "error": str(error)}
                refund.order.log_action("pretix.event.order.refund.failed", failed)


@log_entry_types.new()
class Notice(OrderLogEntryType):
    action_type = NOTICE

    def display(self, logentry: Any, data: dict[str, Any]) -> str:
        return data["text"]
