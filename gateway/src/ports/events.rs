//! What a merchant is told of. The news is stored in the transaction of the change that it tells of, so that
//! neither is there without the other.

use async_trait::async_trait;

use super::{Stored, Tx};
use crate::domain::deposit::Deposit;
use crate::domain::payment::Record;
use crate::domain::settlement::Settlement;
use crate::domain::withdrawal::Withdrawal;

/// A deposit whose receipt counts: confirmed, or instant at first sight.
#[derive(Clone, Copy, Debug)]
pub struct Credited<'a> {
    /// The payment with all its deposits, this one included.
    pub record: &'a Record,
    pub deposit: &'a Deposit,
    /// What the merchant gets for it.
    pub settlement: &'a Settlement,
}

#[async_trait]
pub trait Events: Send + Sync {
    /// A deposit counts now. It is called again for the same deposit when it left the chain and came back: who
    /// tells a deposit once keeps its id.
    async fn deposit_credited(&self, tx: &mut dyn Tx, credited: Credited<'_>) -> Stored<()>;

    /// A withdrawal is COMPLETED, FAILED or BLOCKED: called once per withdrawal.
    async fn withdrawal_finished(&self, tx: &mut dyn Tx, withdrawal: &Withdrawal) -> Stored<()>;
}

/// Tells nobody.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

#[async_trait]
impl Events for Silent {
    async fn deposit_credited(&self, _: &mut dyn Tx, _: Credited<'_>) -> Stored<()> {
        Ok(())
    }

    async fn withdrawal_finished(&self, _: &mut dyn Tx, _: &Withdrawal) -> Stored<()> {
        Ok(())
    }
}
