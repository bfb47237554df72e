"""Compares a running sandbox gateway with its OpenAPI document: `run.py BASE_URL BUSINESS_ID`, the token in CHECKOUT_TOKEN, an organisation key in
CHECKOUT_ORGANISATION_KEY.

Prints the number of answers per operation and status. Fails if schemathesis finds an error, or if an operation never
succeeded: an operation that only refuses was not tested.
"""

import base64
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import uuid
import zlib
from urllib.parse import parse_qs, urlsplit

import requests

HERE = pathlib.Path(__file__).parent
RECIPIENT = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
METHODS = ("get", "post", "patch", "put", "delete")


def main():
    base, business = sys.argv[1:]
    token = os.environ["CHECKOUT_TOKEN"]
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"

    def call(method, path, **body):
        answer = session.request(method, base + path, json=body or None, timeout=20)
        answer.raise_for_status()
        return answer.json()

    key = {"Authorization": f"Bearer {os.environ['CHECKOUT_ORGANISATION_KEY']}"}
    objects = {"id": business, **prepare(call, base), **selling(call, base), **undecided(call, base, business, key)}
    refund = unapproved(call)
    approve = "POST /api/v1/refunds/{refundId}/approve"
    objects[f"{approve} refundId"] = refund["refundId"]
    seen = {
        approve: {"address": refund["address"], "amount": refund["amount"]},
        "POST /api/v1/withdrawals/{withdrawalId}/approve": {"address": RECIPIENT, "amount": "0.01"},
    }
    logo = image(32)
    call("POST", "/sandbox/business", logo=base64.b64encode(logo).decode())
    digest = base64.urlsafe_b64encode(hashlib.sha256(logo).digest()).decode().rstrip("=")
    new = {"name": "Managed", "depositReceivedCallbackUrl": f"{base}/sandbox/inbox"}
    managed = requests.post(f"{base}/api/v1/businesses", json=new, headers=key, timeout=20).json()["business"]["id"]
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        counts = pathlib.Path(folder) / "counts.json"
        environment = dict(
            os.environ,
            SCHEMATHESIS_HOOKS="hooks",
            PYTHONPATH=str(HERE),
            PYTHONDONTWRITEBYTECODE="1",
            CHECKOUT_OBJECTS=json.dumps(objects),
            CHECKOUT_SEEN=json.dumps(seen),
            CHECKOUT_MANAGED_BUSINESS=managed,
            CHECKOUT_LOGO=f"{digest}-32x32.png",
            CHECKOUT_COUNTS=str(counts),
        )
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml"), "run"]
        command += [f"{base}/api/openapi.json", "--url", base]
        found = subprocess.run(command, env=environment, cwd=folder).returncode
        counted = json.loads(counts.read_text()) if counts.exists() else {}
    unreached = table(call("GET", "/api/openapi.json"), counted)
    requests_sent = sum(sum(statuses.values()) for statuses in counted.values())
    print(f"{requests_sent} requests to {len(counted)} operations in {time.monotonic() - started:.0f} s")
    for label in unreached:
        print(f"{label} never succeeded")
    failed = bool(found or unreached)
    print(f"test result: {'FAILED' if failed else 'ok'}. {len(counted) - len(unreached)} passed; {len(unreached) + (found != 0)} failed")
    sys.exit(1 if failed else 0)


