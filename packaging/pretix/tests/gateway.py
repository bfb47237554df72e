"""The sandbox gateway: what payers and chains do, and a relay between the shop and the gateway that can be down."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from crypto_checkout import Checkout

CHECKOUT_URL, SECRET = os.environ["CHECKOUT_URL"], os.environ["CHECKOUT_SECRET"]
checkout = Checkout(CHECKOUT_URL, os.environ["CHECKOUT_TOKEN"])
ETHER_ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7"
ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"


class Relay(BaseHTTPRequestHandler):
    """Passes requests on to the gateway, unless it `is_down` or `answers` a status itself, as a proxy does; `loses` answers to POST.
    The answer to the next POST waits for the event `waits`. `seen` has those that came."""

    seen: list[str] = []
    is_down = loses = False
    answers = waits = None

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        Relay.seen.append(f"{self.command} {self.path}")
        self.close_connection = True
        if Relay.is_down:
            return
        if Relay.answers:
            return self.send_error(Relay.answers)
        gateway = http.client.HTTPConnection(urlsplit(CHECKOUT_URL).netloc)
        gateway.request(self.command, self.path, body, {name: self.headers[name] for name in self.headers if name != "Connection"})
        answer = gateway.getresponse()
        content = answer.read()
        gateway.close()
        if self.command == "POST" and (waits := Relay.waits):
            Relay.waits = None
            waits.wait()
        if Relay.loses and self.command == "POST":
            return
        self.send_response(answer.status)
        for name in ("Content-Type", "Retry-After"):
            if name in answer.headers:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_PATCH = do_GET

    def log_message(self, *_):
        pass


def relay():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def sandbox(what, **body):
    return checkout.request("POST", f"/sandbox/{what}", body=body)


def choose(payment_id, coin="BTC"):
    """The payer chooses the coin of a network."""
    return checkout.payments.choose(payment_id, {"depositCurrency": coin, "network": coin})["paymentInfo"]


def parts(payment, hundredths):
    """What the page asked for in two transfers: so many hundredths of it in whole satoshis, and the rest."""
    whole, digits = payment["expectedDepositAmount"].split(".")
    every = int(whole + digits)
    first = every * hundredths // 100
    return [f"{part // 10 ** len(digits)}.{part % 10 ** len(digits):0{len(digits)}}" for part in (first, every - first)]


def send(payment, amount=None):
    coin, amount = payment["depositCurrency"], amount or payment["expectedDepositAmount"]
    return sandbox("transfers", network=coin, currency=coin, address=payment["walletAddress"], amount=amount)["transactionId"]


def mine(count=1, network="BTC"):
    sandbox("blocks", network=network, count=count)


def signed(payload, secret=SECRET):
    """A webhook with a signature: its body and headers."""
    body, webhook, now = json.dumps(payload).encode(), str(uuid.uuid4()), str(int(time.time()))
    digest = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), f"{webhook}.{now}.".encode() + body, hashlib.sha256)
    signature = "v1," + base64.b64encode(digest).decode()
    return body, {"webhook-id": webhook, "webhook-timestamp": now, "webhook-signature": signature, "Content-Type": "application/json"}
