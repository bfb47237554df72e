//! Sends transactions on a network: through a node with a wallet or a signer, or on the sandbox's simulated
//! chain.

use async_trait::async_trait;
use checkout_core::address::Address;
use checkout_core::{Amount, Decimal, Network, Pair};

use super::{StoreError, Stored};
use crate::chain::OutputId;
pub use crate::chain::answers::{Known, Unproven, Unsent};
use crate::chain::payout::{Payout, Signed};
use crate::chain::refund_address::NoRefundAddress;
use crate::chain::source::Check;
use crate::chain::waiting::Waiting;

impl From<StoreError> for Unsent {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error.0)
    }
}

/// Whether a payout was sent by a transaction that the store does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentBefore {
    No,
    /// One of these transactions, oldest first; some may belong to other payouts.
    Perhaps(Vec<String>),
    /// The chain does not tell; why.
    Unknown(String),
}

/// The outcome for a transaction that waits for a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Nothing: it does not wait long enough, or it is not the one that needs a higher fee.
    None,
    /// A transaction for the same payout with a higher fee is signed. The chain takes one of the two at most.
    Signed(Signed),
    /// A higher fee would exceed the configured maximum.
    Capped,
}

/// What an account holds of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    pub pair: &'static Pair,
    pub amount: Amount,
}

/// Sends on one network.
///
/// The gateway stores the result of [`sign`](Self::sign) before it broadcasts, and broadcasts only stored
/// bytes. If two transactions are signed for one payout, by two processes or before and after a crash, only
/// one is stored.
#[async_trait]
pub trait Broadcaster: Send + Sync {
    fn network(&self) -> Network;

    /// Whether its wallet or account has this account: what is sent there is sent to ourselves.
    async fn is_own(&self, account: &Address) -> Result<bool, Unsent>;

    /// Creates and signs the transaction. Sends nothing.
    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent>;

    /// Broadcasts the bytes; succeeds if the network already has them.
    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent>;

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent>;

    /// Replaces a transaction that waits for a block by one with a higher fee, if it is time. Sends nothing. `newest` is the
    /// payout's transaction that was signed last; the network answered for all of them, and none is in a block, or it
    /// takes none of them for now.
    async fn replace(&self, _: &Payout, _newest: &Signed, _: Waiting) -> Result<Replacement, Unsent> {
        Ok(Replacement::None)
    }

    /// Frees the coins that are reserved for a transaction that will not be sent, except those that `kept` spends.
    async fn release(&self, _unused: &Signed, _kept: Option<&Signed>) -> Result<(), Unsent> {
        Ok(())
    }

    /// An earlier transaction for this payout on the network. Asked after a restore.
    async fn sent_before(&self, _payout: &Payout) -> Result<SentBefore, Unsent> {
        Ok(SentBefore::Unknown("the network cannot be asked what was sent before".to_owned()))
    }

    /// The same for a payout that may have been sent to another address, with another amount.
    async fn sent_elsewhere(&self, payout: &Payout) -> Result<SentBefore, Unsent> {
        self.sent_before(payout).await
    }

    /// The current fee of a transaction that sends this, to an account that holds nothing if it has no address, in whole coins of the network's own. `None`: the network has no
    /// fees, or none that can be read. Sends nothing.
    async fn fee(&self, _payout: &Payout) -> Result<Option<Decimal>, Unsent> {
        Ok(None)
    }

    /// Why a refund to the sender of a transfer would not reach the payer; `None` if nothing is known against it. `payout` goes
    /// to that sender. The network's state of this moment counts.
    async fn no_refund_address(
        &self,
        _payout: &Payout,
        _deposit: &OutputId,
    ) -> Result<Option<NoRefundAddress>, Unsent> {
        Ok(None)
    }

    /// What the account that pays and that of all deposits hold together in the last block, of each pair that it can tell completely.
    /// Empty where that takes a question for each address.
    async fn holdings(&self, _deposits: Option<&str>) -> Result<Vec<Holding>, Unsent> {
        Ok(Vec::new())
    }

    /// Checks the signer and its account.
    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

/// The sequence numbers of stored transactions, for chains where accounts number their transactions.
#[async_trait]
pub trait Sequences: Send + Sync {
    /// The next number after the highest one of an account; `None` before the first.
    async fn next_sequence(&self, network: Network, account: &str) -> Stored<Option<u64>>;

    /// The first number from `first` that no stored transaction of the account uses. A failed payout frees
    /// its number, because its transaction can never be included.
    async fn free_sequence(&self, network: Network, account: &str, first: u64) -> Stored<u64>;

    /// Whether stored transactions have all numbers of an account below `next`, the first that the chain has not seen.
    /// Numbers from before the last restore count as known.
    async fn are_all_known(&self, _network: Network, _account: &str, _next: u64) -> Stored<bool> {
        Ok(false)
    }

    /// Whether a payout of the last restore is signed and not known to be sent: its number may be another payout's.
    async fn is_undecided(&self, _network: Network, _account: &str) -> Stored<bool> {
        Ok(false)
    }
}

/// Whether the numbers of an account show a payout that the store does not have.
pub async fn sent_by_numbers(
    sequences: &dyn Sequences,
    network: Network,
    account: &str,
    next: u64,
) -> Result<SentBefore, Unsent> {
    if sequences.is_undecided(network, account).await? {
        let why = format!("the account {account} has a signed payout of the backup, which is sent first");
        return Err(Unsent::later(why));
    }
    let known = sequences.are_all_known(network, account, next).await?;
    if known {
        return Ok(SentBefore::No);
    }
    Ok(SentBefore::Unknown(format!(
        "the account {account} sent transactions that this database does not have: look at those before number {next}"
    )))
}
