//! The read position of an account.

use serde::{Deserialize, Serialize};

use crate::NetworkId;

/// Everything before this point has been read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    network: NetworkId,
    pub ledger: u32,
    /// The index of the last transaction read in this ledger; `None` if the ledger was read whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<u32>,
}

impl Cursor {
    pub fn after_ledger(network: NetworkId, ledger: u32) -> Self {
        Self { network, ledger, transaction: None }
    }

    pub fn after_transaction(network: NetworkId, ledger: u32, transaction: u32) -> Self {
        Self { network, ledger, transaction: Some(transaction) }
    }

    pub fn read(text: &str, network: NetworkId) -> Result<Self, String> {
        let cursor: Self = serde_json::from_str(text)
            .map_err(|error| format!("the stored cursor cannot be read: {error}"))?;
        if cursor.network == network {
            return Ok(cursor);
        }
        Err(format!("the database was used with network {}, and {network} is configured", cursor.network))
    }

    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("numbers are JSON")
    }

    /// Returns the first ledger that may have unread transactions.
    pub fn next_ledger(&self) -> u32 {
        if self.transaction.is_some() { self.ledger } else { self.ledger.saturating_add(1) }
    }

    /// Marks this transaction as read.
    pub fn is_behind(&self, ledger: u32, transaction: u32) -> bool {
        ledger < self.ledger
            || (ledger == self.ledger && self.transaction.is_none_or(|last| transaction <= last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_cursor_reads_back() {
        for cursor in [Cursor::after_ledger(0, 7), Cursor::after_transaction(0, 7, 0)] {
            assert_eq!(Cursor::read(&cursor.to_text(), 0), Ok(cursor.clone()));
            assert!(Cursor::read(&cursor.to_text(), 1).unwrap_err().contains("used with network 0"));
        }
        assert!(Cursor::read("7", 0).is_err());
    }

    #[test]
    fn what_was_read() {
        let check = |cursor: Cursor, next, behind: [bool; 4]| {
            assert_eq!(cursor.next_ledger(), next, "{cursor:?}");
            let at = [(6, 9), (7, 3), (7, 4), (8, 0)];
            assert_eq!(at.map(|(ledger, index)| cursor.is_behind(ledger, index)), behind, "{cursor:?}");
        };
        check(Cursor::after_ledger(0, 7), 8, [true, true, true, false]);
        check(Cursor::after_transaction(0, 7, 3), 7, [true, true, false, false]);
    }
}
