"""The programs of the README, against a running sandbox: CHECKOUT_URL, CHECKOUT_TOKEN, CHECKOUT_SECRET; its business sends callbacks to PORT."""

import importlib.metadata
import os
import socket
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request
import uuid

from crypto_checkout import Checkout


def program(name: str) -> list[str]:
    """The command that runs the program of a section of the README."""
    readme = importlib.metadata.metadata("crypto-checkout").json["description"]
    assert isinstance(readme, str)
    text = readme.split(f"```python {name}\n")[1].split("```")[0]
    return [sys.executable, "-c", text]


class QuickStart(unittest.TestCase):
    def test_quick_start(self) -> None:
        output = subprocess.run(program("quickstart"), check=True, stdout=subprocess.PIPE, text=True).stdout
        lines = output.splitlines()
        self.assertRegex(lines[0], r"^Pay at http://127\.0\.0\.1:\d+/checkout/[0-9a-f-]{36}\?sessionToken=")
        self.assertEqual(lines[1], "DEPOSITED")
        self.assertRegex(lines[2], r"^order-[0-9a-f-]{36} 100\.00 EUR$")
        self.assertRegex(lines[-1], r"^PENDING ADDRESS 0\.001(00000)? BTC$")

    def test_webhooks(self) -> None:
        port = int(os.environ["PORT"])
        receiver = subprocess.Popen(program("webhooks"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            while not listens(port):
                self.assertIsNone(receiver.poll(), "it ended")
                time.sleep(0.05)
            checkout = Checkout(os.environ["CHECKOUT_URL"], os.environ["CHECKOUT_TOKEN"])
            order = f"order-{uuid.uuid4()}"
            created = checkout.payments.create({
                "clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "25.00",
            })
            payment_id = created["paymentInfo"]["paymentId"]
            chosen = checkout.payments.choose(payment_id, {"depositCurrency": "ETH", "network": "ETH"})["paymentInfo"]
            checkout.request("POST", "/sandbox/transfers", body={
                "network": "ETH", "currency": "ETH",
                "address": chosen["walletAddress"], "amount": chosen["expectedDepositAmount"],
            })
            checkout.request("POST", "/sandbox/blocks", body={"network": "ETH", "count": 1})
            assert receiver.stdout is not None
            # Callbacks of the other test, which nobody received, may come first.
            self.assertIn(f"{order} DEPOSITED\n", iter(receiver.stdout.readline, ""))
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", b"{}", timeout=20)
            self.assertEqual(refused.exception.code, 401)
            refused.exception.close()
        finally:
            receiver.kill()
            receiver.communicate()


def listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
