//! Broadcasts on a simulated network. A signed transaction is a JSON text with a nonce; its id is the hash of the text.

use async_trait::async_trait;
use checkout_core::address::Address;
use checkout_core::{Amount, Decimal, Network, Pair, pair};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::kept_tag;
use checkout_domain::chain::payout::{Payout, Purpose, Signed};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, Holding, Known, SentBefore, Unsent};
use checkout_storage::{Database, Row, query};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::samples::{fee, payout_account, transaction_id};
use super::{change, depth, next_revision};

#[derive(Clone, Debug)]
pub struct SimulatedBroadcaster {
    network: Network,
    database: Database,
}

impl SimulatedBroadcaster {
    pub fn new(network: Network, database: Database) -> Self {
        Self { network, database }
    }
}

/// The content of a simulated signed transaction.
#[derive(Deserialize, Serialize)]
struct Transaction {
    currency: String,
    to: String,
    tag: Option<String>,
    /// In atoms.
    amount: String,
    sent_at: u64,
    /// Makes two payouts of the same amount to the same address distinct transactions.
    nonce: String,
}

#[async_trait]
impl Broadcaster for SimulatedBroadcaster {
    fn network(&self) -> Network {
        self.network
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        Ok(account.to_string() == payout_account(self.network))
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        let transaction = Transaction {
            currency: payout.pair.currency.code().to_owned(),
            to: payout.to.clone(),
            tag: payout.tag.as_deref().map(kept_tag::shown).map(str::to_owned),
            amount: payout.amount.atoms().to_string(),
            sent_at: payout.created_at,
            nonce: uuid::Uuid::new_v4().to_string(),
        };
        let bytes = serde_json::to_vec(&transaction).expect("texts and a number are JSON");
        let transaction_id = transaction_id(self.network, Sha256::digest(&bytes).into());
        Ok(Signed { transaction_id, bytes, sequence: None })
    }

    /// Stores an ordinary transfer: blocks confirm it and reorganisations make it pending. A dropped one becomes
    /// pending again.
    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        let bad = |error: serde_json::Error| Unsent::Refused(format!("not a transaction: {error}"));
        let transaction: Transaction = serde_json::from_slice(&signed.bytes).map_err(bad)?;
        self.store(signed, &transaction).await.map_err(|error| Unsent::Unavailable(error.0))
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.look_up(transaction_id).await.map_err(|error| Unsent::Unavailable(error.0))
    }

    async fn fee(&self, _: &Payout) -> Result<Option<Decimal>, Unsent> {
        self.set_fee().await.map_err(|error| Unsent::Unavailable(error.0))
    }

    /// A tag that the sender sent is enough.
    async fn no_refund_address(
        &self,
        payout: &Payout,
        deposit: &OutputId,
    ) -> Result<Option<NoRefundAddress>, Unsent> {
        let known = self.sender_of(deposit).await.map_err(|error| Unsent::Unavailable(error.0))?;
        Ok(known.filter(|why| *why != NoRefundAddress::TagRequired || payout.tag.is_none()))
    }

    async fn holdings(&self, _: Option<&str>) -> Result<Vec<Holding>, Unsent> {
        self.held().await.map_err(|error| Unsent::Unavailable(error.0))
    }

    async fn sent_before(&self, payout: &Payout) -> Result<SentBefore, Unsent> {
        let sent = self.sent_like(payout).await.map_err(|error| Unsent::Unavailable(error.0))?;
        Ok(SentBefore::Perhaps(sent))
    }

    async fn sent_elsewhere(&self, _: &Payout) -> Result<SentBefore, Unsent> {
        let sent = self.sent().await.map_err(|error| Unsent::Unavailable(error.0))?;
        Ok(SentBefore::Perhaps(sent))
    }
}

impl SimulatedBroadcaster {
    async fn look_up(&self, transaction_id: &str) -> Stored<Known> {
        Ok(match depth(&self.database, transaction_id).await? {
            None => Known::Unknown,
            Some(None) => Known::Pending,
            Some(Some(blocks)) if self.is_reverted(transaction_id).await? => Known::Reverted(blocks),
            Some(Some(blocks)) => Known::Confirmed(blocks),
        })
    }

    async fn is_reverted(&self, transaction_id: &str) -> Stored<bool> {
        query("SELECT reverted FROM sim_transfers WHERE transaction_id = $1 AND reverted <> 0")
            .bind(transaction_id)
            .finds(self.database.readers())
            .await
    }

