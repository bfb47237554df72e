//! The conformance suite for chains, run against the simulated chain and every adapter: no transfer is lost
//! or counted twice.
//!
//! An adapter's test implements [`TestChain`] and calls [`all`].

pub mod account_suite;
pub mod accounts;
pub mod hostile;
pub mod ledgers;
mod lookups;
mod numbers;
mod payer;
mod payouts;
mod reader;
mod transfers;

use async_trait::async_trait;
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;

pub use numbers::Numbers;
pub use payer::{Payer, Watched, payout, transfer};
pub use reader::{Deposits, Reader, record};

/// A chain that a test can control.
#[async_trait]
pub trait TestChain: Send + Sync {
    fn chain(&self) -> &dyn Chain;

    /// How many blocks stand on a transfer when the chain says that it is confirmed.
    fn blocks_when_confirmed(&self) -> u64 {
        1
    }

    /// How many blocks stand on a transfer when the chain first reports it: 0 if it reports transfers that wait for a block. Otherwise
    /// [`send`](Self::send) puts them into a block, and a reorganisation into the new last one.
    fn blocks_when_seen(&self) -> u64 {
        0
    }

    /// Only confirmed transfers are reported: the first report is the last one.
    fn reports_only_what_stays(&self) -> bool {
        false
    }

    /// A confirmed transfer never leaves the chain, and a payout counts as sent when it is confirmed.
    fn confirms_what_stays(&self) -> bool {
        false
    }

    /// The network says of a payout that it waits for a block; otherwise it says that it does not know it.
    fn shows_waiting_payouts(&self) -> bool {
        true
    }

    /// The network takes a transaction of an account once the one before is in a block. Until then the next is not signed.
    fn sends_one_at_a_time(&self) -> bool {
        false
    }

    /// The numbers of stored payouts, for chains where accounts number their transactions. The suite adds those of payouts that it
    /// signs.
    fn numbers(&self) -> Option<&Numbers> {
        None
    }

    /// The broadcaster of the network's own coin, or of a token if the coin is not a supported currency; `None` if the chain
    /// cannot send.
    fn broadcaster(&self) -> Option<&dyn Broadcaster>;

    /// An address of a payer, which is not watched.
    async fn other_address(&self) -> String;

    /// The deposit address with this number, with `?dt=` and its tag if it has one. The suite passes it to [`Chain::watch`].
    async fn deposit_address(&self, index: u32) -> String;

    /// Sends an amount of coins to each address, in one transaction if the chain supports it. The n-th id is
    /// of the transaction that pays the n-th address.
    async fn send(&self, to: &[(String, &str)]) -> Vec<String>;

    /// Mines blocks; the first one includes all waiting transactions.
    async fn mine(&self, blocks: u32);

    /// Removes the last blocks from the chain; their transactions wait again. If confirmed blocks are final, the last unconfirmed
    /// ones.
    async fn reorganise(&self, depth: u32);

    /// Replaces a waiting transaction by one with another recipient.
    async fn double_spend(&self, id: &str);
}

/// Runs the suite.
///
/// # Panics
/// Panics if the chain breaks a rule.
pub async fn all(chain: &dyn TestChain) {
    transfers::health_and_tip(chain).await;
    transfers::seen_confirmed_and_counted(chain).await;
    transfers::confirmations_rise_until_enough(chain).await;
    transfers::every_output_has_its_own_index(chain).await;
    transfers::nothing_new_leaves_the_cursor(chain).await;
    transfers::downtime_misses_nothing(chain).await;
    let depths: &[u32] = if chain.reports_only_what_stays() { &[] } else { &[1, 2, 6] };
    for &depth in depths {
        if chain.confirms_what_stays() {
            transfers::reorganisation_before_confirmation(chain, depth).await;
        } else {
            transfers::reorganisation(chain, depth).await;
        }
    }
    if !chain.reports_only_what_stays() {
        transfers::double_spend(chain).await;
    }
    transfers::a_cursor_of_another_chain_is_an_error(chain).await;
    lookups::found_by_its_id(chain).await;
    if let Some(broadcaster) = chain.broadcaster() {
        payouts::signed_once_and_sent_often(chain, broadcaster).await;
        payouts::two_payouts_spend_different_coins(chain, broadcaster).await;
    }
}
