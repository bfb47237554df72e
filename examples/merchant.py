#!/usr/bin/env python3
"""A merchant's back end: creates payments and receives webhooks. Python 3.10 or later, standard library only.

    CHECKOUT_URL=http://127.0.0.1:8080 CHECKOUT_TOKEN=biz_... CHECKOUT_SECRET=whsec_... python3 examples/merchant.py 9000

    curl http://127.0.0.1:9000/orders --json '{"amount": "25.00"}'    # {"id", "paymentUrl", "paid"}
    curl http://127.0.0.1:9000/orders/ID                              # "seen", then "paid" becomes true

The callback URL of the business is http://127.0.0.1:9000/webhooks.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

GATEWAY = os.environ["CHECKOUT_URL"]
TOKEN = os.environ["CHECKOUT_TOKEN"]
SECRET = base64.b64decode(os.environ["CHECKOUT_SECRET"].removeprefix("whsec_"))

TOLERANCE = 300  # seconds between the signature and now
MAX_BODY = 128 * 1024  # bytes; no webhook is longer
PAID = {"DEPOSITED", "OVERPAID"}

# A real shop keeps both in its database.
orders = {}
seen_webhooks = set()


def gateway(method, path, body=None):
    """Calls the gateway; raises HTTPError for 4xx and 5xx."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    with urlopen(Request(GATEWAY + path, data, headers, method=method), timeout=20) as response:
        return json.load(response)


def create_order(amount):
    # The order's id is the payment's idempotency key: the same request again returns the same payment.
    order_id = str(uuid.uuid4())
    created = gateway("POST", "/api/v1/payments", {
        "clientPaymentId": order_id,
        "locale": "en-US",
        "displayCurrency": "EUR",
        "displayAmount": amount,  # a decimal text, never a float
    })
    payment_id = created["paymentInfo"]["paymentId"]
    order = {"id": order_id, "paymentId": payment_id, "paymentUrl": created["paymentUrl"], "seen": False, "paid": False}
    orders[order_id] = order
    return order


def is_signed(headers, body):
    """Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`; one of several signatures must match."""
    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    message = f"{webhook_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(SECRET, message, hashlib.sha256)).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in signatures)


def receive(webhook_id, webhook):
    """A webhook reports an event; the payment's status comes from the gateway."""
    if webhook_id in seen_webhooks:
        return
    match webhook.get("type"):
        case None:  # the callback of a deposit or a withdrawal
            look_at(webhook)
        case "payment.status" | "deposit.confirmed" | "deposit.reversed":  # typed events, if the business chose them
            look_at(webhook["data"])
        case _:  # answered with 2xx, too: otherwise it is sent for three days
            pass
    seen_webhooks.add(webhook_id)


def look_at(about):
    order = orders.get(about.get("clientPaymentId"))
    if order and order["paymentId"] == about["paymentId"]:
        order["seen"] = True
        look(order)


def look(order):
    """Queries the gateway. A deposit may be reported before it is in a block, without a second webhook: poll until it is paid."""
    if not order["paid"]:
        payment = gateway("GET", f"/api/v1/payments/{order['paymentId']}")
        order["paid"] = payment["status"] in PAID


class Handler(BaseHTTPRequestHandler):
    timeout = 10  # seconds without a byte from the client

    def do_GET(self):
        order = orders.get(self.path.removeprefix("/orders/"))
        if order and order["seen"]:
            look(order)  # a real shop does this in the background, every few minutes
        self.answer(200, order) if order else self.answer(404)

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        if length > MAX_BODY:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        if self.path == "/orders":
            self.answer(201, create_order(json.loads(body)["amount"]))
        elif self.path != "/webhooks":
            self.answer(404)
        elif not is_signed(self.headers, body):
            self.answer(401)
        else:
            # An exception here gives a 500, and the gateway retries later.
            receive(self.headers["webhook-id"], json.loads(body))
            self.answer(204)

    def answer(self, status, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
