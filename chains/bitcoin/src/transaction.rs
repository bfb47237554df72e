//! Transactions in the form that a node's wallet reports.

use std::collections::{BTreeMap, BTreeSet};

use checkout_chain_http::fields::is_hash;
use checkout_chain_http::{Fields, NodeError};
use checkout_core::Network;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::coins;

/// `listsinceblock`. Each entry is read for itself.
#[derive(Deserialize)]
pub(crate) struct Listed {
    pub(crate) transactions: Vec<Box<RawValue>>,
    /// Entries of blocks that left the chain.
    #[serde(default)]
    pub(crate) removed: Option<Vec<Box<RawValue>>>,
    /// The best block at the time of the listing.
    pub(crate) lastblock: String,
}

/// One entry of a transaction: one output, or a part of several.
#[derive(Deserialize)]
struct Entry {
    txid: String,
    category: String,
    #[serde(default)]
    address: Option<String>,
    #[serde(default)]
    vout: Option<u32>,
    amount: Box<RawValue>,
    /// Of a coinbase.
    #[serde(default)]
    generated: bool,
    confirmations: i64,
    /// UNIX second at which the wallet first saw it; the block's time if it was first seen in a block.
    time: u64,
    #[serde(default, rename = "bip125-replaceable")]
    replaceable: Option<String>,
    /// In an extension block of Litecoin; the output that pays it out follows.
    #[serde(default)]
    mweb_out: Option<String>,
}

/// `gettransaction`.
#[derive(Deserialize)]
pub(crate) struct WalletTransaction {
    pub(crate) txid: String,
    /// Of a coinbase.
    #[serde(default)]
    pub(crate) generated: bool,
    pub(crate) confirmations: i64,
    #[serde(default)]
    pub(crate) blockhash: Option<String>,
    #[serde(default)]
    pub(crate) time: u64,
    #[serde(default, rename = "bip125-replaceable")]
    pub(crate) replaceable: Option<String>,
    pub(crate) hex: String,
    #[serde(default)]
    pub(crate) details: Option<Vec<Box<RawValue>>>,
}

#[derive(Deserialize)]
struct Detail {
    category: String,
    #[serde(default)]
    address: Option<String>,
    #[serde(default)]
    vout: Option<u32>,
    amount: Box<RawValue>,
}

/// `decoderawtransaction`, with the extra fields of `getrawtransaction`.
#[derive(Deserialize)]
pub(crate) struct Decoded {
    pub(crate) txid: String,
    /// Absent while no block has it.
    #[serde(default)]
    pub(crate) confirmations: i64,
    #[serde(default)]
    pub(crate) blockhash: Option<String>,
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

impl Input {
    pub(crate) fn is_same_coin(&self, other: &Self) -> bool {
        (&self.txid, self.vout) == (&other.txid, other.vout)
    }
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
    pub(crate) outputs: Vec<ListedOutput>,
}

/// Index, address in the node's encoding, amount in coins.
pub(crate) type ListedOutput = (u32, String, String);

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

/// Coins received from others count, not mined ones. Fails for a category that no node has.
fn made_by(category: &str, generated: bool) -> Result<Option<Made>, ()> {
    match category {
        "receive" if !generated => Ok(Some(Made::BySender)),
        "hogex" if !generated => Ok(Some(Made::ByBlock { is_mature: true })),
        "immature" | "orphan" if !generated => Ok(Some(Made::ByBlock { is_mature: false })),
        "immature" | "orphan" | "generate" | "send" | "move" => Ok(None),
        _ => Err(()),
    }
}

/// For a transaction in a block, the wallet does not report whether it was replaceable.
fn may_be_replaced(said: Option<&str>) -> bool {
    said != Some("no")
}

/// Whether coins come in, whatever the category says.
fn is_positive(amount: &RawValue) -> bool {
    coins::amount(amount.get()).is_some_and(|amount| !amount.is_zero())
}

/// The receipts of a listing, by transaction.
#[derive(Default)]
pub(crate) struct Receipts {
    pub(crate) found: BTreeMap<String, Incoming>,
    /// Transactions with an entry that cannot be read.
    pub(crate) odd: BTreeSet<String>,
    /// Entries without a readable id.
    pub(crate) nameless: usize,
}

impl Receipts {
    pub(crate) fn of(entries: &[Box<RawValue>], network: Network) -> Self {
        let mut all = Self::default();
        for raw in entries {
            match read(raw, network) {
                Some(entry) => all.take(entry),
                None => all.leave(raw),
            }
        }
        all.found.retain(|id, _| !all.odd.contains(id));
        all
    }

    /// Those of which something is unlikely are asked for.
    pub(crate) fn doubt(&mut self, is_unlikely: impl Fn(&str, &Incoming) -> bool) {
        let doubted = self.found.extract_if(.., |id, incoming| is_unlikely(id, incoming));
        self.odd.extend(doubted.map(|(id, _)| id));
    }

