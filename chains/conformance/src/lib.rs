//! What every chain has to do, so that no payment is lost or counted twice: one suite for the simulated chain and for
//! each adapter on a node.
//!
//! An adapter's test implements [`TestChain`] and calls [`all`].

mod payouts;
mod reader;
mod transfers;

use async_trait::async_trait;
use checkout_gateway::ports::broadcaster::Broadcaster;
use checkout_gateway::ports::chain::Chain;

pub use reader::Reader;

/// A chain on which a test can make things happen.
#[async_trait]
pub trait TestChain: Send + Sync {
    fn chain(&self) -> &dyn Chain;

    /// Of the network's own coin; `None` where nothing can be sent.
    fn broadcaster(&self) -> Option<&dyn Broadcaster>;

    /// An address of a payer's, which is not watched.
    async fn other_address(&self) -> String;

    /// The address that is given to the payer with this number; [`Chain::watch`] is called with it afterwards.
    async fn deposit_address(&self, index: u32) -> String;

    /// Sends an amount of coins to each of these addresses, in one transaction where the chain can do so. Each id is of
    /// the transaction that pays the address at its place.
    async fn send(&self, to: &[(String, &str)]) -> Vec<String>;

    /// Mines blocks; the first has all transactions that wait.
    async fn mine(&self, blocks: u32);

    /// The last blocks leave the chain, and their transactions wait again.
    async fn reorganise(&self, depth: u32);

    /// A waiting transaction is replaced by one that pays somebody else.
    async fn double_spend(&self, id: &str);
}

/// Runs the suite.
///
/// # Panics
/// When the chain does not do what it has to.
pub async fn all(chain: &dyn TestChain) {
    transfers::health_and_tip(chain).await;
    transfers::seen_confirmed_and_counted(chain).await;
    transfers::every_output_has_its_own_index(chain).await;
    transfers::nothing_new_leaves_the_cursor(chain).await;
    transfers::downtime_misses_nothing(chain).await;
    for depth in [1, 2, 6] {
        transfers::reorganisation(chain, depth).await;
    }
    transfers::double_spend(chain).await;
    transfers::a_cursor_of_another_chain_is_an_error(chain).await;
    if let Some(broadcaster) = chain.broadcaster() {
        payouts::signed_once_and_sent_often(chain, broadcaster).await;
        payouts::two_payouts_spend_different_coins(chain, broadcaster).await;
    }
}
