"""What can go wrong."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class InvalidField:
    """One invalid field of a request."""

    pointer: str
    """A JSON Pointer to the field, such as `/displayAmount`."""
    code: str
    detail: str


class CheckoutError(Exception):
    """What all errors of this package have in common."""


class CheckoutApiError(CheckoutError):
    """The gateway refused the request, or could not carry it out."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        request_id: str | None = None,
        errors: tuple[InvalidField, ...] = (),
        retry_after: int | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        """The HTTP status."""
        self.code = code
        """Stable, for programs: `unknown_field`, `client_payment_id_taken`, … `unreadable` if the answer was none of the gateway's."""
        self.detail = detail
        """For people."""
        self.request_id = request_id
        """Finds the request in the gateway's log."""
        self.errors = errors
        """All invalid fields of the request."""
        self.retry_after = retry_after
        """Seconds after which the gateway wants to be asked again."""

    @property
    def pointer(self) -> str | None:
        """Where the first invalid field is."""
        return self.errors[0].pointer if self.errors else None


class CheckoutConnectionError(CheckoutError):
    """No answer: the gateway was not reached, or did not answer in time. The request may have been carried out."""


class WebhookVerificationError(CheckoutError):
    """The webhook is not from the gateway, or is too old. Answer 401."""
