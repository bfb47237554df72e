//! The read position of a network. It is stored in the same transaction as the transfers, so that a restart
//! or downtime neither misses nor repeats a transfer.

use std::collections::{BTreeMap, BTreeSet};

use checkout_chain_http::fields::is_hash;
use checkout_core::Network;
use checkout_domain::chain::OutputState;
use checkout_domain::chain::finality::Finality;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Blocks for which reports are kept.
pub(crate) fn kept(network: Network, finality: &Finality) -> u64 {
    2 * u64::from(finality.followed(network)).max(10)
}

/// The last report of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Report {
    #[serde(rename = "s")]
    pub(crate) state: Reported,
    /// Height at the time of the report, minus the transaction's confirmations.
    #[serde(rename = "h")]
    pub(crate) height: u64,
}

impl Report {
    /// Both are of a block, and the other one of a later one.
    pub(crate) fn is_confirmed_before(self, other: Self) -> bool {
        let both = self.state == Reported::Confirmed && other.state == Reported::Confirmed;
        both && self.height < other.height
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Reported {
    #[serde(rename = "u")]
    Unconfirmed,
    /// Unconfirmed, and not safe to report as instant.
    #[serde(rename = "r")]
    Uncertain,
    #[serde(rename = "c")]
    Confirmed,
    #[serde(rename = "v")]
    Vanished,
}

impl Reported {
    pub(crate) fn output_state(self) -> OutputState {
        match self {
            Self::Unconfirmed | Self::Uncertain => OutputState::Unconfirmed,
            Self::Confirmed => OutputState::Confirmed,
            Self::Vanished => OutputState::Vanished,
        }
    }
}

/// A block that was the tip when transfers were read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredBlock {
    pub(crate) height: u64,
    pub(crate) hash: String,
}

/// The cursors of a node and of an Esplora server can be read by each other, so that a network can change its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cursor<R = Report> {
    /// Newest first. A node that was set up again and lacks the newest block may have an older one.
    pub(crate) blocks: Vec<StoredBlock>,
    /// Transactions that can still change, by id.
    pub(crate) seen: BTreeMap<String, R>,
    /// Transactions that the node could not tell about. They are asked for until it can.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) unread: BTreeSet<String>,
}

impl<R> Default for Cursor<R> {
    fn default() -> Self {
        Self { blocks: Vec::new(), seen: BTreeMap::new(), unread: BTreeSet::new() }
    }
}

/// A cursor's record of a transaction.
pub(crate) trait Remembered {
    fn report(&self) -> Report;
}

impl Remembered for Report {
    fn report(&self) -> Report {
        *self
    }
}

impl<R: Remembered + Serialize + DeserializeOwned> Cursor<R> {
    pub(crate) fn read(text: Option<&str>) -> Result<Self, serde_json::Error> {
        match text {
            None | Some("") => Ok(Self::default()),
            Some(text) => serde_json::from_str(text),
        }
    }

    /// To read all again. What was reported stays known, because it can still vanish.
    pub(crate) fn before_blocks(stored: Option<&str>) -> Self {
        Self { blocks: Vec::new(), ..Self::read(stored).unwrap_or_default() }
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }

    /// For a node, which asks for transactions. An Esplora server's entries name an address, too.
    pub(crate) fn by_transaction(mut self) -> Self {
        let ids = self.unread.iter().filter_map(|name| name.split(':').next()).filter(|id| is_hash(id));
        self.unread = ids.map(str::to_owned).collect();
        self
    }

    pub(crate) fn newest(&self) -> Option<&StoredBlock> {
        self.blocks.first()
    }

    /// Marks everything up to `block` as read. Drops entries more than `kept` blocks below it.
    pub(crate) fn advance(&mut self, block: StoredBlock, kept: u64) {
        if self.newest() == Some(&block) {
            return;
        }
        self.blocks.retain(|known| known.height < block.height);
        let floor = block.height.saturating_sub(kept);
        self.seen.retain(|_, kept| {
            let report = kept.report();
            report.height > floor || matches!(report.state, Reported::Unconfirmed | Reported::Uncertain)
        });
        let tip = block.height;
        self.blocks.insert(0, block);
        // Keeps the oldest block of each power-of-two depth.
        let mut last = None;
        self.blocks.reverse();
        self.blocks.retain(|known| {
            let bits = u64::BITS - (tip - known.height).leading_zeros();
            last.replace(bits) != Some(bits)
        });
        self.blocks.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_cursor_reads_back() {
        let mut cursor: Cursor = Cursor::default();
        let report = Report { state: Reported::Uncertain, height: 7 };
        cursor.seen.insert("ab".to_owned(), report);
        cursor.advance(StoredBlock { height: 7, hash: "00".to_owned() }, 10);
        assert_eq!(cursor.text(), r#"{"blocks":[{"height":7,"hash":"00"}],"seen":{"ab":{"s":"r","h":7}}}"#);
        assert_eq!(Cursor::read(Some(&cursor.text())).unwrap(), cursor);
        cursor.unread.insert("cd".to_owned());
        assert_eq!(Cursor::read(Some(&cursor.text())).unwrap(), cursor);
        for start in [None, Some("")] {
            assert_eq!(Cursor::<Report>::read(start).unwrap(), Cursor::default());
        }
        assert!(Cursor::<Report>::read(Some("7")).is_err());
    }

    #[test]
    fn a_node_asks_for_what_a_server_set_aside() {
        let id = "ab".repeat(32);
        let mut cursor: Cursor = Cursor::default();
        cursor.unread.extend([format!("{id}:rltc1q"), format!("{id}:rltc1p"), "rltc1q:1".to_owned()]);
        assert_eq!(cursor.by_transaction().unread, BTreeSet::from([id]));
    }

    #[test]
    fn keeps_unconfirmed_transactions_and_few_blocks() {
        let mut cursor: Cursor = Cursor::default();
        for height in 1..=1_000_u64 {
            let state = if height == 3 { Reported::Unconfirmed } else { Reported::Confirmed };
            cursor.seen.insert(format!("tx{height}"), Report { state, height });
            cursor.advance(StoredBlock { height, hash: format!("b{height}") }, 48);
        }
        assert_eq!(cursor.seen.len(), 48 + 1, "unconfirmed transactions are kept at any age");
        assert!(cursor.seen.contains_key("tx3") && cursor.seen.contains_key("tx953"));
        let heights: Vec<u64> = cursor.blocks.iter().map(|block| block.height).collect();
        assert_eq!(heights[..2], [1_000, 999]);
        assert!(heights.len() <= 11 && heights.is_sorted_by(|a, b| a > b), "{heights:?}");
        assert!(heights[heights.len() - 1] < 900, "{heights:?}");
    }

    #[test]
    fn reports_are_kept_beyond_the_finality_of_the_operator() {
        let check = |blocks: u32, expected| {
            let finality = Finality::with([(Network::Ltc, blocks)]);
            assert_eq!(kept(Network::Ltc, &finality), expected, "{blocks}");
        };
        check(1, 48);
        check(24, 48);
        check(100, 200);
    }

    #[test]
    fn a_shorter_chain_drops_blocks_above_its_tip() {
        let mut cursor: Cursor = Cursor::default();
        for height in [5, 6, 7] {
            cursor.advance(StoredBlock { height, hash: format!("a{height}") }, 48);
        }
        cursor.advance(StoredBlock { height: 6, hash: "b6".to_owned() }, 48);
        assert_eq!(cursor.newest().unwrap().hash, "b6");
        assert_eq!(cursor.blocks[1].hash, "a5");
    }
}
