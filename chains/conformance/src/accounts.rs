//! Deposits to an account whose payments have tags: XRP and Stellar.

use std::time::Duration;

use async_trait::async_trait;
use checkout_chain_doubles::Fault;
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};
use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::source::{Check, Level, Tip};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;

use crate::{Payer, Watched};

/// A new ledger with an account that is watched, and one that pays.
#[async_trait]
pub trait TestAccount: Send + Sync + Sized {
    type Chain: Chain;
    type Broadcaster: Broadcaster;

    /// The account that is watched, and one of a payer.
    const OURS: &'static str;
    const PAYER: &'static str;
    /// Nodes take one transaction of an account for each ledger, and servers show none before.
    const SENDS_ONE_AT_A_TIME: bool;
    /// Ledgers until a payment expires.
    const LIFETIME: u32;
    /// How the broadcaster says that.
    const EXPIRED: &'static str;
    /// How it says that the server lacks ledgers.
    const PRUNED: &'static str;
    /// The questions that a server that lags can answer.
    const QUESTIONS: [&'static str; 4];

    async fn open() -> Self;

    fn watched(&self) -> &Watched<Self::Chain>;

    fn payer(&self) -> &Payer<Self::Broadcaster>;

    /// A payment to the watched account in the next ledger.
    fn deposit(&self, tag: u32, atoms: u64) -> String;

    /// A payout to the payer.
    fn payout(&self) -> Payout;

    fn balance(&self, account: &str) -> u64;

    fn close(&self, ledgers: u32);

    /// The last ledger of the server.
    fn last(&self) -> u32;

    /// From now on the server knows no later one.
    fn set_last(&self, ledger: u32);

    fn set_fault(&self, fault: Fault);

    /// From now on a server that stays as it is answers these questions.
    fn lag(&self, questions: &[&'static str]);

    /// The server takes payments and forgets them.
    fn forget(&self, forgets: bool);

    /// The server has no ledger but its last one.
    fn prune(&self, pruned: bool);
}

/// The only report of a payment, which `pay` puts into the next ledger.
///
/// # Panics
/// Panics if it is reported earlier, twice, or with wrong confirmations.
pub async fn only_report<A: TestAccount>(account: &A, pay: impl FnOnce() -> String) -> Transfer {
    let (watched, mut cursor) = (account.watched(), None);
    assert_eq!(watched.read(&mut cursor).await, []);
    let hash = pay();
    assert_eq!(watched.read(&mut cursor).await, [], "a pending payment is not a deposit");
    account.close(1);
    let [transfer] = watched.read(&mut cursor).await.try_into().expect("one report");
    let OutputId { network, transaction, .. } = &transfer.output;
    assert_eq!((*network, transaction), (watched.chain.network(), &hash));
    assert_eq!(transfer.state, OutputState::Confirmed);
    assert_eq!(watched.read(&mut cursor).await, [], "once");
    let confirmations = async |output| watched.chain.confirmations(output).await.expect("they are known");
    assert_eq!(confirmations(&transfer.output).await, 1);
    account.close(4);
    assert_eq!(confirmations(&transfer.output).await, 5);
    let other = OutputId { transaction: "00".repeat(32), ..transfer.output.clone() };
    assert_eq!(confirmations(&other).await, 0);
    transfer
}

/// A payment, which `pay` puts into the next ledger, is looked up as the watcher reports it, so that it can be credited by hand.
///
/// # Panics
/// Panics otherwise.
pub async fn looked_up_as_reported<A: TestAccount>(account: &A, pay: impl FnOnce() -> String) -> Transfer {
    let transfer = only_report(account, pay).await;
    let found = look_up(account, &transfer.output.transaction).await;
    assert_eq!(received(account, &found), std::slice::from_ref(&transfer));
    assert!(!found.failed && found.confirmations == 5, "{found:?}");
    transfer
}

async fn look_up<A: TestAccount>(account: &A, transaction: &str) -> FoundTransaction {
    account.watched().chain.look_up(transaction).await.expect("it answers").expect("it is known")
}

/// What the watched account got, as it could be credited by hand.
pub fn received<A: TestAccount>(_: &A, found: &FoundTransaction) -> Vec<Transfer> {
    let ours = found.transfers.iter().filter(|paid| paid.to == A::OURS);
    ours.filter_map(FoundTransfer::confirmed).collect()
}

/// The amounts, with so many decimals, and tags of the transfers that `put` adds to the next ledger. A look-up finds the same.
pub async fn credits<A: TestAccount>(
    account: &A,
    decimals: u8,
    put: impl FnOnce() -> String,
) -> Vec<(String, Option<String>)> {
    let mut cursor = None;
    account.watched().read(&mut cursor).await;
    let transaction = put();
    account.close(1);
    let found = account.watched().read(&mut cursor).await;
    assert_eq!(received(account, &look_up(account, &transaction).await), found, "looked up");
    found.into_iter().map(|found| (found.amount.to_text(decimals), found.tag)).collect()
}

/// The number of reads that a downtime takes, with a restart after each read.
///
/// # Panics
/// Panics if a payment is lost, or reported twice.
pub async fn reads_after_a_downtime<A: TestAccount>(account: &A, ledgers: u32, payments: u64) -> usize {
    let mut cursor = None;
    account.watched().read(&mut cursor).await;
    let mut sent = Vec::new();
    for ledger in 0..ledgers {
        sent.extend((1..=payments).map(|atoms| account.deposit(ledger, atoms)));
        account.close(1);
    }
    let (found, reads) = account.watched().read_twice(cursor).await;
    assert_eq!(found, sent);
    reads
}

/// A server that is behind or fails causes neither repeats nor gaps. `others` are more faults of the server of an adapter, which
/// gets the last ledger that was read, and the cursor.
///
/// # Panics
/// Panics if a payment is lost, or reported twice.
pub async fn unsteady_servers<A: TestAccount>(account: &A, others: impl AsyncFnOnce(u32, Option<&str>)) {
    let (watched, mut cursor) = (account.watched(), None);
    watched.read(&mut cursor).await;
    let first = account.deposit(1, 1);
    account.close(1);
    assert_eq!(watched.read(&mut cursor).await[0].output.transaction, first);
    let (known, read_to) = (cursor.clone(), account.last());
    account.set_last(read_to - 50);
    assert_eq!(
        (watched.read(&mut cursor).await, &cursor),
        (vec![], &known),
        "an older ledger changes nothing"
    );
    account.set_last(read_to);
    let second = account.deposit(2, 2);
    account.close(100);
    for fault in [Fault::Down, Fault::Limited, Fault::Garbled] {
        account.set_fault(fault);
        watched.refusal(cursor.as_deref()).await;
        if fault == Fault::Limited {
            assert!(watched.refusal(cursor.as_deref()).await.contains("it is asked again in"));
            tokio::time::sleep(Duration::from_millis(1_100)).await;
        }
    }
    account.set_fault(Fault::None);
    others(read_to, cursor.as_deref()).await;
    let [transfer] = watched.read(&mut cursor).await.try_into().expect("one report");
    assert_eq!(transfer.output.transaction, second);
    assert_eq!(watched.read(&mut cursor).await, []);
}

/// The tip after the next ledger.
///
/// # Panics
/// Panics if its hash is not a new one.
pub async fn next_tip<A: TestAccount>(account: &A) -> Tip {
    let chain = &account.watched().chain;
    let before = chain.tip().await.expect("a tip");
    account.close(1);
    let tip = chain.tip().await.expect("a tip");
    assert!(tip.hash != before.hash && tip.hash.len() == 64, "{tip:?}");
    tip
}

/// The worst of the checks has this level, and one of that level has this subject and says `part`.
///
/// # Panics
/// Panics otherwise.
pub async fn reports<A: TestAccount>(account: &A, level: Level, subject: &str, part: &str) {
    let checks = account.watched().chain.health().await;
    let worst = checks.iter().map(|check| check.level).max();
    assert_eq!(worst, Some(level), "{checks:?}");
    let is_it =
        |check: &Check| check.level == level && check.subject == subject && check.detail.contains(part);
    assert!(checks.iter().any(is_it), "{subject}, {part}: {checks:?}");
}

/// All methods that the adapter calls answer.
///
/// # Panics
/// Panics if one does not.
pub async fn every_method_answers<A: TestAccount>(account: &A, count: usize) {
    let checks = account.watched().chain.methods().await;
    let said: Vec<_> = checks.iter().map(|check| (check.level, check.detail.clone())).collect();
    assert_eq!(said, [(Level::Good, format!("{count} answer"))]);
}
