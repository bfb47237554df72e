"""What the tests have in common: the real server of pretix, started once, and a sandbox gateway."""

import atexit
import functools
import os
import re
import signal
import unittest

from gateway import Relay, checkout, choose, mine, relay, send
from shop import Buyer, log, opened, scopes_disabled, until

# The shop has set Django up.
from pretix.base.models import Order

NOTICE = "crypto_checkout_pretix.notice"


@functools.cache
def server():
    process = opened(relay(), os.environ["CHECKOUT_TOKEN"])
    atexit.register(process.wait)
    atexit.register(process.send_signal, signal.SIGQUIT)


def payment_id(url):
    return re.search(r"/checkout/([0-9a-f-]{36})\?", url)[1]


def attached(order, state):
    return [refund for refund in order["refunds"] if refund["state"] == state]


def history(code):
    with scopes_disabled():
        return list(Order.objects.get(code=code).all_logentries().values_list("action_type", flat=True))


def refunds(payment):
    return list(checkout.refunds.list({"paymentId": payment}))


class Shop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        server()

    def setUp(self):
        self.addCleanup(setattr, Relay, "is_down", False)
        self.addCleanup(setattr, Relay, "loses", False)
        self.addCleanup(setattr, Relay, "answers", None)

    def run(self, result=None):
        """What the shop said is part of a failure."""
        known = len(log())
        before = len(result.failures) + len(result.errors)
        super().run(result)
        if len(result.failures) + len(result.errors) > before:
            print(f"pretix said:\n{log()[known:][-6000:]}", flush=True)

    def ordered(self, event="party"):
        buyer = Buyer(event)
        buyer.url = buyer.order()
        buyer.payment = payment_id(buyer.url)
        return buyer

    def paid(self, buyer):
        return until("the order is paid", lambda: buyer.sees()["status"] == "p" and buyer.sees())

    def paid_order(self, coin="BTC"):
        buyer = self.ordered()
        buyer.transaction = send(choose(buyer.payment, coin))
        mine(network=coin)
        self.paid(buyer)
        return buyer
