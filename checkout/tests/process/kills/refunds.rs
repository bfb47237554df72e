//! Refunds that the merchant asks for: what is asked, what follows, and what the books have of them in the end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::Figures;
use super::books::Rows;
use super::operator::Seen;

/// Where refunds go to.
const CUSTOMER: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

/// In BTC. The larger one needs an approval.
const SMALL: &str = "0.0006";
const LARGE: &str = "0.0012";

/// The merchant's acts with a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Story {
    Sent,
    Addressed,
    Approved,
    CancelledWithoutAddress,
    CancelledUnapproved,
    /// The payer names the address, and the merchant approves it.
    Claimed,
    ClaimRefused,
}

const STORIES: [Story; 7] = [
    Story::Sent,
    Story::Addressed,
    Story::CancelledWithoutAddress,
    Story::Approved,
    Story::Claimed,
    Story::CancelledUnapproved,
    Story::ClaimRefused,
];

impl Story {
    fn is_cancelled(self) -> bool {
        matches!(self, Self::CancelledWithoutAddress | Self::CancelledUnapproved)
    }
}

/// The story of a merchant's id.
fn story(own: &str) -> Story {
    let number: usize = own.trim_start_matches("refund-").parse().unwrap();
    STORIES[number / 3 % STORIES.len()]
}

#[derive(Default)]
pub(super) struct Refunds {
    /// Ids by the merchant's id.
    ids: BTreeMap<String, String>,
    /// Those that an operator has to approve.
    pub(super) unapproved: Vec<Seen>,
}

impl Refunds {
    /// Whether each story was asked for.
    pub(super) fn are_all_told(&self) -> bool {
        STORIES.iter().all(|wanted| self.ids.keys().any(|own| story(own) == *wanted))
    }

    /// The request for the refund of an order.
    pub(super) fn body(number: u64) -> Value {
        let own = format!("refund-{number}");
        let (amount, address) = match story(&own) {
            Story::Sent => (SMALL, Some(CUSTOMER)),
            Story::Addressed | Story::CancelledWithoutAddress | Story::Claimed | Story::ClaimRefused => {
                (SMALL, None)
            }
            Story::Approved | Story::CancelledUnapproved => (LARGE, Some(CUSTOMER)),
        };
        let mut body = json!({"clientRefundId": own, "amount": amount});
        if let Some(address) = address {
            body["address"] = json!(address);
        }
        body
    }

    /// Takes the answer to such a request. Returns the next request.
    pub(super) fn created(&mut self, body: &Value, answer: &Value) -> Option<(String, Value)> {
        let own = body["clientRefundId"].as_str().unwrap().to_owned();
        let id = answer["refundId"].as_str().unwrap().to_owned();
        let story = story(&own);
        assert!(self.ids.insert(own.clone(), id.clone()).is_none(), "{own} was already answered");
        match story {
            Story::Sent => None,
            Story::Addressed => Some((format!("/api/v1/refunds/{id}/address"), json!({"address": CUSTOMER}))),
            Story::Claimed | Story::ClaimRefused => {
                let (page, query) = answer["claimUrl"].as_str().unwrap().split_once('?').unwrap();
                let payment = page.rsplit('/').next().unwrap();
                let token = query.split('&').find_map(|pair| pair.strip_prefix("sessionToken=")).unwrap();
                let path = format!("/api/v1/checkout/{payment}/claims#{token}");
                Some((path, json!({"claimId": id, "address": CUSTOMER})))
            }
            Story::Approved => {
                let text = |name: &str| answer[name].as_str().unwrap().to_owned();
                self.unapproved.push(Seen { id, address: text("address"), amount: text("amount") });
                None
            }
            Story::CancelledWithoutAddress | Story::CancelledUnapproved => {
                Some((format!("/api/v1/refunds/{id}/cancel"), Value::Null))
            }
        }
    }

    /// Takes the answer to a request of the payer. Returns the merchant's decision.
    pub(super) fn claimed(&self, body: &Value, answer: &Value) -> (String, Value) {
        let id = body["claimId"].as_str().unwrap();
        let own = self.ids.iter().find(|(_, known)| *known == id).map(|(own, _)| story(own));
        if let Some(Story::ClaimRefused) = own {
            return (format!("/api/v1/refunds/{id}/refuse"), json!({"reason": "no"}));
        }
        let seen = json!({"address": body["address"], "amount": answer["amount"]});
        (format!("/api/v1/refunds/{id}/approve"), seen)
    }

    /// Checks the rows of the refunds (id, merchant's id, status, state of the payout) and the causes of all ledger entries: each is
    /// charged once, and either sent once or back on the balance.
    pub(super) fn check(&self, rows: &Rows, causes: &Rows, figures: &mut Figures) {
        let stored: BTreeMap<String, String> =
            rows.iter().map(|row| (row[1].clone(), row[0].clone())).collect();
        assert_eq!(stored, self.ids, "exactly the acknowledged refunds are stored");
        assert_eq!(stored.len(), rows.len(), "each is stored once");
        let mut expected = BTreeSet::new();
        for row in rows {
            let (id, story) = (&row[0], story(&row[1]));
            let (status, state) = (row[2].as_str(), row[3].as_str());
            expected.insert(format!("merchant-refund/{id}"));
            if story == Story::ClaimRefused {
                assert_eq!((status, state), ("BLOCKED", "FAILED"), "{row:?}");
                expected.insert(format!("merchant-refund/{id}/reversed"));
            } else if story.is_cancelled() {
                assert_eq!((status, state), ("FAILED", "CANCELLED"), "{story:?} {row:?}");
                expected.insert(format!("merchant-refund/{id}/reversed"));
                figures.merchant_refunds_cancelled += 1;
            } else {
                let is_sent = ["SENT", "CONFIRMED", "FINAL"].contains(&state);
                assert!(status == "COMPLETED" && is_sent, "{story:?} {row:?}");
                expected.insert(format!("merchant-refund/{id}/sent"));
                figures.merchant_refunds += 1;
            }
        }
        let booked = causes.iter().map(|row| &row[0]).filter(|cause| cause.starts_with("merchant-refund/"));
        assert_eq!(
            booked.cloned().collect::<BTreeSet<_>>(),
            expected,
            "each is charged once, and sent or taken back"
        );
    }
}
