"""A gateway, with the rights of one token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from .http import Http

if TYPE_CHECKING:
    from . import types

API = "/api/v1"
PAGE = 100


class Checkout:
    """A gateway, with the rights of one token.

    `base_url` is the gateway, such as `https://pay.example`; `token` a business token (`biz_…`) or an organisation key (`org_…`).
    After `timeout` seconds one attempt fails. Requests that are safe to repeat have `retries` further attempts.
    Its methods may be called from several threads.
    """

    def __init__(self, base_url: str, token: str, *, timeout: float = 20, retries: int = 2) -> None:
        self._http = Http(base_url, token, timeout, retries)
        self.payments = Payments(self._http)
        self.refunds = Refunds(self._http)
        self.deposits = Deposits(self._http)
        self.withdrawals = Withdrawals(self._http)

    def balances(self, business_id: str | None = None) -> list[types.Balance]:
        """`business_id` is for organisation keys."""
        return cast("list[types.Balance]", self.request("GET", f"{API}/balances", query={"businessId": business_id}))

    def validate_address(
        self, currency: types.Currency, network: types.Network, address: str, tag: str | None = None
    ) -> types.AddressValidity:
        """Whether an address, and the tag that belongs to it, can receive a currency."""
        path = f"{API}/currency/{_segment(currency)}/network/{_segment(network)}/address/{_segment(address)}"
        path += "/valid" if tag is None else f"/destinationTag/{_segment(tag)}/valid"
        return cast("types.AddressValidity", self.request("GET", path))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        repeatable: bool | None = None,
    ) -> Any:
        """Any other request of the API, by its path: `/api/v1/rates`. Only GET is repeated, unless you say `repeatable`."""
        return self._http.request(method, path, query=query, body=body, repeatable=repeatable)


class Payments:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, payment: types.CreatePayment) -> types.CreatedPayment:
        """The same `clientPaymentId` again returns the stored answer, so this is repeated after a lost one."""
        return cast("types.CreatedPayment", self._http.request("POST", f"{API}/payments", body=payment, repeatable=True))

    def get(self, payment_id: str) -> types.Payment:
        return cast("types.Payment", self._http.request("GET", _payment(payment_id)))

    def list(self, filter: types.ListPaymentsParametersQuery | None = None) -> Iterator[types.Payment]:
        return cast("Iterator[types.Payment]", _rows(self._http, f"{API}/payments", "paymentId", filter))

    def choose(self, payment_id: str, choice: types.UpdatePayment) -> types.UpdatedPayment:
        """Chooses the currency, for a page of your own: the answer has address and amount."""
        return cast("types.UpdatedPayment", self._http.request("PATCH", _payment(payment_id), body=choice))

    def cancel(self, payment_id: str) -> types.Payment:
        return cast("types.Payment", self._http.request("POST", f"{_payment(payment_id)}/cancel"))

    def deposits(
        self, payment_id: str, filter: types.ListPaymentDepositsParametersQuery | None = None
    ) -> Iterator[types.Deposit]:
        return cast("Iterator[types.Deposit]", _rows(self._http, f"{_payment(payment_id)}/deposits", "id", filter))

    def refund(self, payment_id: str, refund: types.CreateRefund) -> types.ListedRefund:
        """The rest, or a part. The same `clientRefundId` again returns the same refund."""
        answer = self._http.request("POST", f"{_payment(payment_id)}/refunds", body=refund, repeatable=True)
        return cast("types.ListedRefund", answer)


class Refunds:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(self, refund_id: str) -> types.ListedRefund:
        return cast("types.ListedRefund", self._http.request("GET", _refund(refund_id)))

    def list(self, filter: types.ListRefundsParametersQuery | None = None) -> Iterator[types.ListedRefund]:
        return cast("Iterator[types.ListedRefund]", _rows(self._http, f"{API}/refunds", "refundId", filter))

    def address(self, refund_id: str, recipient: types.AddressRefund) -> types.ListedRefund:
        """Gives a refund the address that it waits for."""
        return cast("types.ListedRefund", self._http.request("POST", f"{_refund(refund_id)}/address", body=recipient))

    def approve(self, refund_id: str, seen: types.Approve) -> types.ListedRefund:
        return cast("types.ListedRefund", self._http.request("POST", f"{_refund(refund_id)}/approve", body=seen))

    def cancel(self, refund_id: str) -> types.ListedRefund:
        return cast("types.ListedRefund", self._http.request("POST", f"{_refund(refund_id)}/cancel"))


class Deposits:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, filter: types.ListDepositsParametersQuery | None = None) -> Iterator[types.ListedDeposit]:
        return cast("Iterator[types.ListedDeposit]", _rows(self._http, f"{API}/deposits", "id", filter))


class Withdrawals:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, withdrawal: types.CreateWithdrawal) -> types.Withdrawal:
        """The same `clientWithdrawalId` again returns the stored answer, so this is repeated after a lost one."""
        answer = self._http.request("POST", f"{API}/withdrawals", body=withdrawal, repeatable=True)
        return cast("types.Withdrawal", answer)

    def get(self, withdrawal_id: str) -> types.ListedWithdrawal:
        return cast("types.ListedWithdrawal", self._http.request("GET", f"{API}/withdrawals/{_segment(withdrawal_id)}"))

    def list(self, filter: types.ListWithdrawalsParametersQuery | None = None) -> Iterator[types.ListedWithdrawal]:
        return cast("Iterator[types.ListedWithdrawal]", _rows(self._http, f"{API}/withdrawals", "withdrawId", filter))


def _rows(http: Http, path: str, id_field: str, filter: Mapping[str, object] | None) -> Iterator[dict[str, Any]]:
    """All rows of a list. `limit` is the size of a page."""
    query: dict[str, Any] = {"limit": PAGE, **(filter or {})}
    if "before" in query:
        raise ValueError("A list goes on from `after`; `before` is for single pages: use `request`.")
    return _pages(http, path, id_field, query)


def _pages(http: Http, path: str, id_field: str, query: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A page is asked for when the one before it was read."""
    while True:
        page = http.request("GET", path, query=query)
        yield from page
        if len(page) < query["limit"]:
            return
        query["after"] = page[-1][id_field]


def _segment(text: str) -> str:
    """A part of a path. `.` and `..` would lead to another path."""
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} is no id.")
    return quote(text, safe="")


def _payment(payment_id: str) -> str:
    return f"{API}/payments/{_segment(payment_id)}"


def _refund(refund_id: str) -> str:
    return f"{API}/refunds/{_segment(refund_id)}"
