//! The cursor's record of a transaction. The server forgets a transaction that was replaced, and its deposits have to be
//! taken back nevertheless.

use serde::{Deserialize, Serialize};

use super::answers::IndexedTransaction;
use crate::cursor::{Cursor, Remembered, Report, Reported};

/// Transactions with more inputs are consolidations of exchanges; each input costs a request.
const MOST_INPUTS: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sighting {
    #[serde(flatten)]
    pub(super) report: Report,
    /// Index, address and atoms of its outputs to payments.
    #[serde(default, rename = "o")]
    pub(super) outputs: Vec<(u32, String, u64)>,
    /// Transaction and index of what it spends.
    #[serde(default, rename = "i")]
    pub(super) inputs: Vec<(String, u32)>,
    /// UNIX second of first sight.
    #[serde(default, rename = "t")]
    pub(super) time: u64,
    /// Hash of the block that had it when it was last seen in one.
    #[serde(default, rename = "b", skip_serializing_if = "Option::is_none")]
    pub(super) block: Option<String>,
}

impl Remembered for Sighting {
    fn report(&self) -> Report {
        self.report
    }
}

impl Sighting {
    pub(super) fn pays(&self, address: &str) -> bool {
        self.outputs.iter().any(|(_, to, _)| to == address)
    }
}

pub(super) fn inputs(transaction: &IndexedTransaction) -> Vec<(String, u32)> {
    transaction.vin.iter().take(MOST_INPUTS).map(|input| (input.txid.clone(), input.vout)).collect()
}

/// Ids of confirmed transactions, each with an address that it pays.
pub(super) fn confirmed(cursor: &Cursor<Sighting>) -> Vec<(String, String)> {
    let confirmed = cursor.seen.iter().filter(|(_, sighting)| sighting.report.state == Reported::Confirmed);
    let paid = confirmed
        .flat_map(|(id, sighting)| sighting.outputs.iter().map(|(_, to, _)| (id.clone(), to.clone())));
    paid.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_of_a_node_can_be_continued_and_the_other_way_round() {
        let text = r#"{"blocks":[{"height":7,"hash":"00"}],"seen":{"ab":{"s":"c","h":7}}}"#;
        let mut cursor = Cursor::<Sighting>::read(Some(text)).unwrap();
        let sighting = cursor.seen.get_mut("ab").unwrap();
        assert_eq!(sighting.report, Report { state: Reported::Confirmed, height: 7 });
        sighting.outputs.push((1, "rltc1q".to_owned(), 5));
        sighting.inputs.push(("cd".to_owned(), 0));
        let written = cursor.text();
        assert_eq!(Cursor::<Sighting>::read(Some(&written)).unwrap(), cursor);
        assert_eq!(Cursor::<Report>::read(Some(&written)).unwrap().text(), text);
    }
}
