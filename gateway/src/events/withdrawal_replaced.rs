//! The callback of a withdrawal that another transaction paid than the one that was reported.

use checkout_domain::business::Business;
use checkout_domain::callback::Kind;
use checkout_domain::withdrawal::Withdrawal;
use schemars::JsonSchema;
use serde::Serialize;

use super::withdrawal_ended::WithdrawalEnded;
use super::{About, Event};

#[derive(Debug, JsonSchema, Serialize)]
#[serde(transparent)]
pub struct WithdrawalReplaced<'a>(WithdrawalEnded<'a>);

impl Event for WithdrawalReplaced<'_> {
    const ABOUT: About = About {
        kind: Kind::new("WITHDRAWAL_REPLACED"),
        name: "withdrawalReplaced",
        title: "Withdrawal replaced",
        description: "Sent to `withdrawalCallbackUrl` when another transaction of a completed withdrawal is confirmed than the one that was \
            reported: one that waits too long is replaced by a transaction with a higher fee. The body is that of the first \
            callback with the new `transactionId`. The recipient is paid once.",
    };

    fn url(business: &Business) -> Option<&str> {
        WithdrawalEnded::url(business)
    }

    fn example() -> Self {
        let mut body = WithdrawalEnded::example();
        body.transaction_id = Some("0x2c1fd0a5bf6bd5a3d3a1e4ee2d4b2f1d1a52d9d1c6a8a3f3b1b9f0c7a6e5d4c3");
        Self(body)
    }
}

impl<'a> WithdrawalReplaced<'a> {
    pub fn new(withdrawal: &'a Withdrawal, both_spellings: bool) -> Self {
        Self(WithdrawalEnded::new(withdrawal, both_spellings))
    }
}