    async fn set_fee(&self) -> Stored<Option<Decimal>> {
        query("SELECT fee FROM sim_fees WHERE network = $1")
            .bind(self.network.code())
            .read_first(self.database.readers(), |row| row.decimal("fee"))
            .await
    }

    async fn sender_of(&self, deposit: &OutputId) -> Stored<Option<NoRefundAddress>> {
        query(
            "SELECT sender FROM sim_transfers
             WHERE transaction_id = $1 AND output_index = $2 AND sender IS NOT NULL",
        )
        .bind(&deposit.transaction)
        .bind(deposit.index)
        .read_first(self.database.readers(), |row| row.word("sender", NoRefundAddress::known))
        .await
    }

    /// The transactions that sent the same amount to the same address; of a refund any amount, because it depends on the fee
    /// of the moment.
    async fn sent_like(&self, payout: &Payout) -> Stored<Vec<String>> {
        query(
            "SELECT transaction_id FROM sim_transfers
             WHERE network = $1 AND currency = $2 AND address = $3 AND (amount = $4 OR $7 <> 0)
                 AND from_address = $5 AND COALESCE(tag, '') = $6 AND dropped = 0",
        )
        .bind(self.network.code())
        .bind(payout.pair.currency.code())
        .bind(&payout.to)
        .bind(payout.amount.atoms().to_string())
        .bind(payout_account(self.network))
        .bind(payout.tag.as_deref().map(kept_tag::shown).unwrap_or_default())
        .bind(i64::from(payout.purpose == Purpose::Refund))
        .read_all(self.database.readers(), |row| row.text("transaction_id"))
        .await
    }

    /// What came to the addresses that were given out and to the account that pays, less what it sent.
    async fn held(&self) -> Stored<Vec<Holding>> {
        let moved = query(
            "SELECT currency, amount, address, from_address,
                 CASE WHEN address IN (SELECT address FROM addresses) THEN 1 ELSE 0 END AS is_in
             FROM sim_transfers
             WHERE network = $1 AND height IS NOT NULL AND dropped = 0 AND reverted = 0",
        )
        .bind(self.network.code());
        let account = payout_account(self.network);
        let read = |row: &Row| {
            let (currency, atoms) = (row.text("currency")?, row.atoms("amount")?.atoms());
            let is_in = row.flag("is_in")? || row.text("address")? == account;
            Ok((currency, atoms, is_in, row.text("from_address")? == account))
        };
        let moved: Vec<(String, u128, bool, bool)> = moved.read_all(self.database.readers(), read).await?;
        let of = |pair: &'static Pair| {
            let of_it = moved.iter().filter(|(currency, ..)| currency == pair.currency.code());
            let (mut came, mut left) = (0_u128, 0_u128);
            for (_, atoms, is_in, is_out) in of_it {
                came = came.saturating_add(if *is_in { *atoms } else { 0 });
                left = left.saturating_add(if *is_out { *atoms } else { 0 });
            }
            Some(Holding { pair, amount: Amount::from_atoms(came.saturating_sub(left)).ok()? })
        };
        let pairs = pair::EVERY_PAIR.iter().filter(|pair| pair.network == self.network);
        Ok(pairs.filter_map(of).collect())
    }

    /// All transactions of the account that pays.
    async fn sent(&self) -> Stored<Vec<String>> {
        query(
            "SELECT transaction_id FROM sim_transfers
             WHERE network = $1 AND from_address = $2 AND dropped = 0
             ORDER BY revision",
        )
        .bind(self.network.code())
        .bind(payout_account(self.network))
        .read_all(self.database.readers(), |row| row.text("transaction_id"))
        .await
    }

    async fn store(&self, signed: &Signed, transaction: &Transaction) -> Stored<()> {
        let mut tx = change(&self.database).await?;
        let revision = next_revision(&mut tx).await?;
        query(
            "INSERT INTO sim_transfers (network, transaction_id, currency, address, tag, amount, from_address,
                 fee, seen_at, height, dropped, revision)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, 0, $10)
             ON CONFLICT (transaction_id, output_index) DO UPDATE SET dropped = 0, height = NULL, revision = excluded.revision
                 WHERE sim_transfers.dropped <> 0",
        )
        .bind(self.network.code())
        .bind(&signed.transaction_id)
        .bind(&transaction.currency)
        .bind(&transaction.to)
        .bind(&transaction.tag)
        .bind(&transaction.amount)
        .bind(payout_account(self.network))
        .bind(fee(self.network))
        .bind(i64::try_from(transaction.sent_at).unwrap_or(i64::MAX))
        .bind(revision)
        .execute(&mut tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}
