"""The same server in Python, standard library only. What it does is described in server.mjs.

    python3 examples/kit/server.py 9100 http://127.0.0.1:9200/      # its port, and the address of the page
"""

import json
import sys
import time
import urllib.parse
import uuid
from decimal import ROUND_UP, Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, PAGE = int(sys.argv[1]), sys.argv[2]

# Of each pair: what a coin costs, its decimals, and where it is paid to.
PAIRS = {
    ("BTC", "BTC"): ("60000", 8, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    ("LTC", "LTC"): ("80", 8, "LgUPnP2UZxmFBJb8FDgNd5JcU9b7CNfrw1"),
    ("USDT", "ETH"): ("0.92", 6, "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"),
    ("USDT", "TRX"): ("0.92", 6, "TBLZaw93rsnLJ1SWTvoPkr7GVg5ixn2Jv1"),
    ("XRP", "XRP"): ("0.50", 6, "rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw1"),
}
# By their ids, each with its token.
payments = {}


def create(order):
    payment = {
        "paymentId": str(uuid.uuid4()), "businessId": str(uuid.uuid4()), "status": "NEW", "type": "ONE_TIME",
        "rateType": "FIXED", "processorType": "BLOCKCHAIN", "locale": "en-US", "expirationMinutes": 30,
        "paymentInitiatedAt": int(time.time()), "expectedDisplayAmount": order["displayAmount"],
        "deposits": [], **order,
    }
    token = str(uuid.uuid4())
    payments[payment["paymentId"]] = (payment, token)
    query = urllib.parse.urlencode({"paymentId": payment["paymentId"], "sessionToken": token})
    return 200, {"paymentInfo": payment, "paymentUrl": f"{PAGE}?{query}"}


def choose(payment, choice):
    currency = choice["depositCurrency"]
    networks = [network for coin, network in PAIRS if coin == currency]
    network = choice.get("network") or (networks[0] if len(networks) == 1 else None)
    if (currency, network) not in PAIRS:
        return 422, None
    if payment["deposits"]:
        return 409, None
    rate, decimals, address = PAIRS[currency, network]
    amount = (Decimal(payment["expectedDisplayAmount"]) / Decimal(rate)).quantize(Decimal(1).scaleb(-decimals), ROUND_UP)
    payment.update(depositCurrency=currency, expectedNetwork=network, expectedDepositAmount=f"{amount.normalize():f}",
                   walletAddress=address, status="PENDING", paymentRequestedAt=int(time.time()),
                   destinationTag=str(payment["paymentInitiatedAt"]) if currency == "XRP" else None)
    return 200, {"paymentInfo": payment}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, body = self.decide(json.loads(text or "{}"))
        answer = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Access-Control-Allow-Origin", urllib.parse.urljoin(PAGE, "/").rstrip("/"))
        self.send_header("Access-Control-Allow-Methods", "GET, PATCH")
        self.send_header("Access-Control-Allow-Headers", "authorization, content-type")
        self.send_header("Access-Control-Expose-Headers", "date")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = do_PATCH = do_OPTIONS = answer

    def decide(self, body):
        if self.command == "OPTIONS":
            return 200, None
        if self.command == "POST" and self.path == "/api/v1/payments":
            return create(body)
        payment, token = payments.get(self.path.split("/")[-1], (None, None))
        if payment is None:
            return 404, None
        if self.command == "PUT" and self.path.startswith("/payments/"):  # for you, not for the world
            payment.update(body)
            return 200, payment
        if self.headers.get("Authorization") != f"Bearer {token}":
            return 401, None
        return (200, payment) if self.command == "GET" else choose(payment, body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
