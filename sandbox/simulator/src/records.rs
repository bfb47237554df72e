//! What the built-in receiver of callbacks stores, and how it answers.

use checkout_gateway::http::requests::fields::Fields;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Number of deliveries kept; older ones are deleted.
pub const MOST_DELIVERIES: u32 = 500;

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
