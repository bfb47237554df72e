//! What the books say of the wallets.

use async_trait::async_trait;

use super::Stored;
use crate::ledger::money::Money;
use crate::ledger::wallet::WalletRecord;

#[async_trait]
pub trait WalletStore: Send + Sync {
    /// What came in and did not leave, of each asset that moved: CHAIN and COSTS of all businesses, negated.
    async fn wallet_books(&self) -> Stored<Vec<Money>>;

    /// The oldest first.
    async fn wallet_records(&self) -> Stored<Vec<WalletRecord>>;
}

#[async_trait]
pub trait WalletTx: Send {
    async fn put_wallet_record(&mut self, record: &WalletRecord) -> Stored<()>;
}
