//! Judges a payout whose coins the chain does not have any more.

use std::collections::BTreeSet;

use checkout_chain_http::NodeError;
use checkout_domain::chain::payout::Signed;
use checkout_domain::ports::broadcaster::Unsent;
use serde_json::{Value, json};

use crate::broadcaster::NodeWallet;
use crate::depth::depth;
use crate::transaction::Input;

/// Entries of the wallet among which the transaction that spent a coin is searched.
const NEWEST: usize = 1_000;

impl NodeWallet {
    /// Classifies a refusal for missing or spent inputs. It is final only if another transaction spent a coin so deep in the chain
    /// that it stays there; a missing parent may return.
    pub(crate) async fn judge_conflict(&self, signed: &Signed, hex: &str) -> Result<(), Unsent> {
        let known = self.find(&signed.transaction_id).await?;
        if known.as_ref().is_some_and(|known| known.confirmations > 0) {
            return Ok(());
        }
        let needed = self.lost_after;
        let mut waits = Unsent::later("its inputs are not available");
        for input in &self.decode(hex).await?.vin {
            let Some(parent) = &input.txid else { continue };
            let is_confirmed = self.find(parent).await?.is_some_and(|parent| parent.confirmations > 0);
            let unspent: Value = self.node.call("gettxout", json!([parent, input.vout, false])).await?;
            if !is_confirmed || !unspent.is_null() {
                continue;
            }
            let coin = format!("{parent}:{}", input.vout);
            let depth = match &known {
                // Negative: those of the conflict.
                Some(known) => Some(known.confirmations.unsigned_abs()),
                None => self.spent_for(input).await?,
            };
            waits = match depth {
                Some(depth) if depth >= needed => {
                    return Err(Unsent::Refused(format!("another transaction spent its coin {coin}")));
                }
                Some(depth) => Unsent::later(format!(
                    "its coins may return: another transaction has spent them for {depth} of {needed} blocks"
                )),
                None => Unsent::unproven(format!(
                    "its coin {coin} is spent, and the wallet does not show by what"
                )),
            };
        }
        Err(waits)
    }

    /// For how many blocks a coin of the wallet has been spent. `None` if the wallet lists no transaction that spent it.
    async fn spent_for(&self, coin: &Input) -> Result<Option<u64>, NodeError> {
        let mut asked = BTreeSet::new();
        let listed = self.listed(NEWEST).await?.into_iter().rev();
        let sent = listed.filter(|listed| listed.is_sent() && listed.confirmations > 0);
        for id in sent.filter_map(|listed| listed.txid).filter(|id| asked.insert(id.clone())) {
            let Some(sent) = self.find(&id).await? else { continue };
            let inputs = self.decode(&sent.hex).await?.vin;
            if inputs.iter().any(|input| (&input.txid, input.vout) == (&coin.txid, coin.vout)) {
                let blocks = depth(&self.node, sent.confirmations, sent.blockhash.as_deref()).await?;
                return Ok(u64::try_from(blocks).ok());
            }
        }
        Ok(None)
    }
}
