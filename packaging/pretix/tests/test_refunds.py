"""Refunds, in the shop and at the desk."""

import os
import re
import uuid
from decimal import Decimal

from cases import NOTICE, Shop, attached, history, refunds
from gateway import ADDRESS, CHECKOUT_URL, ETHER_ADDRESS, Checkout, Relay, checkout, choose, mine, parts, sandbox, send, signed
from shop import EVENT, PRICE, PROVIDER, api, manages, post, scopes_disabled, until

from crypto_checkout_pretix.signals import ask_again
from pretix.base.models import Event, OrderPayment, OrderRefund


def at_the_desk(buyer, amount, address=ADDRESS):
    return checkout.payments.refund(buyer.payment, {"clientRefundId": str(uuid.uuid4()), "displayAmount": amount, "address": address})


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
        self.assertIn("name the address", buyer.looks())
        self.assertNotIn("claim_url", buyer.sees()["refunds"][0]["details"], "who has it names the address")

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
        Relay.loses = False
        ask_again(None)
        self.assertIn("name the address", buyer.looks(), "only the answer has the link")

        Relay.is_down = True
        self.assertEqual(api("POST", refund, {"amount": "6.00"})[0], 200)
        ask_again(None)
        self.assertTrue(attached(buyer.sees(), "created"))
        Relay.is_down = False
        for _ in range(2):
            ask_again(None)
            self.assertEqual(len(attached(buyer.sees(), "transit")), 2)
        self.assertEqual({one["displayAmount"] for one in refunds(buyer.payment)}, {"5.00", "6.00"})

    def test_only_a_refusal_of_the_gateway_fails_a_refund(self):
        self.paid_order()  # The balance has to suffice for the fees.
        buyer = self.paid_order()
        for status in (302, 401, 404, 409, 429):
            Relay.answers = status
            said, answer = api("POST", f"orders/{buyer.code}/payments/1/refund/", {"amount": "5.00"})
            self.assertEqual((said, answer["state"]), (200, "created"), (status, answer))
            ask_again(None)
        self.assertEqual(len(attached(buyer.sees(), "created")), 5)
        Relay.answers = None
        ask_again(None)
        self.assertEqual(len(attached(buyer.sees(), "transit")), 5)

    def test_a_refund_that_cannot_be_asked_for_stops_no_other(self):
        concert, shredded, buyer = self.ordered("concert"), self.paid_order(), self.paid_order()
        send(choose(concert.payment))
        mine()
        self.paid(concert)
        Relay.is_down = True
        for one in (concert, shredded, buyer, buyer):
            path = f"orders/{one.code}/payments/1/refund/"
            self.assertEqual(api("POST", path, {"amount": "5.00"}, event=one.event)[1]["state"], "created")
        known = len(Relay.seen)
        ask_again(None)
        self.assertEqual(len(Relay.seen) - known, 2, "one for each event")
        Relay.is_down = False
        with scopes_disabled():
            unasked = OrderRefund.objects.filter(order__code__in=(concert.code, shredded.code))
            OrderPayment.objects.filter(order__code=shredded.code).update(info="{}")
            settings = Event.objects.get(slug="concert").settings
        self.addCleanup(unasked.delete)
        self.addCleanup(settings.set, f"payment_{PROVIDER}_url", settings.get(f"payment_{PROVIDER}_url"))
        settings.set(f"payment_{PROVIDER}_url", "ftp://gateway.example")
        ask_again(None)
        self.assertEqual(len(attached(buyer.sees(), "transit")), 2)

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

    def test_a_coin_that_has_lost_value_goes_back_whole_only_if_nothing_else_went_back(self):
        buyer = self.paid_order()
        refund = f"orders/{buyer.code}/payments/1/refund/"
        self.assertEqual(api("POST", refund, {"amount": "5.00"})[0], 200)
        [rate] = checkout.request("GET", "/api/v1/rates", query={"from": "BTC", "to": "EUR"})
        sandbox("rates", **{"from": "BTC", "to": "EUR", "rate": str(Decimal(str(rate["rate"])) / 2)})
        status, answer = api("POST", refund, {"amount": "20.55"})
        sandbox("rates", **{"from": "BTC", "to": "EUR", "rate": str(rate["rate"])})
        self.assertEqual((status, len(refunds(buyer.payment))), (400, 1), answer)

    def test_a_refund_at_the_desk_changes_no_order_whose_price_is_there(self):
        part, excess = self.ordered(), self.ordered()
        asked = choose(part.payment)
        send(asked, parts(asked, 40)[0])
        asked = choose(excess.payment)
        send(asked, str(Decimal(asked["expectedDepositAmount"]) * 2))
        mine()
        self.paid(excess)
        sandbox("clock", advanceSeconds=3600)
        until("the part is not enough", lambda: part.sees()["payments"][0]["state"] == "failed")
        for buyer, amount in ((part, "10.00"), (excess, str(PRICE))):
            known = history(buyer.code).count(NOTICE)
            at_the_desk(buyer, amount)
            until("it is told", lambda: mine(10) or history(buyer.code).count(NOTICE) > known)
            self.assertEqual(buyer.sees()["refunds"], [])

    def test_a_refund_at_the_desk_that_moved_nothing_after_all_has_failed(self):
        self.paid_order("ETH")
        buyer = self.paid_order("ETH")
        at_the_desk(buyer, "5.00", ETHER_ADDRESS)
        until("it left", lambda: "transactionId" in refunds(buyer.payment)[0])
        mine(network="ETH")
        until("it is in a block", lambda: attached(buyer.sees(), "external"))
        sandbox("reorgs", network="ETH", depth=1)
        sandbox("reverts", transactionId=refunds(buyer.payment)[0]["transactionId"])
        until("it failed", lambda: mine(network="ETH") or attached(buyer.sees(), "failed"))
        self.assertIn("pretix.event.order.refund.failed", history(buyer.code))

    def test_a_refund_at_the_desk_is_seen_in_the_shop(self):
        buyer = self.paid_order()
        made = at_the_desk(buyer, "5.00")
        [refund] = until("pretix has it", lambda: mine(10) or attached(buyer.sees(), "external"))
        self.assertEqual((refund["amount"], refund["details"]["refund"]), ("5.00", made["refundId"]))

    def test_a_refund_at_the_desk_is_seen_beside_one_that_did_not_reach_the_gateway(self):
        buyer = self.paid_order()
        Relay.answers = 429
        self.assertEqual(api("POST", f"orders/{buyer.code}/payments/1/refund/", {"amount": "5.00"})[1]["state"], "created")
        Relay.answers = None
        at_the_desk(buyer, "5.00")
        [refund] = until("pretix has it", lambda: mine(10) or attached(buyer.sees(), "external"))
        self.assertEqual(refund["amount"], "5.00")
        ask_again(None)
        self.assertEqual([one["displayAmount"] for one in refunds(buyer.payment)], ["5.00", "5.00"])

    def test_a_refund_counts_while_the_gateway_has_it_whatever_pretix_knows_of_it(self):
        for state, left in (("created", "20.55"), ("transit", str(PRICE))):
            buyer = self.paid_order()
            self.assertEqual(api("POST", f"orders/{buyer.code}/payments/1/refund/", {"amount": "5.00"})[0], 200)
            Relay.answers = 502
            if state == "transit":
                checkout.refunds.cancel(refunds(buyer.payment)[0]["refundId"])
            with scopes_disabled():
                OrderRefund.objects.filter(order__code=buyer.code).update(state=state)
            sandbox("reorgs", network="BTC", depth=1)
            until("the transfer left its chain", lambda: checkout.payments.get(buyer.payment)["status"] != "DEPOSITED")
            Relay.answers = None
            self.assertEqual(post(*signed({"type": "payment.status", "data": {"paymentId": buyer.payment}})), 204)
            self.assertEqual([one["amount"] for one in attached(buyer.sees(), "external")], [left], state)

    def test_a_refund_at_the_desk_is_seen_whole_after_the_customer_took_back_what_was_too_much(self):
        buyer = self.ordered()
        asked = choose(buyer.payment)
        send(asked, str(Decimal(asked["expectedDepositAmount"]) * 2))
        mine()
        self.paid(buyer)
        page = f"/api/v1/checkout/{buyer.payment}"
        customer = Checkout(CHECKOUT_URL, re.search(r"sessionToken=([^&]+)", buyer.url)[1])
        [claim] = customer.request("GET", page)["claims"]
        customer.request("POST", f"{page}/claims", body={"claimId": claim["claimId"], "address": ADDRESS})
        at_the_desk(buyer, "5.00")
        [refund] = until("pretix has it", lambda: mine(10) or attached(buyer.sees(), "external"))
        self.assertEqual(refund["amount"], "5.00")

    def test_a_refund_at_the_desk_changes_no_order_whose_price_came_before_a_hundred_other_transfers(self):
        buyer = self.paid_order()
        paid = checkout.payments.get(buyer.payment)
        for _ in range(100):
            send(paid, "0.000001")
        mine()
        until("all came", lambda: checkout.payments.get(buyer.payment)["deposits"][0]["status"] == "CONFIRMED")
        at_the_desk(buyer, "5.00")
        until("it is told", lambda: mine(10) or NOTICE in history(buyer.code))
        self.assertEqual(buyer.sees()["refunds"], [])

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
