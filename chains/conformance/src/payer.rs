//! Questions to an adapter in its own tests, beside the suite.

use std::sync::Arc;

use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::chain::payout::hold::Hold;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Purpose, Signed};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::broadcaster::{Broadcaster, Sequences, Unsent};
use checkout_domain::ports::chain::{Chain, ChainError};
use uuid::Uuid;

use crate::Numbers;

/// A chain, and a store of its cursor.
pub struct Watched<C> {
    pub chain: C,
}

impl<C: Chain> Watched<C> {
    /// Reads from a cursor up to the tip, and advances it.
    pub async fn read(&self, cursor: &mut Option<String>) -> Vec<Transfer> {
        self.try_read(cursor).await.expect("the chain can be read")
    }

    pub async fn try_read(&self, cursor: &mut Option<String>) -> Result<Vec<Transfer>, ChainError> {
        let mut all = Vec::new();
        loop {
            let changes = self.chain.changes(cursor.as_deref()).await?;
            *cursor = Some(changes.cursor);
            all.extend(changes.transfers);
            if !changes.more {
                return Ok(all);
            }
        }
    }

    pub async fn refusal(&self, cursor: Option<&str>) -> String {
        self.chain.changes(cursor).await.expect_err("the chain cannot be read").to_string()
    }

    /// The transactions that are read on from a cursor, and in how many reads. A restart before a read repeats it.
    pub async fn read_twice(&self, mut cursor: Option<String>) -> (Vec<String>, usize) {
        let (mut found, mut looks) = (Vec::new(), 0);
        loop {
            let changes = self.chain.changes(cursor.as_deref()).await.expect("the chain can be read");
            let again = self.chain.changes(cursor.as_deref()).await.expect("the chain can be read");
            assert_eq!((&again.transfers, &again.cursor), (&changes.transfers, &changes.cursor));
            found.extend(changes.transfers.into_iter().map(|transfer| transfer.output.transaction));
            cursor = Some(changes.cursor);
            looks += 1;
            if !changes.more {
                return (found, looks);
            }
        }
    }
}

/// An account that pays, with the numbers of what it signed.
pub struct Payer<B> {
    pub broadcaster: B,
    pub numbers: Arc<Numbers>,
}

impl<B: Broadcaster> Payer<B> {
    pub fn new(broadcaster: impl FnOnce(Arc<dyn Sequences>) -> B) -> Self {
        let numbers = Arc::new(Numbers::default());
        Self { broadcaster: broadcaster(Arc::clone(&numbers) as _), numbers }
    }

    /// Signs and stores.
    pub async fn signed(&self, payout: &Payout) -> Signed {
        let signed = self.broadcaster.sign(payout).await.expect("it can be signed");
        if let Some(sequence) = &signed.sequence {
            let number = sequence.number;
            assert!(self.numbers.stored().insert(number), "{number} belongs to another payment");
        }
        signed
    }

    /// Why it is not signed, and whether it never can be.
    pub async fn unsigned(&self, payout: &Payout) -> (bool, String) {
        match self.broadcaster.sign(payout).await {
            Err(Unsent::Refused(why) | Unsent::Expired(why)) => (true, why),
            Err(Unsent::Unavailable(why)) => (false, why.to_string()),
            Ok(signed) => panic!("it is signed: {signed:?}"),
        }
    }

    pub async fn waits(&self, signed: &Signed) -> String {
        match self.broadcaster.broadcast(signed).await {
            Err(Unsent::Unavailable(why)) => why.to_string(),
            other => panic!("it does not wait: {other:?}"),
        }
    }

    pub async fn refused(&self, signed: &Signed) -> String {
        match self.broadcaster.broadcast(signed).await {
            Err(Unsent::Refused(why)) => why,
            other => panic!("it is not refused: {other:?}"),
        }
    }

    pub async fn expired(&self, signed: &Signed) -> String {
        match self.broadcaster.broadcast(signed).await {
            Err(Unsent::Expired(why)) => why,
            other => panic!("it is not expired: {other:?}"),
        }
    }
}

/// A withdrawal.
pub fn payout((currency, network): (Currency, Network), to: &str, tag: Option<&str>, atoms: u128) -> Payout {
    Payout {
        id: Uuid::now_v7(),
        business: BusinessId(Uuid::now_v7()),
        purpose: Purpose::Withdrawal,
        pair: pair::find(currency, network).expect("a pair"),
        amount: Amount::from_atoms(atoms).expect("an amount"),
        to: to.to_owned(),
        tag: tag.map(str::to_owned),
        state: PayoutState::Waiting,
        hold: Hold::Free,
        why: None,
        revision: 0,
        claimed: false,
        created_at: 1,
    }
}

/// A transfer of a token.
pub fn transfer((currency, network): (Currency, Network), transaction: &str, state: OutputState) -> Transfer {
    Transfer {
        output: OutputId { network, transaction: transaction.to_owned(), index: 3 },
        currency,
        amount: Amount::from_atoms(12_000_000).expect("an amount"),
        to: "1".to_owned(),
        tag: None,
        from: "2".to_owned(),
        from_tag: None,
        other_senders: Vec::new(),
        fee: "0.0001".to_owned(),
        seen_at: 7,
        state,
        uncertain: false,
    }
}
