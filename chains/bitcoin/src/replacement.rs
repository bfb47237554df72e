//! Replaces a payout by a transaction that spends the same coins and pays a higher fee ([BIP 125]).
//!
//! The node builds it: its inputs are those of the replaced transaction, and more coins of the wallet only if these do not pay
//! the fee. `bumpfee` is not used, because it broadcasts at once.
//!
//! [BIP 125]: https://github.com/bitcoin/bips/blob/master/bip-0125.mediawiki

use checkout_core::Amount;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::chain::waiting::{ReplaceAfter, Waiting};
use checkout_domain::ports::broadcaster::{Replacement, Unsent};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::broadcaster::{Funded, Locked, NodeWallet, outpoints};
use crate::coins::{amount, normal_form};
use crate::fees;
use crate::settings::DECIMALS;
use crate::transaction::{Decoded, Input, Output};
use checkout_chain_http::NodeError;

/// The highest sequence number that signals that the transaction can be replaced.
const REPLACEABLE: u32 = 0xffff_fffd;

/// `getnetworkinfo`.
#[derive(Deserialize)]
struct Network {
    incrementalfee: Box<RawValue>,
}

/// `testmempoolaccept`.
#[derive(Deserialize)]
struct MempoolAnswer {
    allowed: bool,
    #[serde(default, rename = "reject-reason")]
    reason: Option<String>,
}

/// `getblockheader`.
#[derive(Deserialize)]
struct BlockHeader {
    time: u64,
}

impl NodeWallet {
    pub(crate) async fn is_time(&self, waiting: Waiting) -> Result<bool, NodeError> {
        match self.replace_after {
            ReplaceAfter::Never => Ok(false),
            ReplaceAfter::Seconds(seconds) => Ok(waiting.seconds() >= seconds),
            ReplaceAfter::Blocks(blocks) => {
                let height: u64 = self.node.call("getblockcount", json!([])).await?;
                let Some(first) = (height + 1).checked_sub(blocks) else { return Ok(false) };
                let hash: String = self.node.call("getblockhash", json!([first])).await?;
                let header: BlockHeader = self.node.call("getblockheader", json!([hash])).await?;
                Ok(header.time > waiting.since)
            }
        }
    }

    pub(crate) async fn replacement(&self, payout: &Payout, newest: &Signed) -> Result<Replacement, Unsent> {
        self.open().await?;
        let Ok(hex) = std::str::from_utf8(&newest.bytes) else { return Ok(Replacement::None) };
        let old = self.decode(hex).await?;
        if self.is_spent(&old.txid).await? {
            return Err(Unsent::later("another payout spends its change"));
        }
        let Some(paid) = self.fee_rate(&old).await? else {
            return Err(Unsent::later("its fee is unknown"));
        };
        let network: Network = self.node.call("getnetworkinfo", json!([])).await?;
        let step = fees::atoms(&network.incrementalfee).unwrap_or(fees::LEAST_STEP);
        let wanted = fees::needed(&self.node, self.limits.fallback).await?;
        let Some(rate) = fees::raised(paid, step, wanted, self.limits.most) else {
            return Ok(Replacement::Capped);
        };
        let funded = self.refunded(payout, &old, rate).await?;
        let added = self.added(&old, &funded.hex).await?;
        let signed = match self.accepted(&added, &funded.hex).await {
            Ok(signed) => signed,
            Err(error) => {
                if !added.is_empty() {
                    self.wallet.call::<Value>("lockunspent", json!([true, outpoints(&added)])).await?;
                }
                return Err(error);
            }
        };
        Ok(Replacement::Signed(signed))
    }

    /// Whether another transaction spends an output, or may: its coin is locked for a payout that was signed, or the wallet has one
    /// that the memory pool dropped.
    async fn is_spent(&self, txid: &str) -> Result<bool, Unsent> {
        let locked: Vec<Locked> = self.wallet.call("listlockunspent", json!([])).await?;
        if locked.iter().any(|coin| coin.txid == txid) {
            return Ok(true);
        }
        let waiting = crate::mempool::find(&self.node, txid).await?;
        if waiting.is_some_and(|waiting| waiting.has_descendants()) {
            return Ok(true);
        }
        self.is_spent_by_a_dropped_one(txid).await
    }