    fn take(&mut self, entry: Entry) {
        let Ok(Some(made)) = made_by(&entry.category, entry.generated) else { return };
        let (Some(address), Some(vout)) = (entry.address, entry.vout) else { return };
        let incoming = self.found.entry(entry.txid).or_insert_with(|| Incoming {
            confirmations: entry.confirmations,
            time: entry.time,
            signals_replacement: may_be_replaced(entry.replaceable.as_deref()),
            made,
            outputs: Vec::new(),
        });
        let output = (vout, address, entry.amount.get().to_owned());
        if !incoming.outputs.contains(&output) {
            incoming.outputs.push(output);
        }
    }

    fn leave(&mut self, raw: &RawValue) {
        let Ok(fields) = Fields::of(raw) else {
            self.nameless += 1;
            return;
        };
        // Whatever else is odd in it, it brings nothing.
        let is_in =
            fields.get::<Box<RawValue>>("amount").ok().flatten().is_some_and(|amount| is_positive(&amount));
        let is_other =
            |category: &str| matches!(category, "generate" | "move") || category == "send" && !is_in;
        if fields.is("category", is_other) {
            return;
        }
        match fields.need::<String>("txid").ok().filter(|id| is_hash(id)) {
            Some(id) => drop(self.odd.insert(id.to_ascii_lowercase())),
            None => self.nameless += 1,
        }
    }
}

/// `None` if it is odd.
fn read(raw: &RawValue, network: Network) -> Option<Entry> {
    let mut entry: Entry =
        serde_json::from_str(raw.get()).ok().filter(|entry: &Entry| is_hash(&entry.txid))?;
    entry.txid.make_ascii_lowercase();
    if entry.category == "send" && is_positive(&entry.amount) {
        return None;
    }
    if made_by(&entry.category, entry.generated).ok()?.is_some() {
        if entry.mweb_out.is_some() && entry.vout.is_none() {
            return Some(entry);
        }
        coins::normal_form(network, entry.address.as_deref()?)?;
        coins::amount(entry.amount.get())?;
        entry.vout?;
    }
    Some(entry)
}

/// Whether a transaction has these outputs, as far as its own bytes tell.
pub(crate) fn are_of(outputs: &[ListedOutput], decoded: &Decoded, network: Network) -> bool {
    let is_of = |(index, address, amount): &ListedOutput| {
        let at = usize::try_from(*index).ok();
        let Some(output) = at.and_then(|at| decoded.vout.get(at)) else { return false };
        let form = |address: &str| coins::normal_form(network, address);
        let is_to = match output.script.address() {
            Some(own) => form(own) == form(address),
            None => !output.script.hex.is_empty(),
        };
        let is_to = is_to && coins::is_paid_by(network, address, &output.script.hex);
        is_to && coins::amount(output.value.get()) == coins::amount(amount)
    };
    outputs.iter().all(is_of)
}

impl WalletTransaction {
    pub(crate) fn incoming(&self, network: Network) -> Result<Incoming, NodeError> {
        let wrong = |why: &str| NodeError::malformed("gettransaction", why);
        let details = self.details.iter().flatten().map(|raw| serde_json::from_str(raw.get()));
        let details: Vec<Detail> =
            details.collect::<Result<_, _>>().map_err(|_| wrong("its details are odd"))?;
        let mut made = Vec::new();
        for detail in &details {
            let by = made_by(&detail.category, self.generated);
            made.push(by.map_err(|()| wrong("a category is not known"))?);
        }
        let is_own = details.iter().any(|detail| detail.category == "send");
        let mut outputs = Vec::new();
        // Of one that the wallet sends to itself, it hides the outputs that it takes for change.
        for (detail, _) in details.iter().zip(&made).filter(|(_, made)| !is_own && made.is_some()) {
            let (Some(vout), Some(address)) = (detail.vout, &detail.address) else { continue };
            if coins::normal_form(network, address).is_none() || coins::amount(detail.amount.get()).is_none()
            {
                return Err(wrong("an output has an address or an amount that cannot be read"));
            }
            outputs.push((vout, address.clone(), detail.amount.get().to_owned()));
        }
        Ok(Incoming {
            confirmations: self.confirmations,
            time: self.time,
            signals_replacement: may_be_replaced(self.replaceable.as_deref()),
            made: made.into_iter().flatten().next().unwrap_or(Made::BySender),
            outputs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "rltc1qp5wfcq48h6d63wyy9qz0awtpfqwwv4smt9zvvx";
    const B: &str = "rltc1qjzgwzugce3mqfvn2cdq8wt8drz50mf6j08yurm";

    fn id(digits: &str) -> String {
        digits.repeat(32)
    }

    /// With real addresses and ids.
    fn listed(text: &str) -> Listed {
        let text =
            text.replace("rltc1qa", A).replace("rltc1qb", B).replace("rltc1qc", A).replace("rltc1qd", B);
        let text = text.replace("\"t1\"", &format!("\"{}\"", id("11")));
        let text = text
            .replace("\"t2\"", &format!("\"{}\"", id("22")))
            .replace("\"t3\"", &format!("\"{}\"", id("33")));
        serde_json::from_str(&text).unwrap()
    }

    /// As printed by `litecoind` 0.21.2.
    #[test]
    fn two_outputs_of_one_transaction() {
        let listed = listed(
            r#"{"transactions":[
                {"involvesWatchonly":true,"address":"rltc1qa","category":"receive","amount":1.50000000,"label":"","vout":1,
                 "confirmations":0,"trusted":false,"txid":"t1","walletconflicts":[],"time":10,"timereceived":10,"bip125-replaceable":"no"},
                {"address":"rltc1qb","category":"receive","amount":0.00000001,"vout":0,"confirmations":0,"txid":"t1","time":10,
                 "bip125-replaceable":"no"},
                {"address":"rltc1qc","category":"immature","amount":50.00000000,"vout":0,"confirmations":3,"generated":true,"txid":"t2","time":11},
                {"address":"rltc1qd","category":"receive","amount":2.00000000,"vout":0,"confirmations":-1,"txid":"t3","time":12,
                 "bip125-replaceable":"unknown"}
            ],"removed":[],"lastblock":"00ff"}"#,
        );
        let found = Receipts::of(&listed.transactions, Network::Ltc).found;
        assert_eq!(found.keys().cloned().collect::<Vec<_>>(), [id("11"), id("33")]);
        let outputs =
            vec![(1, A.to_owned(), "1.50000000".to_owned()), (0, B.to_owned(), "0.00000001".to_owned())];
        let made = Made::BySender;
        assert_eq!(
            found[&id("11")],
            Incoming { confirmations: 0, time: 10, signals_replacement: false, made, outputs }
        );
        assert!(found[&id("33")].signals_replacement && found[&id("33")].confirmations == -1);
    }

    /// As Bitcoin Cash Node 28 writes an output with CashTokens: its script is behind a prefix for them, and its coins are the address's as any
    /// others. What does not know them sees one script, which is nobody's. Dogecoin Core writes a list of addresses, too.
    #[test]
    fn an_output_is_of_an_address_if_its_script_is() {
        const OURS: &str = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
        const SCRIPT: &str = "76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac";
        let check = |script: &str, rest: &str, expected| {
            let text = format!(
                r#"{{"txid":"","vin":[],"vout":[{{"value":0.00001000,"n":0,"scriptPubKey":{script}{rest}}}]}}"#
            );
            let decoded = serde_json::from_str(&text).unwrap();
            let outputs = [(0, OURS.to_owned(), "1e-05".to_owned())];
            assert_eq!(are_of(&outputs, &decoded, Network::Bch), expected, "{text}");
        };
        let tokens = format!(r#","tokenData":{{"category":"{}","amount":"7"}}"#, id("aa"));
        let written =
            format!(r#"{{"hex":"{SCRIPT}","type":"pubkeyhash","reqSigs":1,"addresses":["{OURS}"]}}"#);
        check(&written, "", true);
        check(&written, &tokens, true);
        check(&written.replace("76a914", "a914"), "", false);
        check(&format!(r#"{{"hex":"{SCRIPT}"}}"#), "", true);
        check(&format!(r#"{{"hex":"ef{}1007{SCRIPT}","type":"nonstandard"}}"#, id("aa")), "", false);
        check(&format!(r#"{{"hex":"ef{}1007{SCRIPT}","addresses":["{OURS}"]}}"#, id("aa")), "", false);
        check(&format!(r#"{{"addresses":["{OURS}"]}}"#), "", true);
        check(&format!(r#"{{"addresses":["{OURS}","{OURS}"]}}"#), "", false);
    }

    /// As printed by `litecoind` 0.21.2 for coins that leave an extension block.
    #[test]
    fn coins_out_of_an_extension_block_are_in_the_transaction_of_the_block() {
        let check = |category: &str, is_mature| {
            let listed = listed(
                &r#"{"transactions":[
                {"involvesWatchonly":true,"address":"rltc1qa","category":"receive","amount":3.00000000,"label":"",
                 "mweb_out":"0000000000000000000000000000000000000000000000000000000000000000","confirmations":1,"txid":"t1","time":10},
                {"address":"rltc1qa","category":"CATEGORY","amount":3.00000000,"label":"","vout":1,"confirmations":1,"txid":"t2","time":10,
                 "bip125-replaceable":"no"}],"removed":[],"lastblock":"00ff"}"#
                    .replace("CATEGORY", category),
            );
            let found = Receipts::of(&listed.transactions, Network::Ltc).found;
            assert_eq!(found.keys().cloned().collect::<Vec<_>>(), [id("22")]);
            assert_eq!(found[&id("22")].made, Made::ByBlock { is_mature });
        };
        check("immature", false);
        check("hogex", true);
    }
}
