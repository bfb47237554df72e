"""Two clients of the Greenfield API from PyPI in front of a sandbox gateway: each is told of the same invoices.

GREENFIELD_URL, GREENFIELD_STORE and GREENFIELD_KEY say where; exits with an error at the first answer that is not as expected.
"""

import hashlib
import hmac
import http.server
import json
import os
import threading
import time

import btcpay
import pygreenfield
import requests
from btcpay.resources.invoices import Invoices

URL, STORE, KEY = (os.environ[f"GREENFIELD_{name}"] for name in ("URL", "STORE", "KEY"))
received = []
ORDER = f"generated-{time.time_ns()}"


class Shop(http.server.BaseHTTPRequestHandler):
    """The shop's webhook: keeps what comes with a signature that is right."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        expected = "sha256=" + hmac.new(Shop.secret.encode(), body, hashlib.sha256).hexdigest()
        assert hmac.compare_digest(self.headers["BTCPay-Sig"], expected)
        received.append(json.loads(body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def sandbox(path, **body):
    answer = requests.post(f"{URL}/sandbox/{path}", json=body, timeout=20)
    answer.raise_for_status()
    return answer.json()


def pay(invoice):
    """As a payer does: chooses bitcoin on the page, and sends what it says."""
    token = invoice["checkoutLink"].split("sessionToken=")[1].split("&")[0]
    path = f"{URL}/api/v1/payments/{invoice['id'][:36]}"
    headers = {"Authorization": f"Bearer {token}"}
    chosen = requests.patch(path, json={"depositCurrency": "BTC", "network": "BTC"}, headers=headers, timeout=20)
    chosen.raise_for_status()
    payment = requests.get(path, headers=headers, timeout=20).json()
    to, amount = payment["walletAddress"], payment["expectedDepositAmount"]
    sandbox("transfers", network="BTC", currency="BTC", address=to, amount=amount)
    sandbox("blocks", network="BTC", count=1)


def until(condition):
    for _ in range(200):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError([one["type"] for one in received])


def with_sdk():
    """btcpay-python-sdk, which writes a slash after the path."""
    btcpay.api_key, btcpay.host_url, btcpay.store_id = KEY, f"{URL}/", STORE
    invoice = Invoices.create_invoice(amount="20.00", currency="EUR", metadata={"orderId": "sdk-1"})
    assert (invoice["status"], invoice["amount"]) == ("New", "20.00"), invoice
    pay(invoice)
    assert Invoices.get_invoice(invoice["id"])["status"] == "Settled"
    methods = Invoices.get_invoice_payment_methods(invoice["id"])
    assert [one["paymentMethodId"] for one in methods] == ["BTC-CHAIN"], methods
    assert invoice["id"] in [one["id"] for one in Invoices.get_invoices()]


def with_generated():
    """pygreenfield, which was generated from the published document and reads answers into its types."""
    configuration = pygreenfield.Configuration()
    configuration.host = URL
    configuration.api_key["Authorization"] = KEY
    configuration.api_key_prefix["Authorization"] = "token"
    api = pygreenfield.ApiClient(configuration)
    server = pygreenfield.ServerInfoApi(api).server_info_get_server_info()
    assert server.version and server.fully_synched, server
    key = pygreenfield.APIKeysApi(api).api_v1_api_keys_current_get()
    assert f"btcpay.store.cancreateinvoice:{STORE}" in key.permissions, key
    store = pygreenfield.StoresApi(api).stores_get_store(STORE)
    assert store.id == STORE, store
    invoices, webhooks = pygreenfield.InvoicesApi(api), pygreenfield.WebhooksApi(api)

    def read(method, *arguments, **named):
        # Its types of invoices and webhooks have no id.
        return json.loads(method(*arguments, _preload_content=False, **named).data or "null")

    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    target = {"url": f"http://127.0.0.1:{listener.server_port}/hook", "authorizedEvents": {"everything": True}}
    webhook = read(webhooks.api_v1_stores_store_id_webhooks_post, target, STORE)
    Shop.secret, webhook_id = webhook["secret"], webhook["id"]
    assert read(webhooks.webhokks_get_webhook, STORE, webhook_id)["url"] == target["url"]

    body = {"amount": "25.50", "currency": "EUR", "metadata": {"orderId": ORDER}}
    invoice = read(invoices.invoices_create_invoice, body, STORE)
    assert (invoice["status"], invoice["additionalStatus"], invoice["amount"]) == ("New", "None", "25.50"), invoice
    pay(invoice)
    until(lambda: any(one["type"] == "InvoiceSettled" for one in received))
    assert {one["invoiceId"] for one in received} == {invoice["id"]}
    assert read(invoices.invoices_get_invoice, STORE, invoice["id"])["status"] == "Settled"
    found = read(invoices.invoices_get_invoices, STORE, order_id=[ORDER])
    assert [one["id"] for one in found] == [invoice["id"]]
    deliveries = webhooks.api_v1_stores_store_id_webhooks_webhook_id_deliveries_get

    def are_delivered():
        # That it is being paid is not told once it is paid.
        sent = [one["status"] for one in read(deliveries, STORE, webhook_id)]
        return sent.count("HttpSuccess") == len(received) >= 3 and set(sent) <= {"HttpSuccess", "Failed"}

    until(are_delivered)
    webhooks.api_v1_stores_store_id_webhooks_webhook_id_delete(STORE, webhook_id)
    assert webhook_id not in [one["id"] for one in read(webhooks.webhokks_get_webhooks, STORE)]


for test in (with_sdk, with_generated):
    test()
    print(f"{test.__doc__.splitlines()[0]}")
print("test result: ok. 2 passed; 0 failed")
