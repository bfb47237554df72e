"""Client of a Crypto Checkout gateway for back ends. The types of its resources are in `crypto_checkout.types`."""

from .client import Checkout
from .errors import CheckoutApiError, CheckoutConnectionError, CheckoutError, InvalidField, WebhookVerificationError
from .webhooks import Webhook, verify_webhook

__all__ = [
    "Checkout",
    "CheckoutApiError",
    "CheckoutConnectionError",
    "CheckoutError",
    "InvalidField",
    "Webhook",
    "WebhookVerificationError",
    "verify_webhook",
]
