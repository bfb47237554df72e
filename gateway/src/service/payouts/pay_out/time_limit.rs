//! A time limit for everything that a payout asks its network.

use std::time::Duration;

use async_trait::async_trait;
use checkout_core::address::Address;
use checkout_core::{Decimal, Network};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::chain::source::Check;
use checkout_domain::chain::waiting::Waiting;
use checkout_domain::ports::broadcaster::{Broadcaster, Holding, Known, Replacement, SentBefore, Unsent};

/// Time limit of one call to the network, which may be several requests. A call without an answer is repeated in the next
/// round, as after a crash: only stored bytes are broadcast.
pub const TIME_LIMIT: Duration = Duration::from_mins(1);

pub(super) struct TimeLimited<'a>(pub(super) &'a dyn Broadcaster);

async fn limited<T>(answer: impl Future<Output = Result<T, Unsent>> + Send) -> Result<T, Unsent> {
    let late = || Unsent::Unavailable(format!("no answer in {} seconds", TIME_LIMIT.as_secs()).into());
    tokio::time::timeout(TIME_LIMIT, answer).await.unwrap_or_else(|_| Err(late()))
}

#[async_trait]
impl Broadcaster for TimeLimited<'_> {
    fn network(&self) -> Network {
        self.0.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        limited(self.0.is_own(account)).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        limited(self.0.sign(payout)).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        limited(self.0.broadcast(signed)).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        limited(self.0.known(transaction_id)).await
    }

    async fn replace(
        &self,
        payout: &Payout,
        newest: &Signed,
        waiting: Waiting,
    ) -> Result<Replacement, Unsent> {
        limited(self.0.replace(payout, newest, waiting)).await
    }

    async fn release(&self, unused: &Signed, kept: Option<&Signed>) -> Result<(), Unsent> {
        limited(self.0.release(unused, kept)).await
    }

    async fn sent_before(&self, payout: &Payout) -> Result<SentBefore, Unsent> {
        limited(self.0.sent_before(payout)).await
    }

    async fn sent_elsewhere(&self, payout: &Payout) -> Result<SentBefore, Unsent> {
        limited(self.0.sent_elsewhere(payout)).await
    }

    async fn fee(&self, payout: &Payout) -> Result<Option<Decimal>, Unsent> {
        limited(self.0.fee(payout)).await
    }

    async fn no_refund_address(
        &self,
        payout: &Payout,
        deposit: &OutputId,
    ) -> Result<Option<NoRefundAddress>, Unsent> {
        limited(self.0.no_refund_address(payout, deposit)).await
    }

    async fn holdings(&self, deposits: Option<&str>) -> Result<Vec<Holding>, Unsent> {
        limited(self.0.holdings(deposits)).await
    }

    async fn health(&self) -> Vec<Check> {
        self.0.health().await
    }
}
