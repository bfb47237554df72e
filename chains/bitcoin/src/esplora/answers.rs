//! Answers of the server.

use checkout_core::Network;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::coins::{is_paid_by, normal_form};

/// `/block/:hash`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Block {
    pub(crate) id: String,
    pub(crate) height: u64,
    pub(crate) timestamp: u64,
    #[serde(default, deserialize_with = "readable")]
    previousblockhash: Option<String>,
}

impl Block {
    /// A height and the hash there: of its parent, which a server that is behind has, too, or else its own.
    pub(crate) fn place(&self) -> (u64, &str) {
        let parent = self.height.checked_sub(1).zip(self.previousblockhash.as_deref());
        parent.unwrap_or((self.height, &self.id))
    }
}

/// `/tx/:txid`, and an element of `/address/:address/txs`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct IndexedTransaction {
    pub(crate) vin: Vec<Input>,
    pub(crate) vout: Vec<Output>,
    /// Four times the virtual size.
    #[serde(default, deserialize_with = "readable")]
    pub(crate) weight: Option<u64>,
    #[serde(default, deserialize_with = "readable")]
    pub(crate) fee: Option<u64>,
    pub(crate) status: Status,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Input {
    pub(crate) txid: String,
    pub(crate) vout: u32,
    /// The output that it spends; `None` for a coinbase.
    #[serde(default, deserialize_with = "readable")]
    pub(crate) prevout: Option<Output>,
    #[serde(default)]
    pub(crate) is_coinbase: bool,
    #[serde(default, deserialize_with = "readable")]
    pub(crate) sequence: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Output {
    #[serde(default)]
    pub(crate) scriptpubkey: String,
    #[serde(default)]
    pub(crate) scriptpubkey_address: Option<String>,
    /// In atoms. Absent where amounts are confidential.
    #[serde(default, deserialize_with = "readable")]
    pub(crate) value: Option<u64>,
}

impl Output {
    /// Its address, in normal form, if that is the one of its script.
    pub(crate) fn owner(&self, network: Network) -> Option<String> {
        let owner = normal_form(network, self.scriptpubkey_address.as_deref()?)?;
        is_paid_by(network, &owner, &self.scriptpubkey).then_some(owner)
    }
}

/// `/tx/:txid/status`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Status {
    pub(crate) confirmed: bool,
    #[serde(default)]
    pub(crate) block_height: Option<u64>,
    #[serde(default)]
    pub(crate) block_hash: Option<String>,
    #[serde(default, deserialize_with = "readable")]
    pub(crate) block_time: Option<u64>,
}

/// `/tx/:txid/outspend/:vout`.
#[derive(Debug, Deserialize)]
pub(crate) struct Spending {
    pub(crate) spent: bool,
    #[serde(default)]
    pub(crate) txid: Option<String>,
}

/// What a coinbase spends.
const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Blocks that one server can be ahead of another one.
pub(crate) const AHEAD: u64 = 100;

/// What is not needed everywhere is `None` if it cannot be read.
fn readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).ok())
}

/// The least sequence number that does not signal replacement (BIP 125).
const FINAL: u32 = 0xffff_fffe;

