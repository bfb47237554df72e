//! The transfers of a transaction, with who sent them.

use checkout_core::Amount;
use checkout_domain::chain::{OutputId, Transfer};
use serde_json::json;

use super::{BitcoinChain, coin};
use crate::coins;
use crate::cursor::Reported;
use crate::mempool;
use crate::sender::{self, Origin};
use crate::settings::DECIMALS;
use crate::transaction::{Decoded, Incoming, Made};
use checkout_chain_http::NodeError;

impl BitcoinChain {
    pub(super) async fn transfers(
        &self,
        id: &str,
        incoming: &Incoming,
        state: Reported,
    ) -> Result<Vec<Transfer>, NodeError> {
        // What a block pays out has no sender.
        let has_origin = state != Reported::Vanished && incoming.made == Made::BySender;
        let origin = if has_origin { self.origin(id).await? } else { Origin::default() };
        let fee = origin.fee.unwrap_or(Amount::ZERO).to_text(DECIMALS);
        let currency = coin(self.network);
        let mut transfers = Vec::new();
        // The wallet no longer reports the outputs of a transaction that lost to a conflicting one, and does not report all of one that
        // it sent to itself.
        let lost = if incoming.outputs.is_empty() { self.outputs(id).await? } else { Vec::new() };
        for (index, address, amount) in incoming.outputs.iter().chain(&lost) {
            let (Some(to), Some(amount)) = (coins::normal_form(self.network, address), coins::amount(amount))
            else {
                if !lost.is_empty() {
                    // One to another recipient.
                    continue;
                }
                let why = format!("output {index} has an address or an amount that cannot be read");
                return Err(NodeError::malformed("gettransaction", why));
            };
            transfers.push(Transfer {
                output: OutputId { network: self.network, transaction: id.to_owned(), index: *index },
                currency,
                amount,
                to,
                tag: None,
                from: origin.from.clone().unwrap_or_default(),
                from_tag: None,
                other_senders: origin.others.clone(),
                fee: fee.clone(),
                seen_at: incoming.time,
                state: state.output_state(),
                uncertain: state == Reported::Uncertain,
            });
        }
        Ok(transfers)
    }

    /// Returns all outputs of a transaction, including those to other recipients.
    async fn outputs(&self, id: &str) -> Result<Vec<(u32, String, String)>, NodeError> {
        let transaction = self.transaction(id).await?;
        let decoded: Decoded = self.node.call("decoderawtransaction", json!([transaction.hex])).await?;
        let numbered = (0..).zip(&decoded.vout);
        let paid = numbered.filter_map(|(index, output)| {
            Some((index, output.script.address()?.to_owned(), output.value.get().to_owned()))
        });
        Ok(paid.collect())
    }

    async fn origin(&self, id: &str) -> Result<Origin, NodeError> {
        let transaction = self.transaction(id).await?;
        let decoded: Decoded = self.node.call("decoderawtransaction", json!([transaction.hex])).await?;
        let mut origin = sender::origin(&self.node, self.network, self.environment, &decoded).await?;
        if origin.fee.is_none() {
            origin.fee = mempool::find(&self.node, id).await?.map(|waiting| waiting.fee);
        }
        Ok(origin)
    }
}
