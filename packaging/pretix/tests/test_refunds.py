"""Refunds, in the shop and at the desk."""

import os
import uuid
from decimal import Decimal

from cases import Shop, attached, refunds
from gateway import ADDRESS, ETHER_ADDRESS, Relay, checkout, mine, sandbox
from shop import EVENT, PRICE, PROVIDER, api, manages, until

from crypto_checkout_pretix.signals import ask_again


class Refunds(Shop):
    def test_half_is_refunded_then_the_rest_and_no_more(self):
        buyer = self.paid_order()
        refund = f"orders/{buyer.code}/payments/1/refund/"
        for amount in ("12.50", "13.05"):
            status, answer = api("POST", refund, {"amount": amount, "mark_canceled": False})
            self.assertEqual((status, answer["state"]), (200, "transit"), answer)
        self.assertEqual(api("POST", refund, {"amount": "0.01"})[0], 400)

        made = refunds(buyer.payment)
        self.assertEqual({one["clientRefundId"] for one in made}, {f"TEA-PARTY-{buyer.code}-R-{number}" for number in (1, 2)})
        self.assertEqual({one["displayAmount"] for one in made}, {"12.50", "13.05"})
        self.assertEqual({one["waitingFor"] for one in made}, {"ADDRESS"})
        claim = buyer.sees()["refunds"][0]["details"]["claim_url"]
        self.assertIn(claim.replace("&", "&amp;"), buyer.open(buyer.page)[1])

        for one in made:
            checkout.refunds.address(one["refundId"], {"address": ADDRESS})
        until("both left", lambda: mine(10) or all(one["status"] == "CONFIRMED" for one in refunds(buyer.payment)))
        order = until("pretix knows", lambda: len(attached(buyer.sees(), "done")) == 2 and buyer.sees())
        self.assertEqual(order["payments"][0]["state"], "refunded")
        self.assertNotIn("name the address", buyer.looks())

    def test_a_refund_that_is_taken_back_at_the_gateway_is_cancelled(self):
        buyer = self.paid_order()
        self.assertEqual(api("POST", f"orders/{buyer.code}/payments/1/refund/", {"amount": "5.00"})[0], 200)
        checkout.refunds.cancel(refunds(buyer.payment)[0]["refundId"])
        until("pretix knows", lambda: attached(buyer.sees(), "canceled"))
        self.assertEqual(api("POST", f"orders/{buyer.code}/payments/1/refund/", {"amount": str(PRICE)})[0], 200)

    def test_a_refund_without_an_answer_is_asked_for_again_and_made_once(self):
        buyer = self.paid_order()
        refund = f"orders/{buyer.code}/payments/1/refund/"
        Relay.loses = True
        status, answer = api("POST", refund, {"amount": "5.00"})
        self.assertEqual((status, answer["state"]), (200, "created"), answer)
        until("a webhook says that it was made", lambda: attached(buyer.sees(), "transit"))
        self.assertEqual(len(refunds(buyer.payment)), 1)

        Relay.loses, Relay.is_down = False, True
        self.assertEqual(api("POST", refund, {"amount": "6.00"})[0], 200)
        ask_again(None)
        self.assertTrue(attached(buyer.sees(), "created"))
        Relay.is_down = False
        for _ in range(2):
            ask_again(None)
            self.assertEqual(len(attached(buyer.sees(), "transit")), 2)
        self.assertEqual({one["displayAmount"] for one in refunds(buyer.payment)}, {"5.00", "6.00"})

    def test_a_refund_that_moved_nothing_has_failed_even_if_it_was_done(self):
        self.paid_order("ETH")
        buyer = self.paid_order("ETH")
        refund = f"orders/{buyer.code}/payments/1/refund/"
        self.assertEqual(api("POST", refund, {"amount": str(PRICE)})[0], 200)
        [made] = refunds(buyer.payment)
        checkout.refunds.address(made["refundId"], {"address": ETHER_ADDRESS})
        until("it left", lambda: "transactionId" in refunds(buyer.payment)[0])
        mine(network="ETH")
        until("it is in a block", lambda: attached(buyer.sees(), "done"))
        sandbox("reorgs", network="ETH", depth=1)
        sandbox("reverts", transactionId=refunds(buyer.payment)[0]["transactionId"])
        until("it failed", lambda: mine(network="ETH") or attached(buyer.sees(), "failed"))
        self.assertEqual(buyer.sees()["payments"][0]["state"], "confirmed")
        self.assertEqual(api("POST", refund, {"amount": str(PRICE)})[0], 200)

    def test_a_coin_that_has_lost_value_goes_back_whole(self):
        self.paid_order()  # The balance has to suffice for the fee.
        buyer = self.paid_order()
        [rate] = checkout.request("GET", "/api/v1/rates", query={"from": "BTC", "to": "EUR"})
        sandbox("rates", **{"from": "BTC", "to": "EUR", "rate": str(Decimal(str(rate["rate"])) / 2)})
        status, answer = api("POST", f"orders/{buyer.code}/payments/1/refund/", {"amount": str(PRICE)})
        sandbox("rates", **{"from": "BTC", "to": "EUR", "rate": str(rate["rate"])})
        self.assertEqual(status, 200, answer)
        [refund], [deposit] = refunds(buyer.payment), checkout.payments.get(buyer.payment)["deposits"]
        self.assertEqual(refund["amount"], deposit["depositAmount"])

    def test_a_refund_at_the_desk_is_seen_in_the_shop(self):
        buyer = self.paid_order()
        made = checkout.payments.refund(buyer.payment, {"clientRefundId": str(uuid.uuid4()), "displayAmount": "5.00", "address": ADDRESS})
        [refund] = until("pretix has it", lambda: mine(10) or attached(buyer.sees(), "external"))
        self.assertEqual((refund["amount"], refund["details"]["refund"]), ("5.00", made["refundId"]))

    def test_the_merchant_sees_payment_refund_and_where_webhooks_go(self):
        buyer = self.paid_order()
        self.assertEqual(api("POST", f"orders/{buyer.code}/payments/1/refund/", {"amount": "5.00"})[0], 200)
        page = manages(f"orders/{buyer.code}/")
        for text in (buyer.payment, refunds(buyer.payment)[0]["refundId"], "DEPOSITED", "ADDRESS"):
            self.assertIn(text, page)
        page = manages(f"settings/payment/{PROVIDER}")
        self.assertIn(f"{EVENT}/crypto-checkout/webhook/", page)
        for secret in (os.environ["CHECKOUT_TOKEN"], os.environ["CHECKOUT_SECRET"]):
            self.assertNotIn(secret, page)
