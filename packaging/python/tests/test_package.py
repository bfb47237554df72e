"""Webhooks, retries and pages, against a server that answers by a script."""

import base64
import json
import threading
import unittest
from collections.abc import Callable
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from crypto_checkout import (
    Checkout,
    CheckoutApiError,
    CheckoutConnectionError,
    CheckoutError,
    InvalidField,
    WebhookVerificationError,
    verify_webhook,
)

# The published example of Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER_SECRET = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
BODY = b'{"test": 2432232314}'
NOW = 1614265330
RIGHT = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
OTHER = "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
HEADERS = {"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": str(NOW), "webhook-signature": RIGHT}


def with_header(name: str, value: str) -> dict[str, Any]:
    return {"headers": {**HEADERS, name: value}}


def without(name: str) -> dict[str, Any]:
    return {"headers": {key: value for key, value in HEADERS.items() if key != name}}


WEBHOOKS: list[tuple[str, dict[str, Any], bool]] = [
    ("the published example", {}, True),
    ("headers in another case", {"headers": {name.title(): value for name, value in HEADERS.items()}}, True),
    ("headers in lists", {"headers": {name: [value] for name, value in HEADERS.items()}}, True),
    ("two headers with signatures", {"headers": {**HEADERS, "webhook-signature": [OTHER, RIGHT]}}, True),
    ("a text", {"body": BODY.decode()}, True),
    ("a view", {"body": memoryview(BODY)}, True),
    ("a secret with a line break", {"secret": f"{SECRET}\n"}, True),
    ("no headers", {"headers": None}, False),
    ("headers that are no table", {"headers": "webhook-id: a"}, False),
    ("an empty list of ids", {"headers": {**HEADERS, "webhook-id": []}}, False),
    ("the last second", {"now": NOW + 300}, True),
    ("a clock that is behind", {"now": NOW - 300}, True),
    ("a rotation: the new signature first", with_header("webhook-signature", f"{OTHER} {RIGHT}"), True),
    ("a rotation: the old signature first", with_header("webhook-signature", f"{RIGHT} {OTHER}"), True),
    ("several secrets", {"secret": [OTHER_SECRET, SECRET]}, True),
    ("a secret without its prefix", {"secret": SECRET.removeprefix("whsec_")}, True),
    ("a second too late", {"now": NOW + 301}, False),
    ("a second too early", {"now": NOW - 301}, False),
    ("another body", {"body": b'{"test": 2432232315}'}, False),
    ("another secret", {"secret": OTHER_SECRET}, False),
    ("another id", with_header("webhook-id", "msg_other"), False),
    ("another time", with_header("webhook-timestamp", str(NOW + 1)), False),
    ("a time that is no number", with_header("webhook-timestamp", f"{NOW}.0"), False),
    ("a time in other digits", with_header("webhook-timestamp", "١٦١٤٢٦٥٣٣٠"), False),
    ("another signature", with_header("webhook-signature", OTHER), False),
    ("a signature without its version", with_header("webhook-signature", RIGHT.removeprefix("v1,")), False),
    ("a signature of another version", with_header("webhook-signature", RIGHT.replace("v1,", "v1a,")), False),
    ("half a signature", with_header("webhook-signature", RIGHT[:24]), False),
    ("a signature beyond ASCII", with_header("webhook-signature", "v1,ü"), False),
    ("an empty signature", with_header("webhook-signature", ""), False),
    ("no id", without("webhook-id"), False),
    ("no time", without("webhook-timestamp"), False),
    ("no signature", without("webhook-signature"), False),
]


