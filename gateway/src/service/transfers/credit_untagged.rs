//! Credits transfers without their tag, as an operator decided: each is looked up again, and recorded like one that was read from its
//! chain.

use std::collections::BTreeSet;
use std::fmt;

use checkout_core::Network;
use checkout_domain::chain::Transfer;
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};
use checkout_domain::chain::untagged::{UntaggedState, UntaggedTransfer};
use checkout_domain::fail_point;
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::Stored;

use super::look_up_transaction::ask;
use super::record_transfers::{record_for, storable};
use super::screen_deposits;
use crate::service::App;

/// Most decisions of one run.
const BATCH: u32 = 100;

/// Why a decision is not carried out; the operator decides again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCredited {
    NoNode,
    Unknown,
    Failed,
    NotFinal,
    Changed,
    NotRecorded,
}

impl fmt::Display for NotCredited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoNode => "this gateway has no node of its network",
            Self::Unknown => "the network does not know the transaction",
            Self::Failed => "the transaction moved nothing",
            Self::NotFinal => "it has not enough confirmations",
            Self::Changed => "the network says another amount, recipient, tag or sender",
            Self::NotRecorded => "it is a deposit already, or the payment cannot take it",
        })
    }
}

/// Carries out all decisions. Returns how many.
pub async fn run(app: &App) -> Stored<usize> {
    let mut credited = 0;
    let mut silent: BTreeSet<Network> = BTreeSet::new();
    for one in app.store.untagged(Some(UntaggedState::CREDITING), BATCH).await? {
        let UntaggedState::Crediting(payment) = one.state else { continue };
        // A node that does not answer is asked again in the next run.
        if silent.contains(&one.output.network) {
            continue;
        }
        let Some(looked) = look_up(app, &one).await else {
            silent.insert(one.output.network);
            continue;
        };
        let done = match looked {
            Ok(transfer) => credit(app, &one, payment, &transfer).await?,
            Err(why) => Err(why),
        };
        match done {
            Ok(done) => credited += usize::from(done),
            Err(why) => reopen(app, &one, why).await?,
        }
    }
    Ok(credited)
}

/// `None` if the network did not answer.
async fn look_up(app: &App, one: &UntaggedTransfer) -> Option<Result<Transfer, NotCredited>> {
    let Some(chain) = app.chains.get(&one.output.network) else { return Some(Err(NotCredited::NoNode)) };
    let found = ask(chain.as_ref(), &one.output.transaction).await.ok()?.ok_or(NotCredited::Unknown);
    Some(found.and_then(|found| check(one, &found, chain.required_confirmations())))
}

/// The transfer, if it is what was reported.
fn check(one: &UntaggedTransfer, found: &FoundTransaction, required: u64) -> Result<Transfer, NotCredited> {
    if found.failed {
        return Err(NotCredited::Failed);
    }
    if found.confirmations < required {
        return Err(NotCredited::NotFinal);
    }
    let mut transfers = found.transfers.iter().filter_map(FoundTransfer::confirmed).map(storable);
    transfers.find(|transfer| one.is(transfer)).ok_or(NotCredited::Changed)
}

/// False if another process was first, or the operator decided otherwise meanwhile.
async fn credit(
    app: &App,
    one: &UntaggedTransfer,
    payment: PaymentId,
    transfer: &Transfer,
) -> Stored<Result<bool, NotCredited>> {
    let screening = screen_deposits::ask(app, transfer.output.network, &transfer.senders()).await;
    let mut tx = app.store.begin().await?;
    if !record_for(app, tx.as_mut(), payment, transfer, screening).await? {
        return Ok(Err(NotCredited::NotRecorded));
    }
    let done = UntaggedState::Credited(payment);
    if !tx.move_untagged(&one.output, &one.state, &done, app.clock.now()).await? {
        return Ok(Ok(false));
    }
    fail_point::reach("credit.before");
    tx.commit().await?;
    fail_point::reach("credit.after");
    tracing::info!(%payment, network = %one.output.network, transaction = one.output.transaction,
        output = one.output.index, "a transfer without its tag was credited");
    Ok(Ok(true))
}

async fn reopen(app: &App, one: &UntaggedTransfer, why: NotCredited) -> Stored<()> {
    let open = UntaggedState::Open { failure: Some(why.to_string()) };
    let mut tx = app.store.begin().await?;
    if !tx.move_untagged(&one.output, &one.state, &open, app.clock.now()).await? {
        return Ok(());
    }
    tx.commit().await?;
    tracing::warn!(network = %one.output.network, transaction = one.output.transaction, output = one.output.index,
        %why, "a transfer without its tag was not credited");
    Ok(())
}
