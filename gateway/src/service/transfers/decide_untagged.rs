//! An operator's decision about a transfer without its tag.

use std::fmt;

use checkout_core::chain::CHAINS;
use checkout_core::network::TagRule;
use checkout_core::transaction_id;
use checkout_domain::chain::untagged::{UntaggedState, UntaggedTransfer};
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::{Store, Stored};

/// Which transfer is meant.
#[derive(Clone, Copy, Debug)]
pub struct UntaggedChoice<'a> {
    /// As people write it.
    pub transaction: &'a str,
    /// Needed if the transaction has several.
    pub output: Option<u32>,
}

/// Why nothing was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UntaggedRefusal {
    NoTransfer,
    NoOutput(u32),
    SeveralOutputs(Vec<u32>),
    NotReported(PaymentId),
    NotNow(UntaggedState),
}

impl fmt::Display for UntaggedRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTransfer => f.write_str("No payer has reported such a transaction without its tag."),
            Self::NoOutput(output) => write!(f, "Its output {output} is not reported."),
            Self::SeveralOutputs(outputs) => {
                let outputs: Vec<String> = outputs.iter().map(u32::to_string).collect();
                write!(f, "It has several transfers: choose one with --output {}.", outputs.join(" or "))
            }
            Self::NotReported(payment) => {
                write!(
                    f,
                    "It was not looked up on the page of payment {payment}, and is credited only to one that reported it."
                )
            }
            Self::NotNow(UntaggedState::Credited(payment)) => {
                write!(f, "It was credited to payment {payment}; this cannot be undone.")
            }
            Self::NotNow(UntaggedState::Crediting(payment)) => {
                write!(f, "It is being credited to payment {payment}. Refuse it first to choose another one.")
            }
            Self::NotNow(UntaggedState::Refused) => f.write_str("It is refused already."),
            Self::NotNow(UntaggedState::Open { .. }) => {
                f.write_str("It was decided at the same time: try again.")
            }
        }
    }
}

/// Has a running gateway credit a transfer to a payment on whose page it was looked up.
pub async fn credit(
    store: &dyn Store,
    choice: UntaggedChoice<'_>,
    payment: PaymentId,
    now: u64,
) -> Stored<Result<UntaggedTransfer, UntaggedRefusal>> {
    match find(store, choice).await? {
        Ok(one) if !one.is_reported_by(payment) => Ok(Err(UntaggedRefusal::NotReported(payment))),
        Ok(one) => decide(store, one, UntaggedState::Crediting(payment), now).await,
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// Refuses a transfer: no payment gets it.
pub async fn refuse(
    store: &dyn Store,
    choice: UntaggedChoice<'_>,
    now: u64,
) -> Stored<Result<UntaggedTransfer, UntaggedRefusal>> {
    match find(store, choice).await? {
        Ok(one) => decide(store, one, UntaggedState::Refused, now).await,
        Err(refusal) => Ok(Err(refusal)),
    }
}

async fn find(
    store: &dyn Store,
    choice: UntaggedChoice<'_>,
) -> Stored<Result<UntaggedTransfer, UntaggedRefusal>> {
    let tagged = CHAINS.iter().filter(|row| row.tag != TagRule::None).map(|row| row.network);
    let mut ids: Vec<String> =
        tagged.filter_map(|network| transaction_id::parse(network, choice.transaction).ok()).collect();
    ids.dedup();
    let mut found = store.untagged_of(&ids).await?;
    if found.is_empty() {
        return Ok(Err(UntaggedRefusal::NoTransfer));
    }
    if let Some(output) = choice.output {
        found.retain(|one| one.output.index == output);
    }
    let outputs = found.iter().map(|one| one.output.index).collect();
    Ok(match (found.pop(), found.is_empty(), choice.output) {
        (Some(only), true, _) => Ok(only),
        (None, _, Some(output)) => Err(UntaggedRefusal::NoOutput(output)),
        (Some(_), false, _) | (None, _, None) => Err(UntaggedRefusal::SeveralOutputs(outputs)),
    })
}

async fn decide(
    store: &dyn Store,
    one: UntaggedTransfer,
    next: UntaggedState,
    now: u64,
) -> Stored<Result<UntaggedTransfer, UntaggedRefusal>> {
    if !one.state.can_become(&next) {
        return Ok(Err(UntaggedRefusal::NotNow(one.state)));
    }
    let mut tx = store.begin().await?;
    if !tx.move_untagged(&one.output, &one.state, &next, now).await? {
        return Ok(Err(UntaggedRefusal::NotNow(UntaggedState::Open { failure: None })));
    }
    tx.commit().await?;
    Ok(Ok(UntaggedTransfer { state: next, decided_at: Some(now), ..one }))
}
