//! Transactions in the form that a node's wallet reports.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

/// `listsinceblock`.
#[derive(Deserialize)]
pub(crate) struct Listed {
    pub(crate) transactions: Vec<Entry>,
    /// Entries of blocks that left the chain.
    #[serde(default)]
    pub(crate) removed: Vec<Entry>,
    /// The best block at the time of the listing.
    pub(crate) lastblock: String,
}

/// One entry of a transaction: one output, or a part of several.
#[derive(Deserialize)]
pub(crate) struct Entry {
    pub(crate) txid: String,
    pub(crate) category: String,
    #[serde(default)]
    pub(crate) address: Option<String>,
    #[serde(default)]
    pub(crate) vout: Option<u32>,
    pub(crate) amount: Box<RawValue>,
    /// Of a coinbase.
    #[serde(default)]
    pub(crate) generated: bool,
    #[serde(default)]
    pub(crate) confirmations: i64,
    /// UNIX second at which the wallet first saw it; the block's time if it was first seen in a block.
    #[serde(default)]
    pub(crate) time: u64,
    #[serde(default, rename = "bip125-replaceable")]
    pub(crate) replaceable: Option<String>,
}

/// `gettransaction`.
#[derive(Deserialize)]
pub(crate) struct WalletTransaction {
    /// Of a coinbase.
    #[serde(default)]
    pub(crate) generated: bool,
    pub(crate) confirmations: i64,
    #[serde(default)]
    pub(crate) time: u64,
    #[serde(default, rename = "bip125-replaceable")]
    pub(crate) replaceable: Option<String>,
    pub(crate) hex: String,
    #[serde(default)]
    pub(crate) details: Vec<Detail>,
}

#[derive(Deserialize)]
pub(crate) struct Detail {
    pub(crate) category: String,
    #[serde(default)]
    pub(crate) address: Option<String>,
    #[serde(default)]
    pub(crate) vout: Option<u32>,
    pub(crate) amount: Box<RawValue>,
}

/// `decoderawtransaction`, with the extra fields of `getrawtransaction`.
#[derive(Deserialize)]
pub(crate) struct Decoded {
    pub(crate) txid: String,
    /// Absent while no block has it.
    #[serde(default)]
    pub(crate) confirmations: i64,
    /// Absent on Bitcoin Cash.
    #[serde(default)]
    pub(crate) vsize: u64,
    pub(crate) vin: Vec<Input>,
    pub(crate) vout: Vec<Output>,
}

impl Decoded {
    /// The first transaction of a block, which makes new coins.
    pub(crate) fn is_coinbase(&self) -> bool {
        self.vin.iter().any(|input| input.txid.is_none())
    }
}

#[derive(Clone, Deserialize)]
pub(crate) struct Input {
    /// `None` for a coinbase.
    #[serde(default)]
    pub(crate) txid: Option<String>,
    #[serde(default)]
    pub(crate) vout: u32,
    #[serde(default, rename = "scriptSig")]
    pub(crate) script: Option<Script>,
    #[serde(default)]
    pub(crate) txinwitness: Vec<String>,
}

#[derive(Clone, Deserialize)]
pub(crate) struct Script {
    #[serde(default)]
    pub(crate) hex: String,
    /// Since Bitcoin Core 22.
    #[serde(default)]
    pub(crate) address: Option<String>,
    /// Before Bitcoin Core 22.
    #[serde(default)]
    pub(crate) addresses: Vec<String>,
}

#[derive(Deserialize)]
pub(crate) struct Output {
    pub(crate) value: Box<RawValue>,
    #[serde(rename = "scriptPubKey")]
    pub(crate) script: Script,
}

impl Script {
    pub(crate) fn address(&self) -> Option<&str> {
        match (&self.address, self.addresses.as_slice()) {
            (Some(address), _) | (None, [address]) => Some(address),
            _ => None,
        }
    }
}

/// The deposits of one transaction.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Incoming {
    /// Negative if a conflicting transaction is in the chain.
    pub(crate) confirmations: i64,
    pub(crate) time: u64,
    pub(crate) signals_replacement: bool,
    pub(crate) made: Made,
    /// Index, address in the node's encoding, amount in coins.
    pub(crate) outputs: Vec<(u32, String, String)>,
}

/// Who made a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// Its sender: it can wait in the memory pool.
    BySender,
    /// The block that has it. Litecoin pays coins out of its extension blocks so ([LIP-0002]): after a reorganisation
    /// another transaction pays them.
    ///
    /// [LIP-0002]: https://github.com/litecoin-project/lips/blob/master/lip-0002.mediawiki
    ByBlock { is_mature: bool },
}

