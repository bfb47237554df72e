//! Finds deposits again whose transfers have another index than before.

use std::collections::BTreeSet;

use checkout_core::{Amount, Currency};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ports::Stored;

use crate::statements::query::parameters;
use crate::statements::row::Row;
use crate::{Transaction, query, rows};

/// Transactions per query.
const CHUNK: usize = 100;

/// What is the same whoever tells of it.
#[derive(PartialEq)]
struct Facts {
    currency: Currency,
    amount: Amount,
    to: String,
    tag: Option<String>,
}

/// Transfers of one network, with the outputs of everything that was read with them.
pub(crate) async fn recognise(
    connection: &mut Transaction,
    transfers: &mut [Transfer],
    batch: &BTreeSet<OutputId>,
) -> Stored<()> {
    for chunk in transfers.chunks_mut(CHUNK) {
        let Some(first) = chunk.first() else { continue };
        let text = format!(
            "SELECT network, transaction_id, output_index, currency, amount, to_address, tag FROM deposits
             WHERE transaction_id IN ({}) AND network = ${} ORDER BY output_index",
            parameters(chunk.len()),
            chunk.len() + 1
        );
        let ids = chunk.iter().map(|transfer| &transfer.output.transaction);
        let statement = query(text).once().bind_all(ids).bind(first.output.network.code());
        let mut known: Vec<(OutputId, Facts)> = statement.read_all(&mut *connection, facts).await?;
        let is_known: BTreeSet<OutputId> = known.iter().map(|(output, _)| output.clone()).collect();
        known.retain(|(output, _)| !batch.contains(output));
        for transfer in chunk.iter_mut().filter(|transfer| !is_known.contains(&transfer.output)) {
            let same = known.iter().position(|(output, facts)| {
                output.transaction == transfer.output.transaction && facts.are_of(transfer)
            });
            if let Some(at) = same {
                transfer.output = known.remove(at).0;
            }
        }
    }
    Ok(())
}

impl Facts {
    fn are_of(&self, transfer: &Transfer) -> bool {
        (self.currency, self.amount, &self.to, &self.tag)
            == (transfer.currency, transfer.amount, &transfer.to, &transfer.tag)
    }
}

fn facts(row: &Row) -> Stored<(OutputId, Facts)> {
    let facts = Facts {
        currency: row.parsed("currency")?,
        amount: row.atoms("amount")?,
        to: row.text("to_address")?,
        tag: row.optional_text("tag")?,
    };
    Ok((rows::deposit::output(row)?, facts))
}