    /// In atoms per 1,000 virtual bytes; `None` if the wallet does not know a coin that it spends.
    async fn fee_rate(&self, transaction: &Decoded) -> Result<Option<u128>, NodeError> {
        let mut inputs: u128 = 0;
        for input in &transaction.vin {
            let Some(value) = self.value(input).await? else { return Ok(None) };
            inputs = inputs.saturating_add(value.atoms());
        }
        let outputs: Option<u128> =
            transaction.vout.iter().map(|output| Some(amount(output.value.get())?.atoms())).sum();
        let fee = outputs.and_then(|outputs| inputs.checked_sub(outputs));
        Ok(fee.and_then(|fee| fee.saturating_mul(1_000).checked_div(transaction.vsize.into())))
    }

    async fn value(&self, input: &Input) -> Result<Option<Amount>, NodeError> {
        let Some(txid) = &input.txid else { return Ok(None) };
        let Some(parent) = self.find(txid).await? else { return Ok(None) };
        let parent = self.decode(&parent.hex).await?;
        let output = usize::try_from(input.vout).ok().and_then(|at| parent.vout.get(at));
        Ok(output.and_then(|output| amount(output.value.get())))
    }

    /// A transaction with the same inputs and recipient, and its change at the same address.
    async fn refunded(&self, payout: &Payout, old: &Decoded, rate: u128) -> Result<Funded, Unsent> {
        let mut inputs = outpoints(&old.vin);
        for input in inputs.as_array_mut().into_iter().flatten() {
            input["sequence"] = json!(REPLACEABLE);
        }
        let outputs = json!({&payout.to: payout.amount.to_text(DECIMALS)});
        let raw: String = self.node.call("createrawtransaction", json!([inputs, outputs])).await?;
        let rate = Amount::from_atoms(rate).unwrap_or(Amount::ZERO).to_text(DECIMALS);
        let mut options = json!({"feeRate": rate, "lockUnspents": true, "replaceable": true});
        let is_change = |output: &&Output| {
            let to = output.script.address().and_then(|text| normal_form(self.network, text));
            to.as_ref() != Some(&payout.to)
        };
        if let Some(change) = old.vout.iter().find(is_change).and_then(|output| output.script.address()) {
            options["changeAddress"] = json!(change);
        }
        Ok(self.wallet.call("fundrawtransaction", json!([raw, options])).await?)
    }

    /// The inputs that the wallet added.
    async fn added(&self, old: &Decoded, funded: &str) -> Result<Vec<Input>, NodeError> {
        let is_old = |input: &Input| old.vin.iter().any(|known| known.is_same_coin(input));
        Ok(self.decode(funded).await?.vin.into_iter().filter(|input| !is_old(input)).collect())
    }

    /// Signs it, if the node would take it instead of the replaced one.
    async fn accepted(&self, added: &[Input], funded: &str) -> Result<Signed, Unsent> {
        for input in added {
            let parent = self.find(input.txid.as_deref().unwrap_or_default()).await?;
            if parent.is_none_or(|parent| parent.confirmations < 1) {
                return Err(Unsent::later("the wallet has no confirmed coins for a higher fee"));
            }
        }
        let signed = self.sign_funded(funded).await?;
        let hex = String::from_utf8_lossy(&signed.bytes);
        let verdicts: Vec<MempoolAnswer> = self.node.call("testmempoolaccept", json!([[hex], 0])).await?;
        match verdicts.first() {
            Some(MempoolAnswer { allowed: true, .. }) => Ok(signed),
            verdict => {
                let reason = verdict.and_then(|verdict| verdict.reason.clone()).unwrap_or_default();
                Err(Unsent::later(format!("the node refuses the replacement: {reason}")))
            }
        }
    }
}
