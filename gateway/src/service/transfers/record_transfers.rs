//! Records a chain's transfers as deposits, exactly once.

mod add;
mod at_once;
mod by_decision;
mod confirmations;
mod dust;
mod new_deposit;
mod parts;
mod records;
mod reread;

use checkout_domain::ids::PaymentId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Instant;

use checkout_core::Network;
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::chain::screening::Screening;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::{Chain, ChainError, Changes, Owner, StoreError};

pub use self::by_decision::record_for;
use self::dust::Dust;
use self::parts::Parts;
use self::records::LoadedPayments;
pub use self::reread::read_again;
use crate::service::App;
use crate::service::transfers::screen_deposits;
use crate::texts::escape;

#[derive(Debug)]
pub enum RecordError {
    Chain(ChainError),
    Store(StoreError),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl From<StoreError> for RecordError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ChainError> for RecordError {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

/// Reads one network up to its tip.
pub async fn catch_up(app: &App, network: Network) -> Result<(), RecordError> {
    let Some(chain) = app.chains.get(&network) else { return Ok(()) };
    let mut records = LoadedPayments::default();
    while read_batch(app, chain.as_ref(), &mut records).await? {}
    Ok(())
}

/// The screening's result for all senders of a transfer, and the owner if one is flagged.
pub(crate) type SenderScreening = (Screening, Option<AddressOwner>);

/// Transfers that were read, with the cursor before and after them.
struct Batch {
    from: Option<String>,
    transfers: Vec<Transfer>,
    /// Could not be read.
    set_aside: Vec<SetAside>,
    /// Could not be read earlier.
    settled: Option<SetAside>,
    cursor: String,
}

/// Returns true if there is more.
async fn read_batch(app: &App, chain: &dyn Chain, records: &mut LoadedPayments) -> Result<bool, RecordError> {
    let from = app.store.cursor(chain.network()).await?;
    let Changes { transfers, set_aside, cursor, more } =
        chain.changes(from.as_deref()).await.map_err(RecordError::Chain)?;
    if Some(&cursor) == from.as_ref() {
        return Ok(false);
    }
    let batch = Batch { from, transfers, set_aside, settled: None, cursor };
    // Otherwise another process stored it; continue after it.
    Ok(!store(app, chain, batch, records).await? || more)
}

/// Stores one batch of a chain, in several changes if it is large, so that others get to the store between them.
/// The last one stores the cursor: a crash at any point at most repeats the batch, which changes nothing. False if the cursor
/// moved meanwhile.
async fn store(
    app: &App,
    chain: &dyn Chain,
    batch: Batch,
    records: &mut LoadedPayments,
) -> Result<bool, RecordError> {
    let (network, now) = (chain.network(), app.clock.now());
    let mut transfers: Vec<Transfer> = batch.transfers.into_iter().map(storable).collect();
    let set_aside: Vec<SetAside> = batch.set_aside.into_iter().map(storable_entry).collect();
    let mut owners = app.store.owners(&transfers).await?;
    if owners.iter().flatten().any(|owner| owner.is_new || owner.is_gone) {
        // One transaction can pay several payments. Another index can be another owner.
        let mut tx = app.store.begin().await?;
        tx.recognise(&mut transfers).await?;
        drop(tx);
        owners = app.store.owners(&transfers).await?;
    }
    let verdicts = screen(app, &transfers, &owners).await;
    let mut dust = Dust::default();
    let mut parts = Parts::of(transfers, &owners);
    loop {
        let part = parts.take(&records.pace);
        let is_last = parts.is_empty();
        let mut tx = app.store.begin().await?;
        let begun = Instant::now();
        if tx.cursor(network).await? != batch.from {
            return Ok(false);
        }
        let owners = tx.owners(&part).await?;
        let owned = group(&part, owners);
        let mut ids: BTreeSet<PaymentId> = owned.keys().copied().collect();
        if is_last {
            ids.extend(dust.payments());
        }
        tx.lock(&Vec::from_iter(ids)).await?;
        records.load(tx.as_mut(), &owned).await?;
        tx.collect();
        for (payment, transfers) in owned {
            add::add(app, tx.as_mut(), (payment, &transfers), &verdicts, records, &mut dust).await?;
        }
        let read: Vec<&str> = part.iter().map(|transfer| transfer.output.transaction.as_str()).collect();
        tx.settle_read(network, &read, now).await?;
        if is_last {
            dust.store(tx.as_mut()).await?;
            tx.set_aside(&set_aside, now).await?;
            if let Some(entry) = &batch.settled {
                tx.settle(entry, now).await?;
            }
            tx.put_cursor(network, &batch.cursor).await?;
        }
        tx.commit().await?;
        records.pace.follow(part.len(), begun.elapsed(), app.store.has_one_writer());
        if is_last {
            note(&set_aside);
            confirmations::count(app, chain, &batch.cursor).await?;
            return Ok(true);
        }
    }
}

fn note(set_aside: &[SetAside]) {
    for SetAside { network, transaction, part, height, why, .. } in set_aside {
        tracing::warn!(%network, transaction, part, height, why, "an entry could not be read and is set aside");
    }
}

fn group(part: &[Transfer], owners: Vec<Option<Owner>>) -> BTreeMap<PaymentId, Vec<&Transfer>> {
    let mut payments: BTreeMap<PaymentId, Vec<&Transfer>> = BTreeMap::new();
    for (transfer, owner) in part.iter().zip(owners) {
        if let Some(owner) = owner {
            payments.entry(owner.payment).or_default().push(transfer);
        }
    }
    payments
}

/// A memo can be any bytes. Control characters are escaped, so that every store accepts them; tags given to
/// payers have none.
pub(crate) fn storable(transfer: Transfer) -> Transfer {
    let output = OutputId { transaction: escape(transfer.output.transaction), ..transfer.output };
    Transfer {
        output,
        to: escape(transfer.to),
        tag: transfer.tag.map(escape),
        from: escape(transfer.from),
        other_senders: transfer.other_senders.into_iter().map(escape).collect(),
        from_tag: transfer.from_tag.map(escape),
        ..transfer
    }
}

fn storable_entry(entry: SetAside) -> SetAside {
    let (transaction, part) = (escape(entry.transaction), escape(entry.part));
    SetAside { transaction, part, why: storable_words(&entry.why), ..entry }
}

/// Most characters of a reason that are stored.
const WORDS: usize = 500;

/// The words of a server can be any text.
pub(crate) fn storable_words(why: &str) -> String {
    escape(why.chars().take(WORDS).collect())
}

/// Screens the senders of new transfers, each once, before anything is locked. After a missing answer, the
/// other deposits of this batch wait.
async fn screen(
    app: &App,
    transfers: &[Transfer],
    owners: &[Option<Owner>],
) -> BTreeMap<Vec<String>, SenderScreening> {
    let mut verdicts = BTreeMap::new();
    for (transfer, owner) in transfers.iter().zip(owners) {
        let is_new = owner.is_some_and(|owner| owner.is_new) && transfer.state != OutputState::Vanished;
        let senders = transfer.senders();
        if !is_new || verdicts.contains_key(&senders) {
            continue;
        }
        let verdict = screen_deposits::ask(app, transfer.output.network, &senders).await;
        if verdict.0 == Screening::Pending {
            break;
        }
        verdicts.insert(senders, verdict);
    }
    verdicts
}
