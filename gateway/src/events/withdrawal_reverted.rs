//! The callback of a withdrawal that was reported as completed and failed in its block.

use checkout_domain::business::Business;
use checkout_domain::callback::Kind;
use checkout_domain::withdrawal::Withdrawal;
use schemars::JsonSchema;
use serde::Serialize;

use super::withdrawal_ended::WithdrawalEnded;
use super::{About, Event};

#[derive(Debug, JsonSchema, Serialize)]
#[serde(transparent)]
pub struct WithdrawalReverted<'a>(WithdrawalEnded<'a>);

impl Event for WithdrawalReverted<'_> {
    const ABOUT: About = About {
        kind: Kind::new("WITHDRAWAL_REVERTED"),
        name: "withdrawalReverted",
        title: "Withdrawal reverted",
        description: "Sent to `withdrawalCallbackUrl` when the transaction of a completed withdrawal is in a final block and moved \
            nothing: a contract refused it. The body is that of a `FAILED` withdrawal. The amount that was charged is back on the balance.",
    };

    fn url(business: &Business) -> Option<&str> {
        WithdrawalEnded::url(business)
    }

    fn example() -> Self {
        Self(WithdrawalEnded::example_that_failed())
    }
}

impl<'a> WithdrawalReverted<'a> {
    pub fn new(withdrawal: &'a Withdrawal, both_spellings: bool) -> Self {
        Self(WithdrawalEnded::new(withdrawal, both_spellings))
    }
}
