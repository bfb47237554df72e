//! Deposits: detection, confirmation, reorganisation, replacement and restarts.

use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed, Vanished};
use checkout_domain::chain::{Transfer, source};

use crate::{Reader, TestChain};

/// Returns the address number for a case of the suite.
fn index(of: u32) -> u32 {
    1_000 + of
}

/// A transfer that was just sent is seen; only where chains report what waits.
async fn until_seen(
    chain: &dyn TestChain,
    reader: &mut Reader,
    address: &str,
    count: usize,
) -> Vec<Transfer> {
    if chain.reports_only_what_stays() {
        chain.mine(1).await;
        return reader.until(chain.chain(), address, &vec![Confirmed; count]).await;
    }
    reader.until(chain.chain(), address, &vec![Unconfirmed; count]).await
}

/// A reader at the tip, where some chains start to read.
async fn started(chain: &dyn TestChain) -> Reader {
    let mut reader = Reader::default();
    reader.read(chain.chain()).await;
    reader
}

pub(crate) async fn given(chain: &dyn TestChain, of: u32) -> String {
    let address = chain.deposit_address(index(of)).await;
    chain.chain().watch(&address, index(of)).await.expect("the address can be watched");
    address
}

pub(crate) async fn health_and_tip(chain: &dyn TestChain) {
    let checks = chain.chain().health().await;
    assert!(!checks.is_empty() && source::fault(&checks).is_none(), "{checks:?}");
    let before = chain.chain().tip().await.expect("there is a tip");
    chain.mine(2).await;
    let after = chain.chain().tip().await.expect("there is a tip");
    assert_eq!(after.height, before.height + 2);
    assert_ne!(after.hash, before.hash);
}

pub(crate) async fn seen_confirmed_and_counted(chain: &dyn TestChain) {
    let (mut reader, address) = (started(chain).await, given(chain, 0).await);
    let ids = chain.send(&[(address.clone(), "0.5")]).await;
    let seen = until_seen(chain, &mut reader, &address, 1).await;
    assert_eq!(seen[0].output.transaction, ids[0]);
    assert!(!seen[0].from.is_empty() && seen[0].seen_at > 0, "{seen:?}");
    let confirmations = |of| async move { chain.chain().confirmations(of).await.expect("it is known") };
    if !chain.reports_only_what_stays() {
        assert_eq!(confirmations(&seen[0].output).await, chain.blocks_when_seen());
        chain.mine(1).await;
    }
    reader.until(chain.chain(), &address, &[Confirmed]).await;
    let first = chain.blocks_when_confirmed();
    assert_eq!(confirmations(&seen[0].output).await, first);
    chain.mine(3).await;
    assert_eq!(confirmations(&seen[0].output).await, first + 3);
}

/// A chain that needs several confirmations counts those of a transfer that waits, block by block.
pub(crate) async fn confirmations_rise_until_enough(chain: &dyn TestChain) {
    let required = chain.chain().required_confirmations();
    assert_eq!(required, chain.blocks_when_confirmed(), "its own block counts");
    let (mut reader, address) = (started(chain).await, given(chain, 4).await);
    chain.send(&[(address.clone(), "0.5")]).await;
    let seen = until_seen(chain, &mut reader, &address, 1).await;
    let mut last = None;
    loop {
        let waiting = reader.waiting(chain.chain()).await;
        let count = waiting.iter().find(|(output, _)| *output == seen[0].output).map(|(_, count)| *count);
        let state = reader.to(&address)[0].state;
        if required == 1 || state == Confirmed {
            assert_eq!(count, None, "{state:?}: enough");
            break;
        }
        let count = count.expect("it waits");
        assert!(
            count < required && last.is_none_or(|last| count == last + 1),
            "{last:?}, {count} of {required}"
        );
        last = Some(count);
        chain.mine(1).await;
        reader.until_moved(chain.chain()).await;
    }
    chain.mine(1).await;
}

pub(crate) async fn every_output_has_its_own_index(chain: &dyn TestChain) {
    let (mut reader, one, two) = (started(chain).await, given(chain, 1).await, given(chain, 2).await);
    let ids = chain.send(&[(one.clone(), "0.25"), (two.clone(), "0.125")]).await;
    for (address, id) in [(&one, &ids[0]), (&two, &ids[1])] {
        let seen = until_seen(chain, &mut reader, address, 1).await;
        assert_eq!(&seen[0].output.transaction, id);
    }
    let (one, two) = (&reader.to(&one)[0], &reader.to(&two)[0]);
    assert_ne!(one.output, two.output);
    assert_eq!(one.amount.atoms(), 2 * two.amount.atoms());
    chain.mine(1).await;
}

