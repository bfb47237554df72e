"""A pretix server on an empty database, with one event and one ticket; its buyers come by HTTP, its merchant by the API."""

import http.client
import http.cookiejar
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import timedelta
from decimal import Decimal

import django
from gateway import SECRET

os.environ["DJANGO_SETTINGS_MODULE"] = "shop_settings"
django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils.timezone import now  # noqa: E402
from django_scopes import scopes_disabled  # noqa: E402
from pretix.base.models import Event, Order, Organizer, Team, TeamAPIToken, User  # noqa: E402

URL = f"http://127.0.0.1:{os.environ['PORT']}"
EVENT = f"{URL}/tea/party"
PROVIDER = "cryptocheckout"
PRICE = Decimal("25.55")
LOG = "pretix.log"
OWNER = "correct horse battery staple"


def patience():
    """Seconds: a minute, times the load of each processor above one."""
    factor = os.environ.get("CHECKOUT_TEST_PATIENCE") or 1 + int(os.getloadavg()[0]) // (os.cpu_count() or 1)
    return 60 * int(factor)


def log():
    with open(LOG, encoding="utf-8") as file:
        return file.read()


def until(what, condition):
    end = time.monotonic() + patience()
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    raise AssertionError(f"Not in time: {what}.")


def opened(gateway, token):
    """Makes the tables and the event, and starts the server; returns its process."""
    call_command("migrate", run_syncdb=True, verbosity=0)
    with scopes_disabled():
        furnish(gateway, token)
    server = [sys.executable, "-m", "gunicorn", "pretix.wsgi", "--bind", URL.removeprefix("http://"), "--threads", "4", "--timeout", "0"]
    with open(LOG, "w", encoding="utf-8") as file:
        process = subprocess.Popen(server, stdout=file, stderr=file)
    try:
        until("the shop is up", lambda: process.poll() is not None or answers())
        assert process.poll() is None, "it ended"
    except AssertionError as error:
        process.kill()
        raise AssertionError(f"pretix said:\n{log()}") from error
    return process


def answers():
    try:
        return urllib.request.urlopen(f"{EVENT}/", timeout=patience()).status == 200
    except OSError:
        return False


def furnish(gateway, token):
    organizer = Organizer.objects.create(name="Tea", slug="tea")
    coffee = Organizer.objects.create(name="Coffee", slug="coffee")
    owner = User.objects.create_user("owner@tea.example", OWNER)
    team = Team.objects.create(organizer=organizer, name="All", all_events=True, all_event_permissions=True)
    team.members.add(owner)
    TeamAPIToken.objects.create(team=team, name="Tests", token="t" * 64)
    others = (coffee, "party", os.environ["CHECKOUT_OTHER_TOKEN"], os.environ["CHECKOUT_OTHER_SECRET"])
    for organizer, name, token, secret in ((organizer, "party", token, SECRET), (organizer, "concert", token, SECRET), others):
        begin, plugins = now() + timedelta(days=30), "crypto_checkout_pretix,pretix.plugins.manualpayment"
        event = Event(organizer=organizer, name=name, slug=name, currency="EUR", date_from=begin, live=True, plugins=plugins)
        event.save()
        ticket = event.items.create(name="Ticket", default_price=PRICE)
        event.quotas.create(name="Tickets", size=None).items.add(ticket)
        for setting, value in (("url", gateway), ("token", token), ("secret", secret), ("_enabled", True)):
            event.settings.set(f"payment_{PROVIDER}_{setting}", value)
        event.settings.set("payment_manual__enabled", True)


def api(method, path, body=None, event="party"):
    """The merchant's request; returns status and answer."""
    headers = {"Authorization": f"Token {'t' * 64}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{URL}/api/v1/organizers/tea/events/{event}/{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=patience()) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def manages(path):
    """A page of the merchant, as text."""
    merchant = Buyer()
    merchant.open(f"{URL}/control/login")
    merchant.open(f"{URL}/control/login", {"email": "owner@tea.example", "password": OWNER})
    return merchant.open(f"{URL}/control/event/tea/party/{path}")[1]


def post(body, headers, organizer="tea"):
    """A webhook; returns its status."""
    request = urllib.request.Request(f"{URL}/{organizer}/party/crypto-checkout/webhook/", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=patience()) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def announced(length):
    """The status of a webhook whose body is never sent."""
    connection = http.client.HTTPConnection(URL.removeprefix("http://"), timeout=patience())
    connection.putrequest("POST", "/tea/party/crypto-checkout/webhook/")
    connection.putheader("Content-Length", str(length))
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


class InTheShop(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but not out of the shop."""

    def redirect_request(self, request, file, code, message, headers, url):
        if url.startswith(URL):
            return super().redirect_request(request, file, code, message, headers, url)
        return None


class Buyer:
    def __init__(self, event="party", organizer="tea"):
        self.event, self.organizer = event, organizer
        self.cookies = http.cookiejar.CookieJar()
        self.browser = urllib.request.build_opener(InTheShop, urllib.request.HTTPCookieProcessor(self.cookies))

    def open(self, url, form=None):
        """Returns the last address and the page; the address is that of another site when the shop sends the buyer there."""
        data = None
        if form is not None:
            csrf = next(cookie.value for cookie in self.cookies if "csrf" in cookie.name)
            data = urllib.parse.urlencode({"csrfmiddlewaretoken": csrf, **form}).encode()
        try:
            with self.browser.open(url, data, timeout=patience()) as answer:
                return answer.geturl(), answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                if "Location" not in error.headers:
                    raise AssertionError(f"{url}: {error.code}\n{error.read().decode()[-2000:]}") from error
                return error.headers["Location"], ""

    def order(self):
        """Buys a ticket; returns the page of the gateway."""
        event = f"{URL}/{self.organizer}/{self.event}"
        _, page = self.open(f"{event}/")
        self.open(f"{event}/cart/add", {re.search(r'name="(item_\d+)"', page)[1]: "1"})
        self.open(f"{event}/checkout/start")
        self.open(f"{event}/checkout/questions/", {"email": "tea@example.com"})
        self.open(f"{event}/checkout/payment/", {"payment": PROVIDER})
        url, self.said = self.open(f"{event}/checkout/confirm/", {})
        with scopes_disabled():
            self.code, secret = Order.objects.values_list("code", "secret").latest("pk")
        self.page = f"{event}/order/{self.code}/{secret}/"
        return url

    def pays_again(self):
        """Chooses the provider once more on the page of the order; returns the page of the gateway."""
        url, _ = self.open(f"{self.page}pay/change", {"payment": PROVIDER})
        return self.open(url, {})[0]

    def looks(self):
        """The page of the order, as text."""
        return " ".join(re.sub(r"<[^>]*>", " ", self.open(self.page)[1]).split())

    def sees(self):
        """The order, as the merchant reads it."""
        status, order = api("GET", f"orders/{self.code}/", event=self.event)
        assert status == 200, order
        return order
