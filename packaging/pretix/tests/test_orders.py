"""What the payer sends becomes what the order is."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Event as Moment

from cases import NOTICE, Shop, attached, history, payment_id
from gateway import Relay, checkout, choose, mine, parts, sandbox, send, signed
from shop import PRICE, PROVIDER, Buyer, api, post, scopes_disabled, until

from pretix.base.models import Event


class Orders(Shop):
    def confirmed_slowly(self):
        """An order whose customer pays again, and has no answer yet: its page to confirm, and what lets the answer through and returns
        where it leads."""
        buyer = self.ordered()
        url, _ = buyer.open(f"{buyer.page}pay/change", {"payment": PROVIDER})
        Relay.waits = arrives = Moment()
        pool = ThreadPoolExecutor()
        self.addCleanup(pool.shutdown)
        self.addCleanup(arrives.set)
        tab = pool.submit(buyer.open, url, {})
        until("the gateway is asked", lambda: Relay.waits is None)

        def ends():
            arrives.set()
            return tab.result()[0]

        return buyer, url, ends

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
            settings = Event.objects.get(slug="party", organizer__slug="tea").settings
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

    def test_each_transfer_that_leaves_its_chain_is_told(self):
        buyer = self.ordered()
        asked = choose(buyer.payment)
        for part in parts(asked, 40):
            send(asked, part)
            mine()
        self.paid(buyer)
        for number in (1, 2):
            sandbox("reorgs", network="BTC", depth=1)
            told = until("it is told", lambda: len(found := attached(buyer.sees(), "external")) == number and found)
        self.assertEqual(sum(Decimal(refund["amount"]) for refund in told), PRICE)
        mine()
        until("they are back", lambda: len(attached(buyer.sees(), "canceled")) == 2)
        self.assertEqual((buyer.sees()["status"], buyer.sees()["payments"][0]["state"]), ("p", "confirmed"))

    def test_what_the_merchant_confirmed_by_hand_is_not_reversed(self):
        buyer = self.ordered()
        choose(buyer.payment)
        self.assertEqual(api("POST", f"orders/{buyer.code}/payments/1/confirm/", {"force": True})[0], 200)
        # The gateway can still take it, and says so.
        status, answer = api("POST", f"orders/{buyer.code}/payments/1/refund/", {"amount": "1.00"})
        self.assertEqual((status, len(attached(buyer.sees(), "failed"))), (400, 1), answer)
        sandbox("clock", advanceSeconds=3600)
        until("it has expired", lambda: buyer.sees()["payments"][0]["details"]["status"] == "EXPIRED")
        self.assertEqual((buyer.sees()["payments"][0]["state"], attached(buyer.sees(), "external")), ("confirmed", []))
        self.assertNotIn(NOTICE, history(buyer.code))

    def test_two_payments_of_an_order_at_once_pay_it_once(self):
        buyer = self.ordered()
        late = choose(buyer.payment)
        sandbox("clock", advanceSeconds=3600)
        until("the payment has failed", lambda: buyer.sees()["payments"][0]["state"] == "failed")
        again = payment_id(buyer.pays_again())
        for payment in (late, choose(again)):
            send(payment)
        # The gateway's own webhooks find nothing out.
        Relay.answers = 502
        mine()
        until("both are paid", lambda: all(checkout.payments.get(one)["status"] == "DEPOSITED" for one in (buyer.payment, again)))
        Relay.answers = None
        with ThreadPoolExecutor() as pool:
            said = [signed({"type": "payment.status", "data": {"paymentId": one}}) for one in (buyer.payment, again)]
            self.assertEqual(set(pool.map(lambda one: post(*one), said * 3)), {204})
        order = self.paid(buyer)
        self.assertEqual([payment["state"] for payment in order["payments"]], ["confirmed", "confirmed"])
        said = history(buyer.code)
        self.assertEqual([said.count(f"pretix.event.order.{what}") for what in ("paid", "overpaid", "payment.confirmed")], [1, 1, 2])

    def test_another_way_to_pay_ends_the_payment(self):
        buyer = self.ordered()
        buyer.open(f"{buyer.page}pay/change", {"payment": "manual"})
        self.assertTrue(checkout.payments.get(buyer.payment)["cancelledAt"])
        self.assertEqual(buyer.sees()["payments"][0]["state"], "canceled")

    def test_another_way_to_pay_ends_a_payment_about_which_the_gateway_has_not_answered_yet(self):
        buyer, _, ends = self.confirmed_slowly()
        buyer.open(f"{buyer.page}pay/change", {"payment": "manual"})
        self.assertEqual(buyer.sees()["payments"][1]["state"], "canceled")
        self.assertEqual(ends(), buyer.page)
        self.assertEqual(buyer.sees()["payments"][1]["state"], "canceled")
        [payment] = checkout.payments.list({"clientPaymentId": f"TEA-PARTY-{buyer.code}-P-2"})
        self.assertTrue(payment["cancelledAt"])

    def test_an_answer_that_comes_late_takes_no_money_back(self):
        for hundredths, state in ((40, "pending"), (100, "confirmed")):
            buyer, url, ends = self.confirmed_slowly()
            page = buyer.open(url, {})[0]
            asked = choose(payment_id(page))
            send(asked, parts(asked, hundredths)[0])
            mine()
            until("the money is seen", lambda: Decimal(buyer.sees()["payments"][1]["details"]["received"]))
            before = until("it counts", lambda: buyer.sees()["payments"][1]["state"] == state and buyer.sees()["payments"])
            self.assertEqual(ends(), page if state == "pending" else buyer.page)
            self.assertEqual(buyer.sees()["payments"], before)