class Webhooks(unittest.TestCase):
    def test_table(self) -> None:
        for what, changes, accepted in WEBHOOKS:
            with self.subTest(what):
                case = {"body": BODY, "headers": HEADERS, "secret": SECRET, "now": NOW, **changes}
                if accepted:
                    webhook = verify_webhook(**case)
                    self.assertEqual((webhook.id, webhook.timestamp), ("msg_p5jXN8AQM9LWM0D4loKWxJek", NOW))
                    self.assertEqual(webhook.payload, {"test": 2432232314})
                else:
                    self.assertRaises(WebhookVerificationError, verify_webhook, **case)

    def test_amounts_keep_their_digits(self) -> None:
        body = b'{"actualDepositAmount": 0.123456789012345678}'
        headers = {**HEADERS, "webhook-signature": "v1,xSQCEhBSiarFyLS3hwmygF2O5r6Xe5Eb+MzMH7pF8ZM="}
        payload = verify_webhook(body, headers, SECRET, now=NOW).payload
        self.assertEqual(payload["actualDepositAmount"], Decimal("0.123456789012345678"))

    def test_a_body_that_is_no_bytes_is_refused_with_its_cause_and_remedy(self) -> None:
        bodies: list[tuple[Any, str]] = [
            ({"test": 1}, "already parsed.*Flask.*Django.*FastAPI"),
            ([1], "already parsed"),
            (None, "missing.*Lambda"),
            (base64.b64encode(BODY).decode(), "still Base64.*isBase64Encoded"),
        ]
        for body, cause in bodies:
            with self.subTest(body=body):
                self.assertRaisesRegex(WebhookVerificationError, cause, verify_webhook, body, HEADERS, SECRET, now=NOW)

    def test_an_empty_secret_is_a_mistake_of_the_program(self) -> None:
        secrets: list[Any] = ["", "whsec_", "whsec_*", None]
        for secret in secrets:
            self.assertRaises(ValueError, verify_webhook, BODY, HEADERS, secret, now=NOW)


Answer = tuple[int, object] | tuple[int, object, dict[str, str]] | None


class Script:
    """A gateway that answers in turn; `None` closes the connection without an answer."""

    def __init__(self, answers: list[Answer]) -> None:
        self.requests: list[tuple[str, str, bytes]] = []
        self.headers: dict[str, str] = {}
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                script.requests.append((self.command, self.path, body))
                script.headers = dict(self.headers)
                answer = answers[min(len(script.requests), len(answers)) - 1]
                if answer is None:
                    self.close_connection = True
                    return
                content = answer[1] if isinstance(answer[1], str) else json.dumps(answer[1])
                self.send_response(answer[0])
                for name, value in {"X-Request-Id": "r-1", **(answer[2] if len(answer) == 3 else {})}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content.encode())

            do_POST = do_PATCH = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.checkout = Checkout(f"http://127.0.0.1:{self._server.server_port}/", "biz_1")

    def __enter__(self) -> "Script":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def problem(status: int, code: str, **more: object) -> Answer:
    return status, {"status": status, "code": code, "detail": "why", **more}


def busy(seconds: str) -> Answer:
    return 503, {"code": "no_rate", "detail": "why"}, {"Retry-After": seconds}


OK: Answer = (200, {})


def get(checkout: Checkout) -> object:
    return checkout.payments.get("p-1")


def create(checkout: Checkout) -> object:
    return checkout.payments.create({"clientPaymentId": "o-1", "locale": "en-US"})


def refund(checkout: Checkout) -> object:
    return checkout.payments.refund("p-1", {"clientRefundId": "r-1"})


def withdraw(checkout: Checkout) -> object:
    return checkout.withdrawals.create({
        "clientWithdrawalId": "w-1", "recipientAddress": "r1", "withdrawCurrency": "XRP", "displayCurrency": "EUR",
        "targetAmountPolicy": "CRYPTO", "targetAmount": "1",
    })


def cancel(checkout: Checkout) -> object:
    return checkout.payments.cancel("p-1")


def choose(checkout: Checkout) -> object:
    return checkout.payments.choose("p-1", {"depositCurrency": "BTC"})


RETRIES: list[tuple[str, Callable[[Checkout], object], list[Answer], int, dict[str, object] | None]] = [
    ("GET after 503", get, [busy("0"), OK], 2, None),
    ("GET after a lost answer", get, [None, OK], 2, None),
    ("GET: three attempts, then the error", get, [busy("0")], 3, {"status": 503, "code": "no_rate"}),
    ("GET: a long wait is the caller's", get, [busy("31")], 1, {"status": 503, "retry_after": 31}),
    ("GET: what is not there stays so", get, [problem(404, "not_found")], 1, {"status": 404, "code": "not_found"}),
    ("a payment after a lost answer", create, [None, OK], 2, None),
    ("a payment after 429", create, [(429, {}, {"Retry-After": "0"}), OK], 2, None),
    ("a payment after the answer of a proxy", create, [(502, "<html>"), OK], 2, None),
    ("a payment that is refused", create, [problem(422, "invalid")], 1, {"status": 422}),
    ("a refund after 500", refund, [problem(500, "internal"), OK], 2, None),
    ("a withdrawal after 504", withdraw, [problem(504, "timeout"), OK], 2, None),
    ("a cancellation is not repeated", cancel, [busy("0"), OK], 1, {"status": 503}),
    ("a choice is not repeated", choose, [problem(500, "internal"), OK], 1, {"status": 500}),
    ("200 that is none of the gateway's", get, [(200, "<html>")], 1, {"status": 200, "code": "unreadable"}),
    ("a redirect does not take the token elsewhere", get, [(302, {}, {"Location": "/elsewhere"})], 1, {"status": 302}),
]


