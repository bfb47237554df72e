//! The console's stored records, and the requests that only the console makes.

use checkout_core::Network;
use checkout_gateway::requests::fields::Fields;
use checkout_gateway::requests::page;
use checkout_wire::PaymentStatus;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Number of deliveries kept; older ones are deleted.
pub const MOST_DELIVERIES: u32 = 500;

/// Number of manual actions kept; older ones are deleted.
pub const MAX_EVENTS: u32 = 2_000;

/// A request received by the built-in receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub id: Uuid,
    pub received_at: u64,
    /// The `webhook-id` header; empty if it was missing.
    pub webhook_id: String,
    /// In the order received.
    pub headers: Vec<(String, String)>,
    /// The exact body.
    pub body: String,
    pub verdict: SignatureCheck,
    /// The HTTP status of the answer.
    pub answered: u16,
    pub delay_seconds: u64,
}

checkout_domain::words! {
    /// The result of a signature check.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SignatureCheck {
        Verified = "VERIFIED",
        Wrong = "WRONG",
        /// One of the three headers is missing, or the timestamp is not a number.
        Missing = "MISSING",
    }
}

/// A manual action on the simulated world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxEvent {
    pub id: Uuid,
    pub at: u64,
    pub what: What,
    /// `None` if it affects all networks.
    pub network: Option<Network>,
    /// A number of blocks or seconds.
    pub quantity: u64,
    /// A transaction, an address, a deposit, or a rate such as `BTC/EUR 61000`.
    pub subject: Option<String>,
}

checkout_domain::words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum What {
        Mined = "MINED",
        Reorganised = "REORGANISED",
        Dropped = "DROPPED",
        ClockMoved = "CLOCK_MOVED",
        RateSet = "RATE_SET",
        Flagged = "FLAGGED",
        Unflagged = "UNFLAGGED",
        Released = "RELEASED",
        Refused = "REFUSED",
    }
}

/// The answer to the next deliveries. Afterwards, the built-in receiver answers 204 without delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MockResponse {
    pub status: u16,
    /// The number of deliveries with this answer.
    pub times: u32,
    pub delay_seconds: u64,
}

impl MockResponse {
    pub const USUAL: Self = Self { status: 204, times: 0, delay_seconds: 0 };

    /// Returns the answer to the next delivery, and the setting for later ones.
    pub fn next(self) -> (Self, Self) {
        match self.times {
            0 => (Self::USUAL, Self::USUAL),
            1 => (self, Self::USUAL),
            times => (self, Self { times: times - 1, ..self }),
        }
    }

    /// Reads the body of `POST /sandbox/inbox/answers`.
    pub fn read(fields: &mut Fields) -> Option<Self> {
        fields.require("status");
        let status = fields.integer("status", 200, 599).and_then(|status| u16::try_from(status).ok());
        fields.require("times");
        let times = fields.integer("times", 0, 1_000).and_then(|times| u32::try_from(times).ok());
        let delay_seconds = fields.integer("delaySeconds", 0, 25).unwrap_or(0);
        fields.is_valid().then_some(Self { status: status?, times: times?, delay_seconds })
    }
}

/// The query of `GET /sandbox/payments`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    pub status: Option<PaymentStatus>,
    /// Part of an id, an address or a transaction id, in lower case.
    pub search: Option<String>,
    /// Returns only payments older than this one.
    pub before: Option<Uuid>,
    pub limit: u32,
}

impl Listing {
    pub fn read(fields: &mut Fields) -> Option<Self> {
        let words = ["NEW", "PENDING", "AWAITING", "EXPIRED", "DEPOSITED", "OVERPAID"];
        let status = fields.word("status", &words, PaymentStatus::known);
        let search = fields.text("search").map(|text| text.trim().to_ascii_lowercase());
        if search.as_ref().is_some_and(|text| text.len() > 200) {
            fields.error("search", "too_long", "must have at most 200 characters");
        }
        let search = search.filter(|text| !text.is_empty());
        let (before, limit) = (page::uuid(fields, "before"), page::limit(fields));
        fields.is_valid().then_some(Self { status, search, before, limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mock_response_is_used_a_limited_number_of_times() {
        let mock_response = MockResponse { status: 500, times: 2, delay_seconds: 3 };
        let (first, rest) = mock_response.next();
        assert_eq!((first.status, first.delay_seconds, rest.times), (500, 3, 1));
        assert_eq!(rest.next(), (rest, MockResponse::USUAL));
        assert_eq!(MockResponse::USUAL.next(), (MockResponse::USUAL, MockResponse::USUAL));
    }
}
