"""Requests, and which of them are repeated."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .errors import CheckoutApiError, CheckoutConnectionError, InvalidField

PASSING = frozenset({429, 500, 502, 503, 504})
"""A failure that may be gone at the next attempt."""
LONGEST_WAIT = 30
"""Seconds; who is told to wait longer gets the error."""


class NoRedirects(HTTPRedirectHandler):
    """A redirect would take the token elsewhere."""

    def redirect_request(self, *_: object) -> None:
        return None


class Http:
    """A gateway and the token for it."""

    def __init__(self, base_url: str, token: str, timeout: float, retries: int) -> None:
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError(f"{base_url!r} is no URL of a gateway.")
        self._base = base_url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self._timeout = timeout
        self._retries = retries
        self._opener = build_opener(NoRedirects)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        repeatable: bool | None = None,
    ) -> Any:
        attempt = 0
        while True:
            try:
                return self._attempt(method, path, query or {}, body)
            except (CheckoutApiError, CheckoutConnectionError) as error:
                may_repeat = method == "GET" if repeatable is None else repeatable
                wait = _wait_after(error, attempt) if may_repeat and attempt < self._retries else None
                if wait is None:
                    raise
            time.sleep(wait)
            attempt += 1

    def _attempt(self, method: str, path: str, query: Mapping[str, object], body: object) -> Any:
        given = {name: _text(value) for name, value in query.items() if value is not None}
        url = self._base + path + (f"?{urlencode(given)}" if given else "")
        headers = dict(self._headers)
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        elif method != "GET":
            data = b""
        try:
            response = self._opener.open(Request(url, data, headers, method=method), timeout=self._timeout)
        except HTTPError as error:
            response = error
        except (OSError, HTTPException) as error:
            raise CheckoutConnectionError(f"{method} {self._base}{path}: no answer") from error
        try:
            with response:
                content = response.read()
        except (OSError, HTTPException) as error:
            raise CheckoutConnectionError(f"{method} {self._base}{path}: no answer") from error
        try:
            answer = json.loads(content)
        except ValueError:
            answer = None
        if not 200 <= response.status < 300 or answer is None:
            raise _refusal(response.status, response.headers, answer)
        return answer


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refusal(status: int, headers: Mapping[str, str], answer: object) -> CheckoutApiError:
    problem = answer if isinstance(answer, dict) else {}
    wait = headers.get("Retry-After") or ""
    return CheckoutApiError(
        status,
        problem.get("code", "unreadable"),
        problem.get("detail", "The answer is none of the gateway's."),
        request_id=headers.get("X-Request-Id"),
        errors=tuple(InvalidField(each["pointer"], each["code"], each["detail"]) for each in problem.get("errors", ())),
        retry_after=int(wait) if wait.isdecimal() else None,
    )


def _wait_after(error: CheckoutApiError | CheckoutConnectionError, attempt: int) -> float | None:
    """Seconds until the next attempt, with jitter; `None` if there is to be none."""
    jitter = random.uniform(0, 0.5 * 2**attempt)
    if isinstance(error, CheckoutConnectionError):
        return jitter
    asked = error.retry_after or 0
    return asked + jitter if error.status in PASSING and asked <= LONGEST_WAIT else None