class Requests(unittest.TestCase):
    def test_retries(self) -> None:
        for what, call, answers, requests, error in RETRIES:
            with self.subTest(what), Script(answers) as gateway:
                if error is None:
                    call(gateway.checkout)
                else:
                    with self.assertRaises(CheckoutApiError) as raised:
                        call(gateway.checkout)
                    self.assertEqual({name: getattr(raised.exception, name) for name in error}, error)
                    self.assertEqual(raised.exception.request_id, "r-1")
                self.assertEqual(len(gateway.requests), requests)
                self.assertEqual(len(set(gateway.requests)), 1, "the same request")

    def test_a_lost_answer_of_what_is_not_repeated_says_that_there_was_none(self) -> None:
        with Script([None]) as gateway:
            with self.assertRaises(CheckoutConnectionError) as raised:
                cancel(gateway.checkout)
            self.assertIsNotNone(raised.exception.__cause__)
            self.assertEqual(len(gateway.requests), 1)

    def test_an_error_has_every_invalid_field(self) -> None:
        errors = [
            {"pointer": "/displayAmount", "code": "amount", "detail": "why"},
            {"pointer": "/locale", "code": "unknown", "detail": "why"},
        ]
        with Script([problem(422, "invalid", errors=errors)]) as gateway:
            with self.assertRaises(CheckoutError) as raised:
                create(gateway.checkout)
        error = raised.exception
        assert isinstance(error, CheckoutApiError)
        self.assertEqual(error.errors, tuple(InvalidField(**each) for each in errors))
        self.assertEqual((error.pointer, str(error)), ("/displayAmount", "422 invalid: why"))

    def test_a_request_has_the_token_json_and_escaped_ids(self) -> None:
        with Script([OK]) as gateway:
            create(gateway.checkout)
            self.assertEqual(gateway.headers["Authorization"], "Bearer biz_1")
            self.assertEqual(gateway.headers["Content-Type"], "application/json")
            gateway.checkout.payments.get("a/b?c")
            gateway.checkout.validate_address("XRP", "XRP", "r1", "7")
            self.assertEqual(json.loads(gateway.requests[0][2]), {"clientPaymentId": "o-1", "locale": "en-US"})
            self.assertEqual(gateway.requests[1][1], "/api/v1/payments/a%2Fb%3Fc")
            self.assertEqual(gateway.requests[2][1], "/api/v1/currency/XRP/network/XRP/address/r1/destinationTag/7/valid")
            for payment_id in ("", ".", ".."):
                self.assertRaises(ValueError, gateway.checkout.payments.get, payment_id)
            self.assertEqual(len(gateway.requests), 3)

    def test_a_url_of_another_scheme_is_refused(self) -> None:
        for url in ("pay.example", "file:///etc/passwd", ""):
            self.assertRaises(ValueError, Checkout, url, "biz_1")

    def test_a_list_asks_for_the_next_page_when_it_is_needed(self) -> None:
        pages: list[Answer] = [(200, [{"paymentId": each} for each in page]) for page in ("54", "32", "1")]
        with Script(pages) as gateway:
            found = gateway.checkout.payments.list({"status": "DEPOSITED", "limit": 2, "descending": True})
            self.assertEqual(next(found)["paymentId"], "5")
            self.assertEqual(len(gateway.requests), 1)
            self.assertEqual([payment["paymentId"] for payment in found], ["4", "3", "2", "1"])
            queries = [path.partition("?")[2] for _, path, _ in gateway.requests]
            first = "limit=2&status=DEPOSITED&descending=true"
            self.assertEqual(queries, [first, f"{first}&after=4", f"{first}&after=2"])
            self.assertRaises(ValueError, gateway.checkout.payments.list, {"before": "id"})
