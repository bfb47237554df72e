"""Receipts and notices of a sandbox gateway arrive in the mailboxes of a real mail server, whatever that does on the way.

CHECKOUT is the program and FOLDER an empty folder; exits with an error at the first mail that is not as expected.
"""

import asyncio
import contextlib
import email
import email.policy
import json
import logging
import os
import re
import ssl
import subprocess
import threading
import time
import urllib.parse
import urllib.request

import trustme
from aiosmtpd.smtp import SMTP, AuthResult

# What it says of handshakes that fail, as they should.
logging.disable(logging.CRITICAL)

CHECKOUT, FOLDER = os.environ["CHECKOUT"], os.environ["FOLDER"]
USER, PASSWORD = "shop@kettle.example", "correct horse"
AUTHORITY = trustme.CA()
CA_FILE = os.path.join(FOLDER, "ca.pem")
AUTHORITY.cert_pem.write_to_path(CA_FILE)


class Mailboxes:
    """Keeps every mail that it was given in full, and misbehaves once for a mailbox named after what it does."""

    def __init__(self):
        self.mails, self.misbehaved = [], set()

    def first(self, mailbox):
        known = mailbox in self.misbehaved
        self.misbehaved.add(mailbox)
        return not known

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        if name == "unknown":
            return f"550 5.1.1 <{address}>: there is no such mailbox"
        if name in ("421", "450") and self.first(name):
            return f"{name} 4.2.1 try again"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, server, session, envelope):
        self.mails.append((envelope.rcpt_tos[0], envelope.mail_from, envelope.content))
        name = envelope.rcpt_tos[0].split("@")[0]
        if name == "slow":
            await asyncio.sleep(3)
        if name == "drops" and self.first(name):
            server.transport.abort()
        if name == "full" and self.first(name):
            self.mails.pop()
            return "452 4.3.1 the disk is full"
        return "250 2.0.0 taken"

    def to(self, mailbox):
        return [email.message_from_bytes(mail, policy=email.policy.default) for to, _, mail in list(self.mails) if to == mailbox]


def sign_in(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login.decode(), data.password.decode()) == (USER, PASSWORD), handled=False)


@contextlib.contextmanager
def mail_server(starttls, authority=AUTHORITY, name="localhost"):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(name).configure_cert(context)
    tls = {"tls_context": context, "require_starttls": True} if starttls else {"auth_require_tls": False}
    mailboxes, loop = Mailboxes(), asyncio.new_event_loop()

    def session():
        return SMTP(mailboxes, hostname="localhost", loop=loop, authenticator=sign_in, auth_required=True, **tls)

    listening = loop.create_server(session, "127.0.0.1", 0, ssl=None if starttls else context)
    port = loop.run_until_complete(listening).sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    user = urllib.parse.quote(USER, safe="")
    try:
        yield mailboxes, f"smtp{'' if starttls else 's'}://{user}@localhost:{port}" + ("?tls=required" if starttls else "")
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