impl IndexedTransaction {
    /// Why nothing can be said of it. `tip`: the last height; another server behind the same URL can be ahead.
    pub(crate) fn fault(&self, tip: u64) -> Option<&'static str> {
        let Status { confirmed, block_height, block_hash, .. } = &self.status;
        match block_height {
            _ if self.vin.is_empty() => Some("it spends nothing"),
            _ if !confirmed => None,
            None => Some("it is in a block without a height"),
            Some(height) if *height > tip.saturating_add(AHEAD) => {
                Some("its block is far above the last one")
            }
            Some(_) if block_hash.is_none() => Some("it is in a block without a hash"),
            Some(_) => None,
        }
    }

    pub(crate) fn is_coinbase(&self) -> bool {
        // Also of a server that does not say so.
        self.vin.iter().any(|input| input.is_coinbase || input.txid == NOTHING)
    }

    pub(crate) fn signals_replacement(&self) -> bool {
        self.vin.iter().any(|input| input.sequence.is_none_or(|sequence| sequence < FINAL))
    }

    /// Whether miners get at least `rate` atoms for 1,000 virtual bytes.
    pub(crate) fn pays(&self, rate: u128) -> bool {
        let paid = self.fee.zip(self.weight);
        paid.is_some_and(|(fee, weight)| weight > 0 && u128::from(fee) * 4_000 >= rate * u128::from(weight))
    }

    /// Whether it pays an address, or spends from it, as far as can be read.
    pub(crate) fn mentions(&self, network: Network, address: &str) -> bool {
        let inputs = self.vin.iter().filter_map(|input| input.prevout.as_ref());
        let mut owners = self.vout.iter().chain(inputs).filter_map(|output| output.owner(network));
        owners.any(|owner| owner == address)
    }

    /// The owners of the inputs.
    pub(crate) fn senders(&self, network: Network) -> impl Iterator<Item = Option<String>> {
        self.vin.iter().map(move |input| input.prevout.as_ref()?.owner(network))
    }

    /// Whether a block of Litecoin pays coins out of its extension block with it ([LIP-0002]): its first output is a witness program
    /// of version 8.
    ///
    /// [LIP-0002]: https://github.com/litecoin-project/lips/blob/master/lip-0002.mediawiki
    pub(crate) fn is_made_by_block(&self) -> bool {
        self.vout
            .first()
            .is_some_and(|output| output.scriptpubkey.len() == 68 && output.scriptpubkey.starts_with("5820"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in the documentation of Blockstream's API, shortened; the address of the sender there has a wrong checksum.
    const TRANSACTION: &str = r#"{
        "txid": "15e10745f15593a899cef391191bdd3d7c12412cc4696b7bcb669d0feadc8521", "version": 1, "locktime": 0,
        "vin": [{"txid": "fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4", "vout": 0,
            "prevout": {"scriptpubkey": "76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac", "scriptpubkey_asm": "",
                "scriptpubkey_type": "p2pkh", "scriptpubkey_address": "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", "value": 9999990000},
            "scriptsig": "48", "scriptsig_asm": "", "is_coinbase": false, "sequence": 4294967295}],
        "vout": [{"scriptpubkey": "6a02", "scriptpubkey_asm": "OP_RETURN", "scriptpubkey_type": "op_return", "value": 0},
            {"scriptpubkey": "76a9147f9b1a7fb68d60c536c2fd8aeaa53a8f3cc025a888ac", "scriptpubkey_asm": "", "scriptpubkey_type": "p2pkh",
                "scriptpubkey_address": "1Cdid9KFAaatwczBwBttQcwXYCpvK8h7FK", "value": 9999980000}],
        "size": 192, "weight": 768, "fee": 10000,
        "status": {"confirmed": true, "block_height": 150, "block_hash": "0000", "block_time": 1231470173}}"#;

    #[test]
    fn reads_a_transaction() {
        let read: IndexedTransaction = serde_json::from_str(TRANSACTION).unwrap();
        assert_eq!(
            read.senders(Network::Btc).collect::<Vec<_>>(),
            [Some("1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu".to_owned())]
        );
        assert!(!read.is_made_by_block());
        assert_eq!(
            (read.vout[0].scriptpubkey_address.as_deref(), read.vout[1].value),
            (None, Some(9_999_980_000))
        );
        assert_eq!((read.status.block_height, read.status.block_time), (Some(150), Some(1_231_470_173)));
        assert!(!read.is_coinbase() && !read.signals_replacement());
        // 10,000 atoms for 192 virtual bytes.
        assert!(read.pays(52_083) && !read.pays(52_084));
        let replaceable = TRANSACTION.replace("4294967295", "4294967293");
        assert!(serde_json::from_str::<IndexedTransaction>(&replaceable).unwrap().signals_replacement());
    }

    #[test]
    fn reads_a_coinbase_and_what_waits() {
        let read: IndexedTransaction = serde_json::from_str(
            r#"{"txid": "c0", "vin": [{"txid": "0000000000000000000000000000000000000000000000000000000000000000", "vout": 4294967295, "prevout": null, "scriptsig": "51",
                "is_coinbase": true, "sequence": 4294967295}], "vout": [], "fee": 0, "status": {"confirmed": false}}"#,
        )
        .unwrap();
        assert!(
            read.is_coinbase()
                && read.senders(Network::Btc).all(|sender| sender.is_none())
                && read.status.block_height.is_none()
        );
        let spending: Spending = serde_json::from_str(r#"{"spent": false}"#).unwrap();
        assert!(!spending.spent && spending.txid.is_none());
    }
}
