"""What pretix asks of a payment provider."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from decimal import Decimal
from typing import Any

from crypto_checkout import Checkout, CheckoutApiError, CheckoutConnectionError, CheckoutError
from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _, gettext_lazy
from pretix.base.forms import SecretKeySettingsField
from pretix.base.models import Order, OrderPayment, OrderRefund
from pretix.base.payment import BasePaymentProvider, PaymentException
from pretix.base.templatetags.money import money_filter
from pretix.helpers import OF_SELF
from pretix.multidomain.urlreverse import eventreverse_absolute

from . import refunds
from .money import DIGITS, facts, text_of

LOCALES = {"de": "de-DE", "tr": "tr-TR", "es": "es-ES", "fr": "fr-FR", "ru": "ru-RU", "pt": "pt-PT", "ja": "ja-JP"}
OPEN = (OrderPayment.PAYMENT_STATE_CREATED, OrderPayment.PAYMENT_STATE_PENDING)
TIMEOUT = 8
"""Seconds of one attempt: the gateway waits twenty for the answer to a webhook."""


class CryptoCheckout(BasePaymentProvider):
    identifier = "cryptocheckout"
    verbose_name = "Crypto Checkout"
    public_name = gettext_lazy("Cryptocurrencies")
    abort_pending_allowed = True
    test_mode_message = gettext_lazy("Payments are real unless the gateway is a sandbox.")

    @property
    def settings_form_fields(self) -> dict[str, Any]:
        own = [
            ("url", forms.URLField(label=_("Gateway"), help_text="https://pay.example", assume_scheme="https")),
            ("token", SecretKeySettingsField(label=_("Token of the business"), help_text="biz_…")),
            ("secret", SecretKeySettingsField(label=_("Callback secret of the business"), help_text="whsec_…")),
        ]
        return OrderedDict([*super().settings_form_fields.items(), *own])

    def settings_content_render(self, request: HttpRequest) -> str:
        url = eventreverse_absolute(self.event, "plugins:crypto_checkout_pretix:webhook")
        return format_html("<p>{} <code>{}</code></p>", _("The gateway sends its events to"), url)

    def checkout(self, retries: int = 2) -> Checkout:
        return Checkout(self.settings.url, self.settings.token, timeout=TIMEOUT, retries=retries)

    def is_allowed(self, request: HttpRequest, total: Decimal | None = None) -> bool:
        return self._takes_currency() and super().is_allowed(request, total)

    def order_change_allowed(self, order: Order, request: HttpRequest | None = None) -> bool:
        return self._takes_currency() and super().order_change_allowed(order, request)

    def _takes_currency(self) -> bool:
        return self.event.currency in DIGITS and bool(self.settings.url)

    def payment_is_valid_session(self, request: HttpRequest) -> bool:
        return True

    def payment_form_render(self, request: HttpRequest, total: Decimal, order: Order | None = None) -> str:
        return _("You choose the coin on the next page.")

    def checkout_confirm_render(self, request: HttpRequest, order: Order | None = None, info_data: dict | None = None) -> str:
        return _("After this you pay on the page of the payment.")

    def execute_payment(self, request: HttpRequest, payment: OrderPayment) -> str | None:
        """The same payment again has the same payment at the gateway."""
        order = payment.order
        back = {"order": order.code, "secret": order.secret, "payment": payment.pk}
        created = _asked(lambda: self.checkout().payments.create({
            "clientPaymentId": payment.global_id,
            "description": order.full_code,
            "locale": LOCALES.get(order.locale[:2], "en-US"),
            "displayCurrency": self.event.currency,
            "displayAmount": text_of(payment.amount, self.event.currency),
            "redirectUrl": eventreverse_absolute(self.event, "plugins:crypto_checkout_pretix:back", kwargs=back),
        }))
        with transaction.atomic():
            payment = OrderPayment.objects.select_for_update(of=OF_SELF).get(pk=payment.pk)
            is_open = payment.state in OPEN
            # What a webhook said meanwhile is newer.
            info = {**facts(created["paymentInfo"]), **payment.info_data}
            if is_open:
                info["url"], payment.state = created["paymentUrl"], OrderPayment.PAYMENT_STATE_PENDING
            payment.info_data = info
            payment.save(update_fields=["info", "state"])
        if payment.state == OrderPayment.PAYMENT_STATE_CANCELED:
            with suppress(CheckoutError):
                self.checkout().payments.cancel(info["payment"])
        return created["paymentUrl"] if is_open else None

    def _payment_abort_pending_allowed(self, payment: OrderPayment) -> bool:
        return not payment.info_data.get("seen")

    def cancel_payment(self, payment: OrderPayment) -> None:
        """Money that is on its way would be lost from sight: the gateway refuses then."""
        if known := payment.info_data.get("payment"):
            _asked(lambda: self.checkout().payments.cancel(known))
        super().cancel_payment(payment)

    def payment_pending_render(self, request: HttpRequest, payment: OrderPayment) -> str:
        info = payment.info_data
        if "url" not in info or payment.state != OrderPayment.PAYMENT_STATE_PENDING:
            return ""
        said = ""
        if info["seen"]:
            received, missing = (money_filter(Decimal(info[name]), self.event.currency) for name in ("received", "missing"))
            said = _("{received} arrived, {missing} are missing. A transfer counts once a block has it.")
            said = said.format(received=received, missing=missing)
        return format_html('<p>{}</p><p><a class="btn btn-primary" href="{}">{}</a></p>', said, info["url"], _("Go on to pay"))

    def payment_control_render(self, request: HttpRequest, payment: OrderPayment) -> str:
        return _table(payment.info_data, ("payment", "status", "received", "missing"))

    def refund_control_render(self, request: HttpRequest, refund: OrderRefund) -> str:
        return _table(refund.info_data, ("refund", "status", "amount", "currency", "waiting"))

    def api_payment_details(self, payment: OrderPayment) -> dict[str, Any]:
        return {name: value for name, value in payment.info_data.items() if name != "url"}

    def api_refund_details(self, refund: OrderRefund) -> dict[str, Any]:
        """Without the link: who has it names the address."""
        return {name: value for name, value in refund.info_data.items() if name != "claim_url"}

    def matching_id(self, payment: OrderPayment) -> str | None:
        return payment.info_data.get("payment")

    def refund_matching_id(self, refund: OrderRefund) -> str | None:
        return refund.info_data.get("refund")

    def payment_refund_supported(self, payment: OrderPayment) -> bool:
        return "payment" in payment.info_data

    payment_partial_refund_supported = payment_refund_supported

    def execute_refund(self, refund: OrderRefund) -> None:
        """Without an answer nobody knows: the refund stays "created", and pretix asks again."""
        try:
            refunds.ask(self.checkout(), refund)
        except CheckoutApiError as error:
            if (error.status, error.code) in refunds.REFUSED:
                raise PaymentException(error.detail) from error
        except CheckoutConnectionError:
            pass


def _asked(ask: Any) -> Any:
    """What the gateway refuses, in its words."""
    try:
        return ask()
    except CheckoutApiError as error:
        raise PaymentException(error.detail) from error
    except CheckoutError as error:
        raise PaymentException(_("The gateway gave no answer. Please try again.")) from error


def _table(info: dict[str, Any], names: tuple[str, ...]) -> str:
    rows = [format_html("<dt>{}</dt><dd>{}</dd>", name, info[name]) for name in names if info.get(name)]
    return format_html('<dl class="dl-horizontal">' + "{}" * len(rows) + "</dl>", *rows)