class Gateway:
    def __init__(self, name, url, password=PASSWORD):
        config = os.path.join(FOLDER, f"{name}.toml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(f"[mail]\nauthorities = {json.dumps(CA_FILE)}\n")
        log = open(os.path.join(FOLDER, f"{name}.log"), "w", encoding="utf-8")
        arguments = ["--sandbox", "--listen", "127.0.0.1:0", "--database", f"sqlite:{FOLDER}/{name}.db", "--config", config]
        mail = ["--smtp", url, "--mail-from", f"Kettle & Co <{USER}>", "--notices-to", "ada@kettle.example"]
        environment = {**os.environ, "CHECKOUT_SMTP_PASSWORD": password}
        self.process = subprocess.Popen([CHECKOUT, "serve", *arguments, *mail], env=environment, stdout=subprocess.PIPE, stderr=log)
        self.ready = json.loads(self.process.stdout.readline())
        self.log = log.name
        self.orders = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ask(self, path, body=None, token=None, method=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = None
        if isinstance(body, dict):
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        elif body is not None:
            data, headers["Content-Type"] = body.encode(), "application/x-www-form-urlencoded"
        request = urllib.request.Request(self.ready["baseUrl"] + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read().decode()

    def sandbox(self, path, **body):
        return json.loads(self.ask(f"/sandbox/{path}", body))

    def order(self, locale="en-US"):
        """A new payment, and where its page is."""
        self.orders += 1
        body = {"clientPaymentId": f"order-{self.orders}", "locale": locale, "displayCurrency": "EUR", "displayAmount": "25"}
        made = json.loads(self.ask("/api/v1/payments", body, self.ready["businessToken"]))
        page = urllib.parse.urlparse(made["paymentUrl"])
        token = urllib.parse.parse_qs(page.query)["sessionToken"][0]
        path = f"/api/v1/payments/{made['paymentInfo']['paymentId']}"
        chosen = self.ask(path, {"depositCurrency": "BTC", "network": "BTC"}, token, "PATCH")
        return json.loads(chosen)["paymentInfo"], page

    def paid(self, locale="en-US"):
        """A paid payment, its transaction, and where its page is."""
        payment, page = self.order(locale)
        transfer = {"address": payment["walletAddress"], "amount": payment["expectedDepositAmount"]}
        sent = self.sandbox("transfers", network="BTC", currency="BTC", **transfer)
        self.sandbox("blocks", network="BTC", count=1)
        return payment, sent["transactionId"], page

    def request(self, page, address):
        """As a payer does: opens the form by the page's link and sends it."""
        shown = self.ask(f"{page.path}?{page.query}")
        link = re.search(r'data-part="receipt"[^>]* href="([^"]+)"', shown)
        form = self.ask(link[1].replace("&amp;", "&"))
        action = re.search(r'<form[^>]* action="([^"]+)"', form)[1].replace("&amp;", "&")
        said = self.ask(action, urllib.parse.urlencode({"email": address}))
        return re.search(r'data-part="receipt-answer" data-value="([^"]+)"', said)[1]

    def metric(self, name):
        return int(re.search(rf"^{name} (\d+)$", self.ask("/metrics"), re.MULTILINE)[1])

    def attempts(self, outcome):
        found = re.search(rf'^checkout_mail_attempts_total{{outcome="{outcome}"}} (\d+)$', self.ask("/metrics"), re.MULTILINE)
        return int(found[1]) if found else 0


def until(what, condition):
    for _ in range(300):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(what)


def parts(mail):
    assert mail.get_content_type() == "multipart/alternative", mail
    text, html = mail.iter_parts()
    assert (text.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    return text.get_content(), html.get_content()


def receipts_arrive():
    """A receipt arrives over TLS and over STARTTLS, in the language of the page."""
    for starttls in (False, True):
        with mail_server(starttls) as (mailboxes, url), Gateway(f"receipts-{starttls}", url) as gateway:
            payment, transaction, page = gateway.paid("de-DE")
            assert gateway.request(page, "anna") == "no-address"
            assert gateway.request(page, "anna@shop.example\r\nBcc: eva@shop.example") == "no-address"
            assert gateway.request(page, "anna@shop.example") == "queued"
            until("the receipt", lambda: mailboxes.to("anna@shop.example"))
            [mail] = mailboxes.to("anna@shop.example")
            [sender] = mail["From"].addresses
            assert (sender.display_name, sender.addr_spec) == ("Kettle & Co", USER), mail["From"]
            assert mail["To"] == "anna@shop.example"
            assert mail["Auto-Submitted"] == "auto-generated"
            assert re.fullmatch(r"<[0-9a-f-]{36}@kettle\.example>", mail["Message-ID"]), mail["Message-ID"]
            assert mail["Subject"].startswith("Beleg von ") and "order-1" in mail["Subject"], mail["Subject"]
            token = urllib.parse.parse_qs(page.query)["sessionToken"][0]
            for content in parts(mail):
                for part in (transaction, "order-1", "25,00", "UTC", "BTC", "Preis"):
                    assert part in content, (part, content)
                for never in (token, "sessionToken", "<img", "<script", "http://", payment["walletAddress"]):
                    assert never not in content, (never, content)
            assert gateway.request(page, "anna@shop.example") == "queued"
            for other in ("b", "c"):
                assert gateway.request(page, f"{other}@shop.example") == "queued"
            assert gateway.request(page, "d@shop.example") == "enough"
            until("three", lambda: len(mailboxes.mails) == 3)
            _, unpaid = gateway.order()
            assert 'data-part="receipt"' not in gateway.ask(f"{unpaid.path}?{unpaid.query}")
            until("the queue is empty", lambda: gateway.metric("checkout_mails_pending") == 0)
            time.sleep(2)
            assert len(mailboxes.mails) == 3, "one mail for each address"


def what_servers_do():
    """What a server refuses for now arrives later, what it refuses for good is given up, and nothing is lost."""
    with mail_server(True) as (mailboxes, url), Gateway("servers", url) as gateway:
        pages = {}
        for name in ("421", "450", "full", "drops", "slow", "unknown"):
            _, _, pages[name] = gateway.paid()
            assert gateway.request(pages[name], f"{name}@shop.example") == "queued"
        until("four are refused for now", lambda: gateway.attempts("failed") == 4)
        gateway.sandbox("clock", advanceSeconds=10)
        until("all others arrive", lambda: gateway.attempts("delivered") == 5)
        assert (gateway.attempts("failed"), gateway.attempts("given_up")) == (4, 1)
        for name, copies in (("421", 1), ("450", 1), ("full", 1), ("drops", 2), ("slow", 1), ("unknown", 0)):
            mails = mailboxes.to(f"{name}@shop.example")
            assert len(mails) == copies, (name, len(mails))
            assert len({mail["Message-ID"] for mail in mails}) <= 1, "the same mail is recognised"
        assert (gateway.metric("checkout_mails_pending"), gateway.metric("checkout_mails_given_up")) == (0, 1)
        with open(gateway.log, encoding="utf-8") as log:
            said = log.read()
        assert "there is no such mailbox" in said and "@shop.example" not in said, said
        with open(os.path.join(FOLDER, "servers.db"), "rb") as database:
            stored = database.read()
        assert PASSWORD.encode() not in stored


def nothing_is_said_to_others():
    """Nothing is sent to a server with the certificate of somebody else, and nothing is lost by a wrong password."""
    other = trustme.CA()
    for name, options, password in (
        ("authority", {"authority": other}, PASSWORD),
        ("host", {"name": "mail.other.example"}, PASSWORD),
        ("password", {}, "wrong"),
    ):
        for starttls in (False, True):
            with mail_server(starttls, **options) as (mailboxes, url), Gateway(f"{name}-{starttls}", url, password) as gateway:
                _, _, page = gateway.paid()
                assert gateway.request(page, "anna@shop.example") == "queued"
                until("it was tried", lambda: gateway.attempts("failed") == 1)
                assert mailboxes.mails == []
                assert (gateway.metric("checkout_mails_pending"), gateway.metric("checkout_mails_given_up")) == (1, 0)


def operators_are_told():
    """Operators get one mail of what waits for them, once."""
    with mail_server(False) as (mailboxes, url), Gateway("notices", url) as gateway:
        sender = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
        gateway.sandbox("flags", network="BTC", address=sender, flagged=True)
        for _ in range(2):
            payment, _ = gateway.order()
            transfer = {"address": payment["walletAddress"], "amount": payment["expectedDepositAmount"]}
            gateway.sandbox("transfers", network="BTC", currency="BTC", fromAddress=sender, **transfer)
        gateway.sandbox("blocks", network="BTC", count=1)
        until("a mail", lambda: mailboxes.to("ada@kettle.example"))
        time.sleep(16)
        mails = mailboxes.to("ada@kettle.example")
        told = "".join(parts(mail)[0] for mail in mails)
        assert len(mails) <= 2, "they are gathered"
        for order in ("order-1", "order-2"):
            assert told.count(f"for order {order} is held (SENDER)") == 1, told


TESTS = (receipts_arrive, what_servers_do, nothing_is_said_to_others, operators_are_told)
for test in TESTS:
    test()
    print(test.__doc__)
print(f"test result: ok. {len(TESTS)} passed; 0 failed")