/// Coins received from others count, not mined ones.
pub(crate) fn made_by(category: &str, generated: bool) -> Option<Made> {
    match category {
        "receive" => Some(Made::BySender),
        "hogex" => Some(Made::ByBlock { is_mature: true }),
        "immature" | "orphan" if !generated => Some(Made::ByBlock { is_mature: false }),
        _ => None,
    }
}

/// For a transaction in a block, the wallet does not report whether it was replaceable.
fn may_be_replaced(said: Option<&str>) -> bool {
    said != Some("no")
}

/// Groups the receipts of a listing by transaction.
pub(crate) fn receipts<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> BTreeMap<String, Incoming> {
    let mut found: BTreeMap<String, Incoming> = BTreeMap::new();
    for entry in entries {
        let Some(made) = made_by(&entry.category, entry.generated) else { continue };
        // Without a number it is in an extension block; the one that pays it out follows.
        let (Some(address), Some(vout)) = (&entry.address, entry.vout) else { continue };
        let incoming = found.entry(entry.txid.clone()).or_insert_with(|| Incoming {
            confirmations: entry.confirmations,
            time: entry.time,
            signals_replacement: may_be_replaced(entry.replaceable.as_deref()),
            made,
            outputs: Vec::new(),
        });
        let output = (vout, address.clone(), entry.amount.get().to_owned());
        if !incoming.outputs.contains(&output) {
            incoming.outputs.push(output);
        }
    }
    found
}

impl WalletTransaction {
    pub(crate) fn incoming(&self) -> Incoming {
        let made = |detail: &Detail| made_by(&detail.category, self.generated);
        let is_own = self.details.iter().any(|detail| detail.category == "send");
        // Of one that the wallet sends to itself, it hides the outputs that it takes for change.
        let receipts = self.details.iter().filter(|detail| !is_own && made(detail).is_some());
        let outputs = receipts.filter_map(|detail| {
            Some((detail.vout?, detail.address.clone()?, detail.amount.get().to_owned()))
        });
        Incoming {
            confirmations: self.confirmations,
            time: self.time,
            signals_replacement: may_be_replaced(self.replaceable.as_deref()),
            made: self.details.iter().find_map(made).unwrap_or(Made::BySender),
            outputs: outputs.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As printed by `litecoind` 0.21.2.
    #[test]
    fn two_outputs_of_one_transaction() {
        let listed: Listed = serde_json::from_str(
            r#"{"transactions":[
                {"involvesWatchonly":true,"address":"rltc1qa","category":"receive","amount":1.50000000,"label":"","vout":1,
                 "confirmations":0,"trusted":false,"txid":"t1","walletconflicts":[],"time":10,"timereceived":10,"bip125-replaceable":"no"},
                {"address":"rltc1qb","category":"receive","amount":0.00000001,"vout":0,"confirmations":0,"txid":"t1","time":10,
                 "bip125-replaceable":"no"},
                {"address":"rltc1qc","category":"immature","amount":50.00000000,"vout":0,"confirmations":3,"generated":true,"txid":"t2","time":11},
                {"address":"rltc1qd","category":"receive","amount":2.00000000,"vout":0,"confirmations":-1,"txid":"t3","time":12,
                 "bip125-replaceable":"unknown"}
            ],"removed":[],"lastblock":"00ff"}"#,
        )
        .unwrap();
        let found = receipts(&listed.transactions);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["t1", "t3"]);
        let outputs = vec![
            (1, "rltc1qa".to_owned(), "1.50000000".to_owned()),
            (0, "rltc1qb".to_owned(), "0.00000001".to_owned()),
        ];
        let made = Made::BySender;
        assert_eq!(
            found["t1"],
            Incoming { confirmations: 0, time: 10, signals_replacement: false, made, outputs }
        );
        assert!(found["t3"].signals_replacement && found["t3"].confirmations == -1);
    }

    /// As printed by `litecoind` 0.21.2 for coins that leave an extension block.
    #[test]
    fn coins_out_of_an_extension_block_are_in_the_transaction_of_the_block() {
        let check = |category: &str, is_mature| {
            let listed: Listed = serde_json::from_str(
                &r#"{"transactions":[
                {"involvesWatchonly":true,"address":"rltc1qa","category":"receive","amount":3.00000000,"label":"",
                 "mweb_out":"0000000000000000000000000000000000000000000000000000000000000000","confirmations":1,"txid":"t1","time":10},
                {"address":"rltc1qa","category":"CATEGORY","amount":3.00000000,"label":"","vout":1,"confirmations":1,"txid":"t2","time":10,
                 "bip125-replaceable":"no"}],"removed":[],"lastblock":"00ff"}"#
                    .replace("CATEGORY", category),
            )
            .unwrap();
            let found = receipts(&listed.transactions);
            assert_eq!(found.keys().collect::<Vec<_>>(), ["t2"]);
            assert_eq!(found["t2"].made, Made::ByBlock { is_mature });
        };
        check("immature", false);
        check("hogex", true);
    }
}
