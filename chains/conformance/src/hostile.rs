//! Hostile answers: what one odd entry costs. Each row of a server's table is one case.
//!
//! An adapter's test implements [`HostileChain`] over its test server and calls [`all`].

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use checkout_chain_doubles::hostile::{Costs, Row};
use checkout_domain::chain::OutputState;
use checkout_domain::ports::chain::{Chain, ChainError};
use checkout_domain::ports::rereading::{Rejoined, Reread};
use futures::stream::{self, StreamExt as _};

use crate::Reader;

/// Rows that are tried at once. Most of their time they wait.
const AT_ONCE: usize = 8;

/// A chain over a server that can be hostile.
#[async_trait]
pub trait HostileChain: Send + Sync + Sized {
    /// A new server and a new chain.
    async fn open() -> Self;

    /// The table of the server.
    fn rows() -> Vec<Row>;

    fn chain(&self) -> &dyn Chain;

    /// The cursor to read from.
    async fn start(&self) -> Option<String> {
        None
    }

    /// A payment to an address or tag of ours of this kind, which the next block includes. `payment` is the usual kind. Returns
    /// its id.
    async fn pay(&self, kind: &'static str) -> String;

    /// Includes what was paid, and makes it final.
    async fn settle(&self);

    /// From now on the answers about a transaction are odd.
    async fn arm(&self, row: Row, transaction: &str);

    async fn disarm(&self);
}

/// Runs each row on a server of its own.
///
/// # Panics
/// Panics if an odd entry costs more than its row says. All rows are named that do.
pub async fn all<H: HostileChain>() {
    let tried = stream::iter(H::rows())
        .map(|row| async move { costs::<H>(row).await.err().map(|why| format!("{row}: {why}")) })
        .buffered(AT_ONCE);
    let wrong: Vec<String> = tried.filter_map(std::future::ready).collect().await;
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

async fn costs<H: HostileChain>(row: Row) -> Result<(), String> {
    let world = H::open().await;
    let mut reader = Reader { cursor: world.start().await, ..Reader::default() };
    reader.try_read(world.chain()).await?;
    let mut start = reader.clone();
    let mut paid = vec![world.pay("payment").await];
    let odd = world.pay(row.of).await;
    paid.push(world.pay("payment").await);
    world.arm(row, &odd).await;
    world.settle().await;
    let is_ours = row.costs != Costs::NotOurs;
    if row.costs == Costs::Answer {
        let before = reader.cursor.clone();
        if reader.try_read(world.chain()).await.is_ok() && reader.cursor != before {
            return Err("the answer is taken for one".to_owned());
        }
        if reader.known.values().any(|transfer| transfer.output.transaction == odd) {
            return Err("it is credited from an answer that is none".to_owned());
        }
    } else {
        until(&world, &mut reader, &paid).await?;
        paid.push(world.pay("payment").await);
        world.settle().await;
        until(&world, &mut reader, &paid).await.map_err(|why| format!("{why} (the next one)"))?;
        listed(row, &odd, &reader)?;
    }
    world.disarm().await;
    paid.extend(is_ours.then_some(odd));
    let goes_on = matches!(row.costs, Costs::Nothing | Costs::Answer | Costs::Later);
    if goes_on {
        until(&world, &mut reader, &paid).await.map_err(|why| format!("{why} afterwards"))?;
    }
    read_again(&world, &mut reader, &paid).await?;
    // As after a crash, or once the block is read again.
    until(&world, &mut start, &paid).await.map_err(|why| format!("{why} when it is read again"))?;
    once(&reader, &start)
}

/// Reads until these are credited.
async fn until<H: HostileChain>(world: &H, reader: &mut Reader, paid: &[String]) -> Result<(), String> {
    let mut said = String::new();
    for _ in 0..40 {
        if let Err(why) = reader.try_read(world.chain()).await {
            said = format!(": {why}");
        }
        if credited(reader).is_superset(&paid.iter().map(String::as_str).collect()) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let count = credited(reader).len();
    Err(format!("{count} of {} are credited{said}", paid.len()))
}

/// Where entries can be read again, the odd one is read as soon as the server is not hostile any more.
async fn read_again<H: HostileChain>(world: &H, reader: &mut Reader, paid: &[String]) -> Result<(), String> {
    let Some(rereading) = world.chain().rereading() else { return Ok(()) };
    let mut is_all = true;
    for entry in std::mem::take(&mut reader.set_aside) {
        let said = |error: ChainError| format!("{} is not read again: {error}", entry.transaction);
        let Reread::Read(transfers) = rereading.read_again(&entry).await.map_err(said)? else {
            if entry.transaction.contains(':') {
                is_all = false;
                continue;
            }
            return Err(format!("{} is still not read", entry.transaction));
        };
        let cursor = reader.cursor.clone().unwrap_or_default();
        let rejoined = rereading.rejoin(&cursor, &entry, transfers).await.map_err(said)?;
        let Rejoined { transfers, cursor } = rejoined.ok_or("its block is gone")?;
        reader.cursor = Some(cursor);
        reader.note(transfers, world.chain().network());
    }
    if !is_all {
        return Ok(());
    }
    until(world, reader, paid).await.map_err(|why| format!("{why} (read again)"))
}

fn credited(reader: &Reader) -> BTreeSet<&str> {
    let confirmed = reader.known.values().filter(|transfer| transfer.state == OutputState::Confirmed);
    confirmed.map(|transfer| transfer.output.transaction.as_str()).collect()
}

fn listed(row: Row, odd: &str, reader: &Reader) -> Result<(), String> {
    let names: BTreeSet<&str> = reader.set_aside.iter().map(|entry| entry.transaction.as_str()).collect();
    let is_credited = credited(reader).contains(odd);
    let is_right = match row.costs {
        Costs::Nothing => names.is_empty() && is_credited,
        Costs::Entry => names == BTreeSet::from([odd]) && !is_credited,
        Costs::Name => names.len() == 1 && !is_credited,
        Costs::Later | Costs::NotOurs => names.is_empty() && !is_credited,
        Costs::Answer => true,
    };
    if is_right { Ok(()) } else { Err(format!("listed: {names:?}, credited: {is_credited}")) }
}

/// Whenever it was read, a payment is one output, of the same amount to the same address.
fn once(reader: &Reader, again: &Reader) -> Result<(), String> {
    for (output, read) in &again.known {
        let sum = (read.amount, &read.to);
        if reader.known.get(output).is_some_and(|known| (known.amount, &known.to) != sum) {
            return Err(format!("{output:?} has another amount or address when it is read again"));
        }
    }
    let outputs: BTreeSet<&(String, u32)> = reader.known.keys().chain(again.known.keys()).collect();
    let transactions: BTreeSet<&str> = outputs.iter().map(|(transaction, _)| transaction.as_str()).collect();
    if outputs.len() == transactions.len() { Ok(()) } else { Err(format!("credited twice: {outputs:?}")) }
}
