"""What is believed, and what is not."""

import os
import uuid

from cases import NOTICE, Shop, history, payment_id
from gateway import Checkout, Relay, checkout, choose, mine, sandbox, send, signed
from shop import PRICE, Buyer, announced, post, scopes_disabled, until

from crypto_checkout_pretix.signals import ask_again
from pretix.base.models import Order


class Webhooks(Shop):
    def test_a_gateway_that_is_down_delays_an_order_and_a_repeated_webhook_changes_nothing(self):
        buyer = self.ordered()
        send(choose(buyer.payment))
        read = f"GET /api/v1/payments/{buyer.payment}"
        known = Relay.seen.count(read)
        Relay.is_down = True
        mine()
        until("the webhook found no gateway", lambda: Relay.seen.count(read) > known)
        self.assertEqual(buyer.sees()["status"], "n")
        self.assertEqual(buyer.open(checkout.payments.get(buyer.payment)["redirectUrl"])[0], buyer.page)
        self.assertEqual(buyer.sees()["status"], "n")
        other = Buyer()
        self.assertEqual(other.order(), other.page)
        self.assertIn("The gateway gave no answer.", other.said)
        Relay.is_down = False
        self.assertRegex(other.pays_again(), "/checkout/[0-9a-f-]{36}[?]")
        buyer.open(checkout.payments.get(buyer.payment)["redirectUrl"])
        self.assertEqual(buyer.sees()["status"], "p", "the buyer came back")

        def facts():
            order = buyer.sees()
            return order["status"], order["payments"], order["refunds"], history(buyer.code)

        before = facts()
        callbacks = checkout.request("GET", "/api/v1/callbacks", query={"subjectId": buyer.payment})
        for callback in callbacks:
            known = Relay.seen.count(read)
            checkout.request("POST", f"/api/v1/callbacks/{callback['id']}/resend")
            until("it was looked at again", lambda: Relay.seen.count(read) > known)
        for _ in range(2):
            self.assertEqual(post(*signed({"type": "payment.status", "data": {"paymentId": buyer.payment}})), 204)
        self.assertEqual(facts(), before)

    def test_a_webhook_is_believed_only_with_a_signature_and_says_nothing_itself(self):
        buyer = self.ordered()
        paid = {"type": "payment.status", "data": {"paymentId": buyer.payment, "status": "DEPOSITED"}}
        read = f"GET /api/v1/payments/{buyer.payment}"
        known = Relay.seen.count(read)
        body, headers = signed(paid, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
        self.assertEqual(post(body, headers), 401)
        self.assertEqual(post(body, {"Content-Type": "application/json"}), 401)
        self.assertEqual(Relay.seen.count(read), known)
        self.assertEqual(post(*signed(paid)), 204)
        self.assertGreater(Relay.seen.count(read), known)
        self.assertEqual(buyer.sees()["status"], "n", "the gateway says that nothing was paid")
        for unknown in ({"paymentId": str(uuid.uuid4())}, {"paymentId": "../balances"}, {"paymentId": 7}, {}, None):
            self.assertEqual(post(*signed({"type": "payment.status", "data": unknown})), 204, unknown)
        self.assertEqual(announced(128 * 1024 + 1), 413)

    def test_a_payment_of_another_shop_pays_nothing(self):
        buyer = self.ordered()
        order = {"clientPaymentId": f"COFFEE-PARTY-{buyer.code}-P-1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": str(PRICE)}
        other = checkout.payments.create(order)["paymentInfo"]["paymentId"]
        send(choose(other))
        mine()
        self.assertEqual(post(*signed({"type": "payment.status", "data": {"paymentId": other}})), 204)
        self.assertEqual(buyer.sees()["status"], "n")

    def test_a_payment_of_another_price_pays_nothing_and_is_said(self):
        Relay.is_down = True
        buyer = Buyer()
        buyer.order()
        Relay.is_down = False
        order = {"clientPaymentId": f"TEA-PARTY-{buyer.code}-P-1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "5.00"}
        send(choose(checkout.payments.create(order)["paymentInfo"]["paymentId"]))
        mine()
        until("it is said", lambda: NOTICE in history(buyer.code))
        self.assertEqual((buyer.sees()["status"], buyer.sees()["payments"][0]["state"]), ("n", "created"))

    def test_a_proxy_that_knows_no_payment_delays_it_and_a_webhook_that_never_came_too(self):
        buyer = self.ordered()
        late = choose(buyer.payment)
        said = signed({"type": "payment.status", "data": {"paymentId": buyer.payment}})
        for status in (302, 401, 404):
            Relay.answers = status
            self.assertEqual(post(*said), 503)
        send(late)
        mine()
        until("it is paid", lambda: checkout.payments.get(buyer.payment)["status"] == "DEPOSITED")
        self.assertEqual(buyer.sees()["status"], "n")
        Relay.answers = None
        ask_again(None)
        self.assertEqual(buyer.sees()["status"], "p")

    def test_an_organizer_has_its_own_business_and_orders(self):
        buyer, coffee = self.ordered(), Buyer(organizer="coffee")
        token, secret = (os.environ[f"CHECKOUT_OTHER_{name}"] for name in ("TOKEN", "SECRET"))
        other = Checkout(os.environ["CHECKOUT_URL"], token)
        own = payment_id(coffee.order())
        order = {"clientPaymentId": f"TEA-PARTY-{buyer.code}-P-1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": str(PRICE)}
        forged = other.payments.create(order)["paymentInfo"]["paymentId"]
        for payment in (own, forged):
            wanted = {"depositCurrency": "BTC", "network": "BTC"}
            send(other.payments.choose(payment, wanted)["paymentInfo"])
        mine()
        for payment in (own, forged, buyer.payment):
            self.assertEqual(post(*signed({"type": "payment.status", "data": {"paymentId": payment}}, secret), "coffee"), 204)
        self.assertEqual(Relay.seen.count(f"GET /api/v1/payments/{forged}"), 1, "nobody asks in the name of the other organizer")
        with scopes_disabled():
            states = dict(Order.objects.filter(code__in=(buyer.code, coffee.code)).values_list("event__organizer__slug", "status"))
        self.assertEqual(states, {"tea": "n", "coffee": "p"})

    def test_no_reader_of_the_history_gets_the_link_to_the_page(self):
        paid, failed = self.paid_order(), self.ordered()
        sandbox("clock", advanceSeconds=3600)
        until("the payment has failed", lambda: failed.sees()["payments"][0]["state"] == "failed")
        for buyer in (paid, failed):
            with scopes_disabled():
                data = Order.objects.get(code=buyer.code).all_logentries().values_list("data", flat=True)
                self.assertNotIn("/checkout/", "".join(data))
