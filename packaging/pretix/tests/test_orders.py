"""What the payer sends becomes what the order is."""

from decimal import Decimal

from cases import NOTICE, Shop, attached, history
from gateway import checkout, choose, mine, parts, sandbox, send, signed
from shop import PRICE, Buyer, api, post, scopes_disabled, until

from pretix.base.models import Event


class Orders(Shop):
    def test_a_part_waits_for_the_rest_which_pays(self):
        buyer = self.ordered()
        self.assertEqual(Buyer().open(buyer.url)[0], buyer.url)
        created = checkout.payments.get(buyer.payment)
        self.assertEqual(created["clientPaymentId"], f"TEA-PARTY-{buyer.code}-P-1")
        self.assertEqual((created["displayCurrency"], created["expectedDisplayAmount"]), ("EUR", str(PRICE)))
        self.assertEqual(buyer.sees()["payments"][0]["state"], "pending")

        asked = choose(buyer.payment)
        first, rest = parts(asked, 40)
        send(asked, first)
        mine()
        received = Decimal(checkout.payments.get(buyer.payment)["actualDisplayAmount"])
        self.assertTrue(Decimal("10.20") < received < Decimal("10.23"), received)
        until("the page says what is missing", lambda: f"€{PRICE - received} are missing" in buyer.looks())
        order = buyer.sees()
        self.assertEqual((order["status"], order["payments"][0]["state"]), ("n", "pending"))
        self.assertEqual(order["payments"][0]["details"]["missing"], str(PRICE - received))

        # The part would be lost from sight with another way to pay.
        self.assertEqual(buyer.open(f"{buyer.page}pay/change")[0], buyer.page)
        send(asked, rest)
        mine()
        [payment] = self.paid(buyer)["payments"]
        self.assertEqual((payment["state"], payment["amount"], payment["details"]["missing"]), ("confirmed", str(PRICE), "0.00"))

    def test_the_webhooks_of_one_event_pay_the_orders_of_another(self):
        buyer = self.ordered("concert")
        send(choose(buyer.payment))
        mine()
        self.assertEqual(self.paid(buyer)["payments"][0]["state"], "confirmed")

    def test_too_much_pays(self):
        buyer = self.ordered()
        asked = choose(buyer.payment)
        send(asked, str(Decimal(asked["expectedDepositAmount"]) * 2))
        mine()
        [payment] = self.paid(buyer)["payments"]
        self.assertEqual((payment["amount"], payment["details"]["status"]), (str(PRICE), "OVERPAID"))
        self.assertGreater(Decimal(payment["details"]["received"]), PRICE)

    def test_late_money_pays_and_an_order_that_was_cancelled_or_expired_says_so(self):
        late, cancelled, expired = (self.ordered() for _ in range(3))
        asked = [choose(buyer.payment) for buyer in (late, cancelled, expired)]
        sandbox("clock", advanceSeconds=3600)
        for buyer in (late, cancelled, expired):
            until("the payment has failed", lambda: buyer.sees()["payments"][0]["state"] == "failed")
        self.assertEqual(api("POST", f"orders/{cancelled.code}/mark_canceled/", {"send_email": False})[0], 200)
        with scopes_disabled():
            settings = Event.objects.get(slug="party").settings
        self.addCleanup(settings.delete, "payment_term_accept_late")
        settings.payment_term_accept_late = False
        self.assertEqual(api("POST", f"orders/{expired.code}/mark_expired/", {})[0], 200)
        for payment in asked:
            send(payment)
        mine()
        self.paid(late)
        for buyer, status, said in ((cancelled, "c", "pretix.event.order.overpaid"), (expired, "e", NOTICE)):
            until("the money is seen", lambda: buyer.sees()["payments"][0]["state"] == "confirmed")
            self.assertEqual(buyer.sees()["status"], status)
            self.assertEqual(history(buyer.code).count(said), 1)

    def test_a_part_of_an_expired_payment_is_said_and_the_rest_pays(self):
        buyer = self.ordered()
        asked = choose(buyer.payment)
        first, rest = parts(asked, 60)
        send(asked, first)
        mine()
        until("the part is seen", lambda: "are missing" in buyer.looks())
        sandbox("clock", advanceSeconds=3600)
        until("the payment has failed", lambda: buyer.sees()["payments"][0]["state"] == "failed")
        self.assertEqual(history(buyer.code).count(NOTICE), 1)
        send(asked, rest)
        mine()
        self.paid(buyer)

    def test_a_transfer_that_leaves_its_chain_needs_attention_until_it_is_back(self):
        buyer = self.paid_order()
        sandbox("reorgs", network="BTC", depth=1)
        [refund] = until("pretix has it", lambda: attached(buyer.sees(), "external"))
        self.assertEqual((refund["amount"], buyer.sees()["status"]), (str(PRICE), "p"))
        mine()
        until("it is back", lambda: attached(buyer.sees(), "canceled"))
        self.assertEqual(buyer.sees()["payments"][0]["state"], "confirmed")
        sandbox("reorgs", network="BTC", depth=1)
        sandbox("drops", transactionId=buyer.transaction)
        [refund] = until("it is gone", lambda: attached(buyer.sees(), "external"))
        # The merchant has decided: the order is to be paid again, or not, and nothing is asked twice.
        self.assertEqual(api("POST", f"orders/{buyer.code}/refunds/{refund['local_id']}/process/", {"mark_canceled": False})[0], 200)
        self.assertEqual(buyer.sees()["status"], "n")
        self.assertEqual(post(*signed({"type": "payment.status", "data": {"paymentId": buyer.payment}})), 204)
        self.assertEqual(len(buyer.sees()["refunds"]), 2)
        send(checkout.payments.get(buyer.payment))
        mine()
        self.paid(buyer)

    def test_another_way_to_pay_ends_the_payment(self):
        buyer = self.ordered()
        buyer.open(f"{buyer.page}pay/change", {"payment": "manual"})
        self.assertTrue(checkout.payments.get(buyer.payment)["cancelledAt"])
        self.assertEqual(buyer.sees()["payments"][0]["state"], "canceled")