pub(crate) async fn nothing_new_leaves_the_cursor(chain: &dyn TestChain) {
    let (mut reader, address) = (started(chain).await, given(chain, 3).await);
    chain.send(&[(address.clone(), "0.5")]).await;
    chain.mine(1).await;
    reader.until(chain.chain(), &address, &[Confirmed]).await;
    reader.read(chain.chain()).await;
    let before = reader.clone();
    reader.read(chain.chain()).await;
    assert_eq!((reader.cursor, reader.reports), (before.cursor, before.reports));
}

/// Transfers and blocks arrive during downtime; the reader resumes from an old cursor. Reading one cursor
/// twice is allowed.
pub(crate) async fn downtime_misses_nothing(chain: &dyn TestChain) {
    let mut reader = started(chain).await;
    let mut addresses = Vec::new();
    for of in 0..4 {
        let address = given(chain, 10 + of).await;
        chain.send(&[(address.clone(), "0.1")]).await;
        if of != 3 {
            chain.mine(1 + of).await;
        }
        addresses.push(address);
    }
    let mut again = reader.clone();
    for reader in [&mut reader, &mut again] {
        for address in &addresses[..3] {
            reader.until(chain.chain(), address, &[Confirmed]).await;
        }
        until_seen(chain, reader, &addresses[3], 1).await;
    }
    chain.mine(1).await;
}

/// A reorganised transfer waits again, also for a reader that was down, and the next block confirms it.
pub(crate) async fn reorganisation(chain: &dyn TestChain, depth: u32) {
    let (mut reader, address) = (started(chain).await, given(chain, 20 + depth).await);
    chain.send(&[(address.clone(), "0.5")]).await;
    chain.mine(depth).await;
    let seen = reader.until(chain.chain(), &address, &[Confirmed]).await;
    let before = chain.chain().confirmations(&seen[0].output).await.expect("it is known");
    assert_eq!(before, chain.blocks_when_seen() + u64::from(depth));
    let mut away = reader.clone();
    chain.reorganise(depth).await;
    reader.until(chain.chain(), &address, &[Unconfirmed]).await;
    let after = chain.chain().confirmations(&seen[0].output).await.expect("it is known");
    assert_eq!(after, chain.blocks_when_seen());
    chain.mine(1).await;
    reader.until(chain.chain(), &address, &[Confirmed]).await;
    away.until(chain.chain(), &address, &[Confirmed]).await;
}

/// As many blocks as `depth`, with a transfer each, leave the chain. Until the next block the transfers are unconfirmed or gone.
pub(crate) async fn reorganisation_before_confirmation(chain: &dyn TestChain, depth: u32) {
    let (mut reader, address) = (started(chain).await, given(chain, 20 + depth).await);
    for _ in 0..depth {
        chain.send(&[(address.clone(), "0.5")]).await;
    }
    let count = depth as usize;
    let seen = reader.until(chain.chain(), &address, &vec![Unconfirmed; count]).await;
    let mut away = reader.clone();
    chain.reorganise(depth).await;
    reader.read(chain.chain()).await;
    assert!(reader.to(&address).iter().all(|transfer| transfer.state != Confirmed));
    assert_eq!(chain.chain().confirmations(&seen[0].output).await.expect("it is known"), 0);
    chain.mine(1).await;
    for reader in [&mut reader, &mut away] {
        reader.until(chain.chain(), &address, &vec![Confirmed; count]).await;
    }
}

pub(crate) async fn double_spend(chain: &dyn TestChain) {
    let (mut reader, address) = (started(chain).await, given(chain, 40).await);
    let ids = chain.send(&[(address.clone(), "0.5")]).await;
    reader.until(chain.chain(), &address, &[Unconfirmed]).await;
    let (mut away, mut rescanned) = (reader.clone(), reader.clone());
    chain.double_spend(&ids[0]).await;
    reader.until(chain.chain(), &address, &[Vanished]).await;
    let tip = chain.chain().tip().await.expect("it answers");
    if chain.chain().rescan(tip.height).await.is_ok() {
        let cursor = chain.chain().rescan_cursor(tip.height, rescanned.cursor.as_deref()).await;
        rescanned.cursor = Some(cursor.expect("it answers"));
        rescanned.until(chain.chain(), &address, &[Vanished]).await;
    }
    chain.mine(2).await;
    reader.read(chain.chain()).await;
    let mut fresh = Reader::default();
    fresh.read(chain.chain()).await;
    for reader in [&mut reader, &mut away] {
        reader.until(chain.chain(), &address, &[Vanished]).await;
    }
    assert!(fresh.to(&address).iter().all(|transfer| transfer.state == Vanished));
}

/// An unreadable cursor must be an error, not a fresh start.
pub(crate) async fn a_cursor_of_another_chain_is_an_error(chain: &dyn TestChain) {
    assert!(chain.chain().changes(Some("{nonsense")).await.is_err());
}
