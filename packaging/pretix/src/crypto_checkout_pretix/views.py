"""Where the gateway posts to, and where the buyer comes back."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from crypto_checkout import CheckoutApiError, CheckoutError, WebhookVerificationError, verify_webhook
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from pretix.base.models import OrderPayment
from pretix.multidomain.urlreverse import eventreverse

from .payment import CryptoCheckout
from .settle import look

LIMIT = 128 * 1024


@csrf_exempt
@require_POST
def webhook(request: HttpRequest, *_: Any, **__: Any) -> HttpResponse:
    """The body says that something happened; the gateway says what."""
    if int(request.headers.get("Content-Length") or 0) > LIMIT:
        return HttpResponse(status=413)
    provider = CryptoCheckout(request.event)
    try:
        payload = verify_webhook(request.body, dict(request.headers), provider.settings.secret).payload
    except (WebhookVerificationError, ValueError) as error:
        return HttpResponse(str(error), status=401)
    about = payload.get("data") if "type" in payload else payload
    ids = [about.get(name) if isinstance(about, dict) else None for name in ("paymentId", "refundId")]
    payment_id, refund_id = (one if isinstance(one, str) and re.fullmatch("[0-9a-f-]{36}", one) else None for one in ids)
    if payment_id is None:
        return HttpResponse(status=204)
    try:
        named = provider.checkout(retries=0).payments.get(payment_id)["clientPaymentId"]
        if (payment := _named(request, named)) is not None:
            look(payment, payment_id, refund_id)
    except CheckoutApiError as error:
        return HttpResponse(error.code, status=204 if error.code == "not_found" else 503)
    except CheckoutError as error:
        return HttpResponse(str(error), status=503)
    return HttpResponse(status=204)


def _named(request: HttpRequest, client_payment_id: str) -> OrderPayment | None:
    """One business may be that of several events of an organizer."""
    found = re.fullmatch(r".+-([A-Z0-9]+)-P-(\d+)", client_payment_id)
    if found is None:
        return None
    payments = OrderPayment.objects.filter(order__event__organizer=request.organizer, provider=CryptoCheckout.identifier)
    candidates = payments.filter(order__code=found[1], local_id=found[2]).select_related("order__event")
    return next((one for one in candidates if one.global_id == client_payment_id), None)


def back(request: HttpRequest, order: str, secret: str, payment: int, **_: Any) -> HttpResponse:
    """If the gateway does not answer, its webhook will say what the payment is."""
    orders = OrderPayment.objects.filter(order__event=request.event, order__code=order, order__secret=secret)
    found = get_object_or_404(orders, pk=payment, provider=CryptoCheckout.identifier)
    with suppress(CheckoutError, KeyError):
        look(found, found.info_data["payment"])
    return redirect(eventreverse(request.event, "presale:event.order", kwargs={"order": order, "secret": secret}))
