//! The transfers of a transaction, with who sent them.

use checkout_core::Amount;
use checkout_domain::chain::{OutputId, Transfer};
use serde_json::json;

use super::{BitcoinChain, coin};
use crate::coins;
use crate::cursor::Reported;
use crate::depth::depth;
use crate::mempool;
use crate::sender::{self, Origin};
use crate::settings::DECIMALS;
use crate::transaction::{Decoded, Incoming, ListedOutput, Made, WalletTransaction, are_of};
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
        let (origin, outputs) = if has_origin {
            self.origin(id, incoming, state).await?
        } else {
            if state == Reported::Confirmed {
                self.is_confirmed(&self.transaction(id).await?).await?;
            }
            (Origin::default(), incoming.outputs.clone())
        };
        let fee = origin.fee.unwrap_or(Amount::ZERO).to_text(DECIMALS);
        let currency = coin(self.network);
        let mut transfers = Vec::new();
        // The wallet no longer reports the outputs of a transaction that lost to a conflicting one, and does not report all of one that
        // it sent to itself.
        let lost = if outputs.is_empty() { self.outputs(id).await? } else { Vec::new() };
        for (index, address, amount) in outputs.iter().chain(&lost) {
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

    /// Fails for a transaction that only the wallet has in a block.
    async fn is_confirmed(&self, transaction: &WalletTransaction) -> Result<(), NodeError> {
        let block = transaction.blockhash.as_deref();
        if depth(&self.node, transaction.confirmations, block).await? < 1 {
            return Err(NodeError::malformed("listsinceblock", "it is in a block there, and in none alone"));
        }
        Ok(())
    }

    /// Returns all outputs of a transaction, including those to other recipients.
    async fn outputs(&self, id: &str) -> Result<Vec<ListedOutput>, NodeError> {
        let decoded = self.decoded(&self.transaction(id).await?).await?;
        if decoded.is_coinbase() {
            return Ok(Vec::new());
        }
        let numbered = (0..).zip(&decoded.vout);
        let paid = numbered.filter_map(|(index, output)| {
            Some((index, output.script.address()?.to_owned(), output.value.get().to_owned()))
        });
        Ok(paid.collect())
    }

    async fn decoded(&self, transaction: &WalletTransaction) -> Result<Decoded, NodeError> {
        let decoded: Decoded = self.node.call("decoderawtransaction", json!([transaction.hex])).await?;
        if decoded.txid.eq_ignore_ascii_case(&transaction.txid) {
            return Ok(decoded);
        }
        Err(NodeError::malformed("decoderawtransaction", "it is another transaction"))
    }

    /// Who sent it, and its outputs to the wallet: those of the list, or else of the transaction asked for alone, that its bytes have.
    async fn origin(
        &self,
        id: &str,
        incoming: &Incoming,
        state: Reported,
    ) -> Result<(Origin, Vec<ListedOutput>), NodeError> {
        let transaction = self.transaction(id).await?;
        if state == Reported::Confirmed {
            self.is_confirmed(&transaction).await?;
        }
        let decoded = self.decoded(&transaction).await?;
        if decoded.is_coinbase() {
            // Mined coins, whatever the wallet calls them.
            return Ok((Origin::default(), Vec::new()));
        }
        let mut outputs = incoming.outputs.clone();
        if !are_of(&outputs, &decoded, self.network) {
            outputs = transaction.incoming(self.network)?.outputs;
            if outputs.is_empty() || !are_of(&outputs, &decoded, self.network) {
                let why = "the wallet lists outputs that the transaction does not have";
                return Err(NodeError::malformed("listsinceblock", why));
            }
        }
        let mut origin = sender::origin(&self.node, self.network, self.environment, &decoded).await?;
        if origin.fee.is_none() {
            origin.fee = mempool::find(&self.node, id).await?.map(|waiting| waiting.fee);
        }
        Ok((origin, outputs))
    }
}
