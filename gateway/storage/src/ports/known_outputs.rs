//! Finds deposits again whose transfers have another index than before.

use std::collections::BTreeSet;

use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::recognise::{self, Facts, KnownTransfer};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::Stored;

use crate::statements::row::Row;
use crate::{Transaction, query_list, rows};

struct KnownDeposit {
    output: OutputId,
    currency: Currency,
    amount: Amount,
    to: String,
    tag: Option<String>,
    from: String,
    state: OutputState,
}

impl KnownTransfer for KnownDeposit {
    fn output(&self, _: Network) -> OutputId {
        self.output.clone()
    }

    /// Under its own index one is known, however its address was written.
    fn is_same(&self, transfer: &Transfer) -> bool {
        let facts = Facts { currency: self.currency, amount: self.amount, to: &self.to, from: &self.from };
        facts.are_possible_of(transfer)
            && (self.output == transfer.output || (&self.to, &self.tag) == (&transfer.to, &transfer.tag))
    }

    fn is_gone(&self) -> bool {
        self.state == OutputState::Vanished
    }
}

/// Transfers of one network.
pub(crate) async fn recognise(connection: &mut Transaction, transfers: &mut [Transfer]) -> Stored<()> {
    let Some(network) = transfers.first().map(|first| first.output.network) else { return Ok(()) };
    let ids: BTreeSet<String> =
        transfers.iter().map(|transfer| transfer.output.transaction.clone()).collect();
    let text = |listed: &str| {
        format!(
            "SELECT network, transaction_id, output_index, currency, amount, to_address, tag, from_address, state
             FROM deposits WHERE network = $1 AND transaction_id {listed} ORDER BY output_index"
        )
    };
    let known = query_list(vec![network.code().into()], ids, text);
    let mut known: Vec<KnownDeposit> = known.read_all(connection, known_deposit).await?;
    recognise::recognise(&mut known, network, &mut transfers.iter_mut().collect::<Vec<_>>());
    Ok(())
}

fn known_deposit(row: &Row) -> Stored<KnownDeposit> {
    Ok(KnownDeposit {
        output: rows::deposit::output(row)?,
        currency: row.parsed("currency")?,
        amount: row.atoms("amount")?,
        to: row.text("to_address")?,
        tag: row.optional_text("tag")?,
        from: row.text("from_address")?,
        state: row.word("state", OutputState::known)?,
    })
}
