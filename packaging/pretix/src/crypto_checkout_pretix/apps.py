from importlib.metadata import version

from django.utils.translation import gettext_lazy as _
from pretix.base.plugins import PluginConfig


class CryptoCheckoutApp(PluginConfig):
    default = True
    name = "crypto_checkout_pretix"
    verbose_name = "Crypto Checkout"

    class PretixPluginMeta:
        name = _("Crypto Checkout")
        author = "Crypto Checkout"
        description = _("Accept cryptocurrencies on the page of your Crypto Checkout gateway.")
        version = version("crypto-checkout-pretix")
        category = "PAYMENT"
        visible = True
        compatibility = "pretix>=2026.8"
        settings_links = [((_("Payment"), "Crypto Checkout"), "control:event.settings.payment.provider", {"provider": "cryptocheckout"})]

    def ready(self) -> None:
        from . import signals  # noqa: F401