def prepare(call, base):
    """Creates balances on both accounts of the business, a withdrawal, refunds, a claim and a callback. Returns ids by the names of
    parameters, some for one operation alone."""
    price = {"locale": "en-US", "displayCurrency": "EUR", "displayAmount": "1000000.00"}
    rich = call("POST", "/api/v1/payments", clientPaymentId="prepared-rich", **price)["paymentInfo"]["paymentId"]
    rich = call("PATCH", f"/api/v1/payments/{rich}", depositCurrency="BTC")["paymentInfo"]
    transfer = {"network": "BTC", "currency": "BTC", "address": rich["walletAddress"], "amount": rich["expectedDepositAmount"]}
    call("POST", "/sandbox/transfers", **transfer)
    call("POST", "/sandbox/blocks", network="BTC", count=1)
    open_payment = call("POST", "/api/v1/payments", clientPaymentId="prepared-open", type="REUSABLE", **price)
    cancellable = call("POST", "/api/v1/payments", clientPaymentId="prepared-cancellable", **price)
    withdrawal = call(
        "POST", "/api/v1/withdrawals", clientWithdrawalId="prepared", recipientAddress="bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        withdrawCurrency="BTC", network="BTC", displayCurrency="EUR", targetAmountPolicy="CRYPTO", targetAmount="0.01", withdrawalAccount="FIAT",
    )
    # Paid, so that it can be refunded, and still open.
    received = call("PATCH", f"/api/v1/payments/{open_payment['paymentInfo']['paymentId']}", depositCurrency="BTC")["paymentInfo"]
    transfer = {"network": "BTC", "currency": "BTC", "address": received["walletAddress"], "amount": "1"}
    call("POST", "/sandbox/transfers", **transfer)
    # A part, which is accepted.
    part = call("POST", "/api/v1/payments", clientPaymentId="prepared-part", **price)["paymentInfo"]["paymentId"]
    part = call("PATCH", f"/api/v1/payments/{part}", depositCurrency="BTC")["paymentInfo"]
    call("POST", "/sandbox/transfers", **transfer | {"address": part["walletAddress"], "amount": "0.0001"})
    call("POST", "/sandbox/blocks", network="BTC", count=1)
    # Each decision needs a refund of its own.
    waiting = [
        call("POST", f"/api/v1/payments/{received['paymentId']}/refunds", clientRefundId=f"prepared-{number}", amount="0.001")["refundId"]
        for number in range(5)
    ]
    session = parse_qs(urlsplit(open_payment["paymentUrl"]).query)["sessionToken"][0]
    asked = {"claimId": waiting[3], "address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}
    answer = requests.post(
        f"{base}/api/v1/checkout/{received['paymentId']}/claims", json=asked, headers={"Authorization": f"Bearer {session}"}, timeout=20
    )
    answer.raise_for_status()
    os.environ["CHECKOUT_SESSION"] = session
    os.environ["CHECKOUT_CLAIM"] = waiting[4]
    callback = call("GET", "/api/v1/callbacks?limit=1")[0]
    return {
        "paymentId": open_payment["paymentInfo"]["paymentId"],
        "POST /api/v1/payments/{paymentId}/cancel paymentId": cancellable["paymentInfo"]["paymentId"],
        "POST /api/v1/payments/{paymentId}/accept paymentId": part["paymentId"],
        "refundId": waiting[0],
        "POST /api/v1/refunds/{refundId}/address refundId": waiting[1],
        "POST /api/v1/refunds/{refundId}/cancel refundId": waiting[2],
        "POST /api/v1/refunds/{refundId}/refuse refundId": waiting[3],
        "withdrawalId": withdrawal["withdrawId"],
        "callbackId": callback["id"],
    }


def selling(call, base):
    """Creates sale links and counters, one of each to be withdrawn, and two sales at a counter. Returns ids like `prepare`."""
    price = {"displayCurrency": "EUR", "displayAmount": "12.50"}
    links = [call("POST", "/api/v1/sale-links", clientLinkId=slug, slug=slug, title="Tea", **price)["linkId"] for slug in ("prepared-tea", "over")]
    counters = [call("POST", "/api/v1/counters", title="Stall", displayCurrency="EUR", maxAmount="500") for _ in range(2)]
    os.environ["CHECKOUT_COUNTER"] = urlsplit(counters[0]["url"]).fragment
    headers = {"Authorization": f"Bearer {os.environ['CHECKOUT_COUNTER']}"}
    sales = []
    for _ in range(2):
        sale = {"saleNumber": str(uuid.uuid4()), "displayAmount": "12.50", "locale": "en-US"}
        answer = requests.post(f"{base}/api/v1/counter/sales", json=sale, headers=headers, timeout=20)
        answer.raise_for_status()
        sales.append(answer.json()["paymentId"])
    return {
        "linkId": links[0],
        "POST /api/v1/sale-links/{linkId}/withdraw linkId": links[1],
        "counterId": counters[0]["counterId"],
        "POST /api/v1/counters/{counterId}/withdraw counterId": counters[1]["counterId"],
        "GET /api/v1/counter/sales/{paymentId} paymentId": sales[0],
        "POST /api/v1/counter/sales/{paymentId}/cancel paymentId": sales[1],
        "slug": "prepared-tea",
    }


def undecided(call, base, business, key):
    """Creates withdrawals that wait for an approval, and held deposits: a decision each."""
    # It stays: one key alone does not remove it.
    changes = {"withdrawalApprovalAbove": "1"}
    requests.patch(f"{base}/api/v1/businesses/{business}", json=changes, headers=key, timeout=20).raise_for_status()
    withdrawals = [
        call(
            "POST", "/api/v1/withdrawals", clientWithdrawalId=f"undecided-{number}", withdrawCurrency="BTC", network="BTC", displayCurrency="EUR",
            recipientAddress=RECIPIENT, targetAmountPolicy="CRYPTO", targetAmount="0.01",
            withdrawalAccount="FIAT",
        )["withdrawId"]
        for number in range(3)
    ]
    sender = {"network": "LTC", "address": "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9"}
    call("POST", "/sandbox/flags", **sender, flagged=True)
    price = {"locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100.00"}
    for number in range(2):
        order = call("POST", "/api/v1/payments", clientPaymentId=f"undecided-{number}", **price)["paymentInfo"]["paymentId"]
        order = call("PATCH", f"/api/v1/payments/{order}", depositCurrency="LTC")["paymentInfo"]
        transfer = {"network": "LTC", "currency": "LTC", "address": order["walletAddress"], "amount": "0.5", "fromAddress": sender["address"]}
        call("POST", "/sandbox/transfers", **transfer)
    held = call("GET", "/api/v1/deposits?held=true")
    call("POST", "/sandbox/flags", **sender, flagged=False)
    return {
        "POST /api/v1/withdrawals/{withdrawalId}/approve withdrawalId": withdrawals[0],
        "POST /api/v1/withdrawals/{withdrawalId}/reject withdrawalId": withdrawals[1],
        "POST /api/v1/withdrawals/{withdrawalId}/cancel withdrawalId": withdrawals[2],
        "depositId": held[0]["id"],
        "POST /api/v1/deposits/{depositId}/refuse depositId": held[1]["id"],
    }


def unapproved(call):
    """Pays a small order again and again, until the refunds of a day are used up. Returns the refund that waits for an approval, as it is shown."""
    call("POST", "/sandbox/business", refundFollowUpDepositsForOneTimePayments=True)
    price = {"locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100.00"}
    order = call("POST", "/api/v1/payments", clientPaymentId="prepared-again", **price)["paymentInfo"]["paymentId"]
    order = call("PATCH", f"/api/v1/payments/{order}", depositCurrency="LTC")["paymentInfo"]
    for amount in (order["expectedDepositAmount"], *["0.5"] * 6):
        transfer = {"network": "LTC", "currency": "LTC", "address": order["walletAddress"], "amount": amount}
        call("POST", "/sandbox/transfers", **transfer)
        call("POST", "/sandbox/blocks", network="LTC", count=1)
    for _ in range(100):
        found = call("GET", "/api/v1/refunds?waitingFor=APPROVAL")
        if found:
            return found[0]
        time.sleep(0.1)
    raise SystemExit("no refund waits for an approval")


def image(side):
    """Returns a black square as PNG."""
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes((side + 1) * side))
    parts = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    chunks = (struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def table(document, counted):
    """Prints statuses by operation. Returns the operations that never succeeded."""
    unreached = []
    for path, item in document["paths"].items():
        for method in METHODS:
            if method not in item:
                continue
            label = f"{method.upper()} {path}"
            statuses = counted.get(label, {})
            print(f"  {label}: " + ", ".join(f"{status} × {number}" for status, number in sorted(statuses.items())))
            # Schemathesis reads its own document only.
            if path != "/api/openapi.json" and not any(status.startswith(("2", "303")) for status in statuses):
                unreached.append(label)
    return unreached


main()
